package measure

import (
	"syscall"
	"time"
)

// Usage returns the CPU time of this process in user and kernel mode, including garbage collection.
func Usage() (time.Duration, error) {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0, err
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), nil
}
