package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// sample is what the operating system says about one finished command.
type sample struct {
	cpu   time.Duration // user and system
	peak  int64         // bytes
	fault string
}

func run(folder string, command []string) sample {
	c := exec.Command(command[0], command[1:]...)
	c.Dir = folder
	said, err := c.CombinedOutput()
	var s sample
	if state := c.ProcessState; state != nil {
		s.cpu = state.UserTime() + state.SystemTime()
		if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
			s.peak = usage.Maxrss << 10
		}
	}
	if err != nil {
		s.fault = fmt.Sprintf("%v: %.200s", err, strings.Join(strings.Fields(string(said)), " "))
	}
	return s
}

// median returns the sample in the middle by CPU, or the one that failed.
func median(samples []sample) sample {
	if last := samples[len(samples)-1]; last.fault != "" {
		return last
	}
	slices.SortFunc(samples, func(a, b sample) int { return cmp.Compare(a.cpu, b.cpu) })
	return samples[len(samples)/2]
}

// countLines counts the lines of generated source.
func countLines(folder string) int {
	lines := 0
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".go", ".ts"}, filepath.Ext(path)) {
			return nil
		}
		text, err := os.ReadFile(path)
		lines += bytes.Count(text, []byte("\n"))
		return err
	})
	return lines
}
