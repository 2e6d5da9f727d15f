package revise

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// ErrChanged says that somebody else wrote to the file since it was read.
var ErrChanged = errors.New("the file has changed since it was read; nothing was written: run the command again")

// Replace makes the file at path hold text, if it still holds was. The new
// text is there whole or not at all; links keep leading to the file, and its
// mode stays.
func Replace(path string, was, text []byte) error {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(target)
	if err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+"-*")
	if err != nil {
		return err
	}
	_, err = temporary.Write(text)
	err = errors.Join(err, temporary.Chmod(info.Mode().Perm()), temporary.Sync(), temporary.Close())
	if err == nil {
		err = unchanged(target, was)
	}
	if err == nil {
		err = os.Rename(temporary.Name(), target)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary.Name()))
	}
	return nil
}

// unchanged looks right before the rename, so that the moment in which somebody
// else's words could be lost is as short as it can be.
func unchanged(path string, was []byte) error {
	now, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, was) {
		return fmt.Errorf("%s: %w", filepath.Base(path), ErrChanged)
	}
	return nil
}
