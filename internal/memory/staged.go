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
	columns *columns // of the table
	changes []change
	first   [1]change      // where the first of changes is
	numbers *stagedNumbers // of many changes; nil for a few
}

// stagedNumbers are the numbers of changes, by what they are looked for.
type stagedNumbers struct {
	byID   map[any]int
	owners map[claim]int // of changes with unique values
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
	if s.numbers != nil {
		if i, ok := s.numbers.byID[id]; ok {
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
	case s.numbers != nil:
		s.numbers.byID[id] = len(s.changes) - 1
	case len(s.changes) > several:
		s.numbers = &stagedNumbers{map[any]int{}, map[claim]int{}}
		for i := range s.changes {
			s.numbers.byID[s.changes[i].id] = i
			s.claim(i)
		}
	}
	return &s.changes[len(s.changes)-1]
}

// owner returns the changed record that has a value in a unique column, nil for none.
func (s *staged) owner(of *column, wanted *value) *change {
	if s.numbers != nil {
		if i, ok := s.numbers.owners[claim{of, *wanted}]; ok {
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
	if s.numbers == nil {
		c.now = r
		return
	}
	if c.now != nil && c.now != c.saved {
		for _, column := range s.columns.uniques {
			delete(s.numbers.owners, claim{column, *c.now.value(column.tree)})
		}
	}
	c.now = r
	s.claim(s.numbers.byID[c.id])
}

// claim notes the unique values of a changed record.
func (s *staged) claim(i int) {
	r := s.changes[i].now
	if r == nil || r == s.changes[i].saved {
		return
	}
	for _, column := range s.columns.uniques {
		if found := *r.value(column.tree); found.present {
			s.numbers.owners[claim{column, found}] = i
		}
	}
}

// unclaimed returns the error of a unique value of a new row of a change that another record
// has, as the transaction sees it.
func (s *staged) unclaimed(t *table, c *change, made *row) error {
	for _, column := range s.columns.uniques {
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
