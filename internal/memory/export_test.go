package memory

import "github.com/trove-api/trove/internal/model"

// Record returns the struct of the records.
func (s *Store) Record() *model.Struct { return s.shape.record }

// IsBusy reports whether a transaction has the turn to write.
func (s *Store) IsBusy() bool { return len(s.domain.Load().turn) > 0 }

// Responses returns how many responses are stored, expired or not.
func (s *Store) Responses() int { return s.domain.Load().state.Load().table(s).responses.count }

// Rows returns how many rows the table has.
func (s *Store) Rows() int { return s.domain.Load().state.Load().table(s).rows.count }

// Entries returns how many entries each index has.
func (s *Store) Entries() (n []int) {
	for _, index := range s.domain.Load().state.Load().table(s).indexes {
		n = append(n, index.count)
	}
	return n
}
