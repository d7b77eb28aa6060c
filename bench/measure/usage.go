package measure

import (
	"syscall"
	"time"
)

// Usage returns the time that this process has had of all CPUs, in itself and in the
// kernel, garbage collection included.
func Usage() (time.Duration, error) {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0, err
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), nil
}
