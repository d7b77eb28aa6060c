package memory

import (
	"iter"
	"math"
	"slices"
)

// turned goes through the rows as from does, but that those which are equal in the column
// come in the opposite order of their identifiers.
func (t tree[T]) turned(pivot *row[T], backward bool) iter.Seq[*row[T]] {
	return func(yield func(*row[T]) bool) {
		start := pivot
		if pivot != nil {
			if !t.run(pivot, !backward, yield) {
				return
			}
			start = edge[T](t.column, pivot.places[t.column], !backward)
		}
		for {
			long, more := t.shortRuns(start, backward, yield)
			if !more || long == nil {
				return
			}
			start = edge[T](t.column, long.places[t.column], !backward)
			if !t.run(start, !backward, yield) {
				return
			}
		}
	}
}

// run goes through the rows that are equal to the pivot in the column, from there on. It
// reports whether there is to be more.
func (t tree[T]) run(pivot *row[T], backward bool, yield func(*row[T]) bool) bool {
	for r := range t.from(pivot, backward) {
		if r.places[t.column].compare(&pivot.places[t.column]) != 0 {
			break
		}
		if !yield(r) {
			return false
		}
	}
	return true
}

// shortRun is how many equal rows are turned by hand. In a longer run it is faster to seek
// its other end.
const shortRun = 16

// shortRuns goes through the runs of equal rows up to the first long one, of which it
// returns a row; nil at the end.
func (t tree[T]) shortRuns(start *row[T], backward bool, yield func(*row[T]) bool) (long *row[T], more bool) {
	var held [shortRun]*row[T]
	run := held[:0]
	for r := range t.from(start, backward) {
		switch {
		case len(run) > 0 && run[0].places[t.column].compare(&r.places[t.column]) != 0:
			if !turn(run, yield) {
				return nil, false
			}
			run = run[:0]
		case len(run) == shortRun:
			return r, true
		}
		run = append(run, r)
	}
	return nil, turn(run, yield)
}

// turn goes through a run from its last row to its first.
func turn[T any](run []*row[T], yield func(*row[T]) bool) bool {
	for _, r := range slices.Backward(run) {
		if !yield(r) {
			return false
		}
	}
	return true
}

// edge returns a row that stands before all that have a value in a column, or behind them.
func edge[T any](column int, value ordered, behind bool) *row[T] {
	r := &row[T]{places: make([]ordered, column+1)}
	if behind {
		r.places[0] = ordered{present: true, integer: math.MaxInt64, nano: math.MaxInt32}
	}
	r.places[column] = value
	return r
}
