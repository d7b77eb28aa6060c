package memory

// index finds the rows that have a value. The table's lock guards it.
type index struct {
	place  int // of the value among those that rows keep
	byTerm map[ordered]*posting
}

func newIndexes(places []int) []index {
	made := make([]index, len(places))
	for i, place := range places {
		made[i] = index{place, map[ordered]*posting{}}
	}
	return made
}

// set adds a row, in place of the one with its identifier that has the same value. Null is
// no value.
func (x *index) set(r *row) {
	term := *r.value(x.place)
	if !term.present {
		return
	}
	found := x.byTerm[term]
	if found == nil {
		found = &posting{}
		x.byTerm[term] = found
	}
	found.set(r)
}

// remove takes out a row.
func (x *index) remove(r *row) {
	term := *r.value(x.place)
	found := x.byTerm[term]
	if found == nil {
		return
	}
	if found.remove(r); found.Len() == 0 {
		delete(x.byTerm, term)
	}
}
