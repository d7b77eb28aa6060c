package memory

// Locks returns how many records have a lock.
func (s *Store[T]) Locks() int {
	s.table.mu.RLock()
	defer s.table.mu.RUnlock()
	return len(s.table.locks.busy)
}

// Waiting returns how many transactions wait for a record.
func (s *Store[T]) Waiting() int {
	s.table.mu.RLock()
	defer s.table.mu.RUnlock()
	waiting := 0
	for _, lock := range s.table.locks.busy {
		waiting += lock.users - 1
	}
	return waiting
}

// Rows returns how many rows the table remembers.
func (s *Store[T]) Rows() int {
	s.table.mu.RLock()
	defer s.table.mu.RUnlock()
	n := len(s.table.rows.others)
	for _, page := range s.table.rows.pages {
		for _, row := range page {
			if row != nil {
				n++
			}
		}
	}
	return n
}

// Pages returns how many pages of rows the table has.
func (s *Store[T]) Pages() int {
	s.table.mu.RLock()
	defer s.table.mu.RUnlock()
	return len(s.table.rows.pages)
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
