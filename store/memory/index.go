package memory

// index finds the rows that have a value. The table's lock guards it.
type index[T any] struct {
	place  int // of the value among those that rows keep
	byTerm map[ordered]*posting[T]
}

func newIndexes[T any](places []int) []index[T] {
	made := make([]index[T], len(places))
	for i, place := range places {
		made[i] = index[T]{place, map[ordered]*posting[T]{}}
	}
	return made
}

// set adds a row, in place of the one with its identifier that has the same value. Null is
// no value.
func (x *index[T]) set(r *row[T]) {
	term := r.places[x.place]
	if !term.present {
		return
	}
	found := x.byTerm[term]
	if found == nil {
		found = &posting[T]{}
		x.byTerm[term] = found
	}
	found.set(r)
}

// remove takes out a row.
func (x *index[T]) remove(r *row[T]) {
	term := r.places[x.place]
	found := x.byTerm[term]
	if found == nil {
		return
	}
	if found.remove(r); found.Len() == 0 {
		delete(x.byTerm, term)
	}
}
