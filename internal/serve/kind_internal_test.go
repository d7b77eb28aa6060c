package serve

import (
	"context"

	"github.com/trove-api/trove/internal/compiled"
)

// Touch is a kind of operation that only tests have: it changes the record that the path names by a function of its own,
// and saves it. It shows that a new kind is one constructor, which lists steps that other kinds have.
func Touch(op *compiled.Operation, change func(record any)) *Operation {
	o := begin(op)
	o.compares = true
	o.savesBy(putRecord)
	return o.writes(nil, []step{
		{"touch", func(_ context.Context, c *call) error { change(c.record); return nil }},
		when(o.Gate != nil && o.Gate.Act != nil, "authorize", authorizeChange),
		{"write", o.write},
	})
}

// Steps returns the names of the steps of a request, in order.
func (o *Operation) Steps() (names []string) {
	for _, list := range [][]step{o.receive, o.ahead, o.steps} {
		for _, s := range list {
			names = append(names, s.name)
		}
	}
	return names
}
