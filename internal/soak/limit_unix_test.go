//go:build linux || darwin

package soak_test

import (
	"fmt"
	"syscall"
)

// allowDescriptors raises the process's limit of open files to n, if it is lower.
func allowDescriptors(n uint64) error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return err
	}
	if limit.Cur >= n {
		return nil
	}
	wanted := syscall.Rlimit{Cur: n, Max: max(limit.Max, n)}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &wanted); err != nil {
		return fmt.Errorf("raising the limit of open files from %d to %d: %w", limit.Cur, n, err)
	}
	return nil
}
