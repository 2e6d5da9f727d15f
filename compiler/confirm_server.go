package compiler

import (
	"errors"
	"fmt"

	"github.com/openrpc-go/rpcgen/compiler/internal/config"
	"github.com/openrpc-go/rpcgen/compiler/internal/revise"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// withServer is the text of the config that names the server, if it is the one
// that the document names now; nil for no server.
func (c *Compilation) withServer(server string) ([]byte, error) {
	if server == "" {
		return nil, nil
	}
	if !c.Server.Moved || server != c.Server.Advertised {
		return nil, fmt.Errorf("%q is not the server that the document names now: look again with %s", server, c.Target.Command("review"))
	}
	node := c.Target.node
	if node == nil || !revise.Plain(server) {
		return nil, fmt.Errorf("name it by hand: server: %q under contract %s in %s", server, c.Target.ID, ConfigName)
	}
	r := revise.New(node.File)
	if err := r.Insert(node, "server", server); err != nil {
		return nil, err
	}
	text, err := r.Bytes()
	if err != nil {
		return nil, err
	}
	if err := namesServer(node, text, c.Target.ID, server); err != nil {
		return nil, fmt.Errorf("the change would damage %s, so nothing was written: %w", ConfigName, err)
	}
	return text, nil
}

// namesServer reads the new config back: the contract has the server, and
// nothing else is another.
func namesServer(was *source.Node, text []byte, id, server string) error {
	file, err := source.ReadOwn(was.File.Name, text, source.Limits{})
	if err != nil {
		return err
	}
	if _, found := config.Read(file); found.HasErrors() {
		return errors.New(found.Errors()[0].Message)
	}
	now := file.Root.Get("contracts").Get(id)
	if now.Get("server") == nil || now.Get("server").Text != server {
		return errors.New("the server is not there")
	}
	return errors.Join(
		sameMembers(was, now, "server"),
		sameMembers(was.File.Root, file.Root, "contracts"),
		sameMembers(was.File.Root.Get("contracts"), file.Root.Get("contracts"), id),
	)
}
