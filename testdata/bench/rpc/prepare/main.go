// Command prepare generates the client that the benchmark calls through, with
// the generator of this repository, from records.openrpc.json and what
// records.amend.yaml says of its methods.
package main

import (
	"log"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	log.SetFlags(0)
	here, err := os.Getwd()
	if err != nil {
		log.Fatal(err)
	}
	c := exec.Command("go", "run", "./cmd/rpcgen", "generate",
		"--document", filepath.Join(here, "records.openrpc.json"),
		"--amendment", filepath.Join(here, "records.amend.yaml"),
		"--out", filepath.Join(here, "records"))
	c.Dir = "../../.." // the generator has a module of its own
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if err := c.Run(); err != nil {
		log.Fatal(err)
	}
}
