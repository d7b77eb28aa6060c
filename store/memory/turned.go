package memory

import (
	"math"
	"slices"
)

// turned are the rows of a tree, of which those that are equal in its value come in the
// opposite order of their identifiers.
type turned struct {
	tree

	place int // of the tree's value among those that rows keep
}

func (t turned) from(pivot *row, backward bool, yield func(*row) bool) {
	start := pivot
	if pivot != nil {
		if !t.run(pivot, !backward, yield) {
			return
		}
		start = edge(t.place, *pivot.value(t.place), !backward)
	}
	for {
		long, more := t.shortRuns(start, backward, yield)
		if !more || long == nil {
			return
		}
		start = edge(t.place, *long.value(t.place), !backward)
		if !t.run(start, !backward, yield) {
			return
		}
	}
}

func (t turned) at(int, bool) *row { return nil }

// run goes through the rows that are equal to the pivot in the value, from there on. It
// reports whether there is to be more.
func (t turned) run(pivot *row, backward bool, yield func(*row) bool) bool {
	more := true
	t.tree.from(pivot, backward, func(r *row) bool {
		if r.value(t.place).compare(pivot.value(t.place)) != 0 {
			return false
		}
		more = yield(r)
		return more
	})
	return more
}

// shortRun is how many equal rows are turned by hand. In a longer run it is faster to seek
// its other end.
const shortRun = 16

// shortRuns goes through the runs of equal rows up to the first long one, of which it
// returns a row; nil at the end.
func (t turned) shortRuns(start *row, backward bool, yield func(*row) bool) (long *row, more bool) {
	var held [shortRun]*row
	run := held[:0]
	more = true
	t.tree.from(start, backward, func(r *row) bool {
		switch {
		case len(run) > 0 && run[0].value(t.place).compare(r.value(t.place)) != 0:
			more = turn(run, yield)
			run = run[:0]
		case len(run) == shortRun:
			long = r
		}
		if !more || long != nil {
			return false
		}
		run = append(run, r)
		return true
	})
	if more && long == nil {
		more = turn(run, yield)
	}
	return long, more
}

// turn goes through a run from its last row to its first.
func turn(run []*row, yield func(*row) bool) bool {
	for _, r := range slices.Backward(run) {
		if !yield(r) {
			return false
		}
	}
	return true
}

// edge returns a row that stands before all that have a value at a place, or behind them.
func edge(place int, value ordered, behind bool) *row {
	r := newRow(instance{}, place+1)
	if behind {
		*r.value(0) = ordered{present: true, integer: math.MaxInt64, nano: math.MaxInt32}
	}
	*r.value(place) = value
	return r
}
