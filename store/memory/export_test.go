package memory

import (
	"maps"
	"slices"
)

// Locks returns how many records have a lock.
func (s *Store[T]) Locks() int {
	s.table.mu.RLock()
	defer s.table.mu.RUnlock()
	locked := 0
	for _, slot := range s.table.allSlots() {
		if slot.users > 0 {
			locked++
		}
	}
	return locked
}

// Waiting returns how many transactions wait for a record.
func (s *Store[T]) Waiting() int {
	s.table.mu.RLock()
	defer s.table.mu.RUnlock()
	waiting := 0
	for _, slot := range s.table.allSlots() {
		waiting += max(slot.users-1, 0)
	}
	return waiting
}

// Rows returns how many rows the table remembers.
func (s *Store[T]) Rows() int {
	s.table.mu.RLock()
	defer s.table.mu.RUnlock()
	return len(s.table.allSlots())
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

func (t *table) allSlots() []*slot {
	return slices.AppendSeq(slices.Collect(maps.Values(t.slots.numbered)), maps.Values(t.slots.others))
}
