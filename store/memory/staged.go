package memory

// change is a record that a transaction has locked, and what it makes of it.
type change struct {
	id   any
	slot *slot // what is saved in it stays while the lock is held
	row  *row  // nil where nothing is changed; without a record where it is deleted
}

// now returns the row as the transaction sees it, nil if there is none.
func (c *change) now() *row {
	switch {
	case c.row == nil:
		return c.slot.row
	case c.row.record.isNone():
		return nil
	}
	return c.row
}

// staged are the changes of a transaction, one for each record that it has locked, in
// order. A few are searched one after the other; more have maps.
type staged struct {
	changes []change
	first   [1]change   // where the first of changes is
	byID    map[any]int // the numbers of changes
	claims  map[claim]*slot
}

// claim is a value of a unique column.
type claim struct {
	unique int
	value  ordered
}

// several is how many changes have no maps.
const several = 8

// find returns the change of what has that id, nil if it is not locked. It is good until
// the next one is added.
func (s *staged) find(id any) *change {
	if s.byID != nil {
		if i, ok := s.byID[id]; ok {
			return &s.changes[i]
		}
		return nil
	}
	for i := range s.changes {
		if s.changes[i].id == id {
			return &s.changes[i]
		}
	}
	return nil
}

// changed reports whether the record in a slot is changed.
func (s *staged) changed(saved *slot) bool {
	for i := range s.changes {
		if s.changes[i].slot == saved {
			return s.changes[i].row != nil
		}
	}
	return false
}

// add adds what has been locked. It is good until the next one is added.
func (s *staged) add(uniques []*column, id any, locked *slot) *change {
	if s.changes == nil {
		s.changes = s.first[:0]
	}
	s.changes = append(s.changes, change{id: id, slot: locked})
	switch {
	case s.byID != nil:
		s.byID[id] = len(s.changes) - 1
	case len(s.changes) > several:
		s.byID, s.claims = map[any]int{}, map[claim]*slot{}
		for i := range s.changes {
			s.byID[s.changes[i].id] = i
			s.claim(uniques, &s.changes[i])
		}
	}
	return &s.changes[len(s.changes)-1]
}

// owner returns the slot of the changed record that has a unique value, nil for none.
func (s *staged) owner(uniques []*column, wanted claim) *slot {
	if s.claims != nil {
		return s.claims[wanted]
	}
	for i := range s.changes {
		if c := &s.changes[i]; c.has(uniques[wanted.unique].place, wanted.value) {
			return c.slot
		}
	}
	return nil
}

// has reports whether the changed record has a value there.
func (c *change) has(place int, value ordered) bool {
	return c.row != nil && !c.row.record.isNone() && *c.row.value(place) == value
}

// put stages a row in place of the one that a change has.
func (s *staged) put(uniques []*column, c *change, r *row) {
	s.disclaim(uniques, c)
	c.row = r
	s.claim(uniques, c)
}

// claim notes the unique values of a changed record.
func (s *staged) claim(uniques []*column, c *change) {
	if s.claims == nil || c.row == nil || c.row.record.isNone() {
		return
	}
	for i, column := range uniques {
		if value := *c.row.value(column.place); value.present {
			s.claims[claim{i, value}] = c.slot
		}
	}
}

// disclaim gives up the unique values of a changed record.
func (s *staged) disclaim(uniques []*column, c *change) {
	if s.claims == nil || c.row == nil || c.row.record.isNone() {
		return
	}
	for i, column := range uniques {
		delete(s.claims, claim{i, *c.row.value(column.place)})
	}
}
