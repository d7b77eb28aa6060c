package memory

import "github.com/trove-api/trove/store"

// change is a record that a transaction has locked, and what it makes of it.
type change struct {
	id    any
	saved *row // what is saved, which stays while the lock is held; nil for nothing
	now   *row // as the transaction sees it
}

// staged are the changes of a transaction, one for each record that it has locked, in
// order. A few are searched one after the other; more have maps.
type staged struct {
	uniques []*column
	changes []change
	first   [1]change     // where the first of changes is
	byID    map[any]int   // the numbers of changes
	owners  map[claim]int // the numbers of changes with unique values
}

// claim is a value of a unique column.
type claim struct {
	column *column
	value  value
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

// replaces reports whether a saved row is changed.
func (s *staged) replaces(saved *row) bool {
	for i := range s.changes {
		if s.changes[i].saved == saved {
			return s.changes[i].now != saved
		}
	}
	return false
}

// add adds what has been locked. It is good until the next one is added.
func (s *staged) add(id any, saved *row) *change {
	if s.changes == nil {
		s.changes = s.first[:0]
	}
	s.changes = append(s.changes, change{id, saved, saved})
	switch {
	case s.byID != nil:
		s.byID[id] = len(s.changes) - 1
	case len(s.changes) > several:
		s.byID, s.owners = map[any]int{}, map[claim]int{}
		for i := range s.changes {
			s.byID[s.changes[i].id] = i
			s.claim(i)
		}
	}
	return &s.changes[len(s.changes)-1]
}

// owner returns the changed record that has a value in a unique column, nil for none.
func (s *staged) owner(of *column, wanted *value) *change {
	if s.owners != nil {
		if i, ok := s.owners[claim{of, *wanted}]; ok {
			return &s.changes[i]
		}
		return nil
	}
	for i := range s.changes {
		if c := &s.changes[i]; c.now != nil && c.now != c.saved && *c.now.value(of.tree) == *wanted {
			return c
		}
	}
	return nil
}

// put stages a row, nil for a deleted one, in place of that of a change.
func (s *staged) put(c *change, r *row) {
	if s.owners == nil {
		c.now = r
		return
	}
	if c.now != nil && c.now != c.saved {
		for _, column := range s.uniques {
			delete(s.owners, claim{column, *c.now.value(column.tree)})
		}
	}
	c.now = r
	s.claim(s.byID[c.id])
}

// claim notes the unique values of a changed record.
func (s *staged) claim(i int) {
	r := s.changes[i].now
	if r == nil || r == s.changes[i].saved {
		return
	}
	for _, column := range s.uniques {
		if found := *r.value(column.tree); found.present {
			s.owners[claim{column, found}] = i
		}
	}
}

// unclaimed returns the error of a unique value of a new row of a change that another record
// has, as the transaction sees it.
func (s *staged) unclaimed(t *table, c *change, made *row) error {
	for _, column := range s.uniques {
		wanted := made.value(column.tree)
		if !wanted.present || c.now != nil && *c.now.value(column.tree) == *wanted {
			continue // those that it had before are its own
		}
		owner := s.owner(column, wanted)
		if owner == nil {
			t.mu.RLock()
			saved := t.owner(column, made)
			t.mu.RUnlock()
			if saved == nil || saved == c.saved || s.replaces(saved) {
				continue
			}
		}
		if owner != c {
			return store.UniqueError{Field: column.name}
		}
	}
	return nil
}
