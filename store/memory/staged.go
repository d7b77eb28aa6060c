package memory

// change is what a transaction makes of one record.
type change[T any] struct {
	row   *row[T] // without a record where it is deleted
	saved *row[T] // what the table has, nil for none
}

// staged are the changes of a transaction, one for each record. A few are searched one
// after the other; more have maps.
type staged[T any] struct {
	changes []change[T]
	first   [2]change[T] // where the first of changes are
	byID    map[any]int  // the numbers of changes
	claims  map[claim]any
}

// claim is a value of a unique column.
type claim struct {
	unique int
	value  ordered
}

// several is how many changes have no maps.
const several = 8

// find returns the staged row of a record, nil if it is not changed.
func (s *staged[T]) find(id any) *row[T] {
	if i := s.number(id); i >= 0 {
		return s.changes[i].row
	}
	return nil
}

func (s *staged[T]) number(id any) int {
	if s.byID != nil {
		if i, ok := s.byID[id]; ok {
			return i
		}
		return -1
	}
	for i := range s.changes {
		if s.changes[i].row.id == id {
			return i
		}
	}
	return -1
}

// owner returns the id of the changed record that has a unique value.
func (s *staged[T]) owner(uniques []*column, c claim) (id any, taken bool) {
	if s.claims != nil {
		id, taken = s.claims[c]
		return id, taken
	}
	for i := range s.changes {
		if r := s.changes[i].row; r.record != nil && r.places[uniques[c.unique].place] == c.value {
			return r.id, true
		}
	}
	return nil, false
}

// put stages a row in place of the one with its id. The table has saved.
func (s *staged[T]) put(uniques []*column, r, saved *row[T]) {
	i := s.number(r.id)
	if i >= 0 {
		s.disclaim(uniques, s.changes[i].row)
		s.changes[i].row = r
	} else {
		if s.changes == nil {
			s.changes = s.first[:0]
		}
		i, s.changes = len(s.changes), append(s.changes, change[T]{r, saved})
	}
	switch {
	case s.byID != nil:
		s.byID[r.id] = i
		s.claim(uniques, r)
	case len(s.changes) > several:
		s.byID, s.claims = map[any]int{}, map[claim]any{}
		for i := range s.changes {
			s.byID[s.changes[i].row.id] = i
			s.claim(uniques, s.changes[i].row)
		}
	}
}

// claim notes the unique values of a row.
func (s *staged[T]) claim(uniques []*column, r *row[T]) {
	if r.record == nil {
		return
	}
	for i, column := range uniques {
		if value := r.places[column.place]; value.present {
			s.claims[claim{i, value}] = r.id
		}
	}
}

// disclaim gives up the unique values of a row.
func (s *staged[T]) disclaim(uniques []*column, r *row[T]) {
	if r.record == nil || s.claims == nil {
		return
	}
	for i, column := range uniques {
		delete(s.claims, claim{i, r.places[column.place]})
	}
}
