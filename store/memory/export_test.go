package memory

import (
	"iter"
	"maps"
)

// Locks returns how many records have a lock.
func (s *Store[T]) Locks() int {
	s.table.mu.RLock()
	defer s.table.mu.RUnlock()
	n := 0
	for slot := range s.table.allSlots() {
		if slot.lock != nil {
			n++
		}
	}
	return n
}

// Waiting returns how many transactions wait for a record.
func (s *Store[T]) Waiting() int {
	s.table.mu.RLock()
	defer s.table.mu.RUnlock()
	waiting := 0
	for slot := range s.table.allSlots() {
		if slot.lock != nil {
			waiting += slot.lock.users - 1
		}
	}
	return waiting
}

// Rows returns how many rows the table remembers.
func (s *Store[T]) Rows() int {
	s.table.mu.RLock()
	defer s.table.mu.RUnlock()
	n := 0
	for range s.table.allSlots() {
		n++
	}
	return n
}

// Pages returns how many pages of slots the table has.
func (s *Store[T]) Pages() int {
	s.table.mu.RLock()
	defer s.table.mu.RUnlock()
	return len(s.table.slots.pages)
}

// Owners returns how many unique values the table remembers.
func (s *Store[T]) Owners() int {
	s.table.mu.RLock()
	defer s.table.mu.RUnlock()
	return len(s.table.owners)
}

// Answers returns how many answers are remembered, expired or not.
func (s *Store[T]) Answers() int {
	s.answers.mu.Lock()
	defer s.answers.mu.Unlock()
	if n := s.answers.byExpiry.Len(); n != len(s.answers.byKey) {
		return -1
	}
	return len(s.answers.byKey)
}

// Terms returns how many values the indexes remember.
func (s *Store[T]) Terms() int {
	s.table.mu.RLock()
	defer s.table.mu.RUnlock()
	n := 0
	for i := range s.table.indexes {
		n += len(s.table.indexes[i].byTerm)
	}
	return n
}

// allSlots returns the slots that something is in, and those that should have been
// forgotten.
func (t *table) allSlots() iter.Seq[*slot] {
	return func(yield func(*slot) bool) {
		for _, page := range t.slots.pages {
			for i := range page {
				if page[i] != (slot{}) && !yield(&page[i]) {
					return
				}
			}
		}
		maps.Values(t.slots.others)(yield)
	}
}
