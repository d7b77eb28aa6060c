package wrapping

import "context"

// WriteChecker is implemented by stores that can tell what matters only to operations that write,
// as the documentation of package store says.
type WriteChecker interface {
	// CheckInserts returns an error if every insert would fail.
	CheckInserts(ctx context.Context) error
	// PingWrites returns an error if the store cannot be written to now.
	PingWrites(ctx context.Context) error
}

// Adviser is implemented by stores that work, but promise less than their struct says.
type Adviser interface {
	// Advise returns a line for each such thing, with what to do.
	Advise(ctx context.Context) ([]string, error)
}
