package memory

// slots are the places of a table's records, and of the identifiers and keys that
// transactions are busy with, by id and by [answerLock]. Integers, which most identifiers
// are, are found faster than as any value, and those that follow on one another, as
// generated ones do, are beside each other: a new record is put where the one before it has
// just been.
type slots struct {
	pages  map[int64]*page // by the first integer of each
	others map[any]*slot
}

// page has the slots of neighbouring integers: so few that it is no waste where they are
// far apart.
type page [8]slot

// slot is the place of the record with one identifier.
type slot struct {
	row  *row  // what is saved; nil for nothing
	lock *lock // nil unless a transaction holds it
}

func newSlots() slots {
	return slots{map[int64]*page{}, map[any]*slot{}}
}

// number returns an id that is an integer. All ids of a table have one type.
func number(id any) (n int64, ok bool) {
	switch id := id.(type) {
	case int64:
		return id, true
	case int:
		return int64(id), true
	}
	return 0, false
}

// split returns the first integer of the page that has an integer, and its place there.
func split(n int64) (first, place int64) {
	const last = int64(len(page{}) - 1)
	return n &^ last, n & last
}

// get returns a slot, nil where there is none.
func (s slots) get(id any) *slot {
	n, ok := number(id)
	if !ok {
		return s.others[id]
	}
	first, place := split(n)
	if p := s.pages[first]; p != nil {
		return &p[place]
	}
	return nil
}

// reserve returns a slot, a new one where there is none.
func (s slots) reserve(id any) *slot {
	if found := s.get(id); found != nil {
		return found
	}
	n, ok := number(id)
	if !ok {
		made := &slot{}
		s.others[id] = made
		return made
	}
	first, place := split(n)
	made := &page{}
	s.pages[first] = made
	return &made[place]
}

// forget lets go of a slot that has nothing in it.
func (s slots) forget(id any) {
	n, ok := number(id)
	if !ok {
		delete(s.others, id)
		return
	}
	if first, _ := split(n); *s.pages[first] == (page{}) {
		delete(s.pages, first)
	}
}
