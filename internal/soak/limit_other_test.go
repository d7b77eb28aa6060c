//go:build !linux && !darwin

package soak_test

import "errors"

// allowDescriptors is for systems with other limits.
func allowDescriptors(uint64) error { return errors.New("the limit of open files is not known here") }
