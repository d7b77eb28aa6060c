package main

import (
	"os"
	"runtime/pprof"
)

// profile starts a CPU profile if it has the name of a file, and returns a function that ends it.
func profile(name string) (stop func() error, err error) {
	if name == "" {
		return func() error { return nil }, nil
	}
	file, err := os.Create(name) //nolint:gosec // who runs the program names the file
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return nil, err
	}
	return func() error {
		pprof.StopCPUProfile()
		return file.Close()
	}, nil
}
