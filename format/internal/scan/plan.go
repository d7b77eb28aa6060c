package scan

import "sync/atomic"

// Plan is what a writer has made of the names of an object's members (format.Item.Parts), kept for the
// records that have the same ones: nearly all. The zero value has none yet. It is safe for use by many
// goroutines.
type Plan[T any] struct{ last atomic.Pointer[planned[T]] }

type planned[T any] struct {
	names []string
	plan  T
}

// Of returns the plan of the names, by that of the names before if they are the same slice. Plan makes it.
// One is kept, and not one for each slice that there has been, for clients may choose any members.
func (p *Plan[T]) Of(names []string, plan func(names []string) T) *T {
	known := p.last.Load()
	if known == nil || len(names) != len(known.names) || len(names) > 0 && &names[0] != &known.names[0] {
		known = &planned[T]{names, plan(names)}
		p.last.Store(known)
	}
	return &known.plan
}

// Run are members that stand side by side, from the first to before the last.
type Run struct{ From, To int }

// Runs returns those of n members that are wanted, to be copied together.
func Runs(n int, wanted func(i int) bool) []Run {
	var runs []Run
	for i := range n {
		switch last := len(runs) - 1; {
		case !wanted(i):
		case last >= 0 && runs[last].To == i:
			runs[last].To++
		default:
			runs = append(runs, Run{i, i + 1})
		}
	}
	return runs
}
