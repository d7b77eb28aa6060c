package soak_test

import (
	"context"

	"github.com/trove-api/trove/store"
)

// Note is kept in memory.
type Note struct {
	ID    int64    `json:"id" api:"id"`
	Mark  string   `json:"mark" validate:"notblank,max=80" api:"filter=exact,sort"`
	Value int      `json:"value" validate:"gte=0" api:"filter=range,sort"`
	Text  *string  `json:"text" validate:"omitempty,max=4000" api:"filter=partial"`
	Tags  []string `json:"tags" validate:"max=8"`
}

// Parcel is kept in a table of SQLite.
type Parcel struct {
	ID      int64    `json:"id" api:"id"`
	Mark    string   `json:"mark" validate:"notblank,max=80" api:"filter=exact,sort"`
	Value   int      `json:"value" validate:"gte=0" api:"filter=range,sort"`
	Text    *string  `json:"text" validate:"omitempty,max=4000" api:"filter=partial"`
	Tags    []string `json:"tags" validate:"max=8"`
	Version int64    `json:"version" api:"version"`
}

// Volume is one of a library that nobody changes, large enough that a client which does
// not read holds up its stream.
type Volume struct {
	ID   int64  `json:"id" api:"id"`
	Text string `json:"text"`
}

// kept is what the ledger compares of a record in a store.
type kept struct {
	mark  string
	value int
}

// keptNotes reads all notes, past the faults.
func keptNotes(ctx context.Context, s store.Store[Note]) ([]kept, error) {
	page, err := s.List(ctx, store.Query{})
	all := make([]kept, 0, len(page.Items))
	for _, n := range page.Items {
		all = append(all, kept{n.Mark, n.Value})
	}
	return all, err
}

// keptParcels reads all parcels, past the faults.
func keptParcels(ctx context.Context, s store.Store[Parcel]) ([]kept, error) {
	page, err := s.List(ctx, store.Query{})
	all := make([]kept, 0, len(page.Items))
	for _, p := range page.Items {
		all = append(all, kept{p.Mark, p.Value})
	}
	return all, err
}
