package memory

import (
	"context"

	"github.com/trove-api/trove/store"
)

// Tried returns how many rows a query reads.
func (s *Store) Tried(ctx context.Context, query store.Query) (int, error) {
	l := &list{ctx: ctx, query: query}
	err := s.table.list(l)
	return l.tried, err
}

// Locks returns how many records are locked.
func (s *Store) Locks() int {
	s.table.mu.RLock()
	defer s.table.mu.RUnlock()
	return len(s.table.locks)
}

// Waiting returns how many transactions wait for a record.
func (s *Store) Waiting() int {
	s.table.mu.RLock()
	defer s.table.mu.RUnlock()
	waiting := 0
	for _, lock := range s.table.locks {
		waiting += lock.users - 1
	}
	return waiting
}

// Rows returns how many rows the table has.
func (s *Store) Rows() int {
	s.table.mu.RLock()
	defer s.table.mu.RUnlock()
	return len(s.table.rows.byNumber) + len(s.table.rows.byID)
}

// InTrees returns how many rows each tree has, -1 if they differ.
func (s *Store) InTrees() int {
	s.table.mu.RLock()
	defer s.table.mu.RUnlock()
	n := s.table.trees[0].rows.Len()
	for _, tree := range s.table.trees {
		if tree.rows.Len() != n {
			return -1
		}
	}
	return n
}

// Responses returns how many responses are stored, expired or not.
func (s *Store) Responses() int {
	s.responses.mu.Lock()
	defer s.responses.mu.Unlock()
	if n := s.responses.byExpiry.Len(); n != len(s.responses.byKey) {
		return -1
	}
	return len(s.responses.byKey)
}

// Compared returns the maximum number of comparisons of a query: for each row it reads, those of its conditions, which
// compare with each of their values unless these are in a map.
func (s *Store) Compared(ctx context.Context, query store.Query) (int, error) {
	l := &list{ctx: ctx, query: query}
	err := s.table.list(l)
	each := 0
	for i := range l.conditions {
		each += l.conditions[i].comparisons()
	}
	return l.tried * each, err
}

func (c *condition) comparisons() int {
	if c.set != nil {
		return 1
	}
	n := len(c.values)
	for i := range c.parts {
		n += c.parts[i].comparisons()
	}
	return n
}
