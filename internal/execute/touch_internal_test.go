package execute

import (
	"context"

	"github.com/trove-api/trove/internal/compiled"
)

// Touch is a kind of operation that only tests have: it changes the record that the path names by a function of its own,
// and saves it. It shows that a new kind is one constructor, which lists steps that other kinds have.
func Touch(op *compiled.Operation, with Functions, change func(record any)) *Operation {
	o := begin(op, with)
	o.compares = true
	o.savesBy(putRecord)
	return o.writes(o.looks(readItem), nil, []step{
		{"touch", func(_ context.Context, c *Call) error { change(c.Record); return nil }},
		when(o.Gate != nil && o.Gate.Act != nil, "authorize", authorizeChange),
		{"write", o.write},
	})
}
