package soak_test

import (
	"context"

	"github.com/trove-api/trove/store"
)

// Note is stored in memory.
type Note struct {
	ID    int64    `json:"id" api:"id"`
	Mark  string   `json:"mark" validate:"notblank,max=80" api:"filter=exact,sort"`
	Value int      `json:"value" validate:"gte=0" api:"filter=range,sort"`
	Text  *string  `json:"text" validate:"omitempty,max=4000" api:"filter=partial"`
	Tags  []string `json:"tags" validate:"max=8"`
}

// Parcel is stored in an SQLite table.
type Parcel struct {
	ID      int64    `json:"id" api:"id"`
	Mark    string   `json:"mark" validate:"notblank,max=80" api:"filter=exact,sort"`
	Value   int      `json:"value" validate:"gte=0" api:"filter=range,sort"`
	Text    *string  `json:"text" validate:"omitempty,max=4000" api:"filter=partial"`
	Tags    []string `json:"tags" validate:"max=8"`
	Version int64    `json:"version" api:"version"`
}

// Volume is in a read-only library, large enough that a client which does not read blocks its stream.
type Volume struct {
	ID   int64  `json:"id" api:"id"`
	Text string `json:"text"`
}

// kept is the part of a stored record that the ledger compares.
type kept struct {
	mark  string
	value int
}

// keptNotes reads all notes, without faults.
func keptNotes(ctx context.Context, s store.Store[Note]) ([]kept, error) {
	page, err := s.List(ctx, store.Query{})
	all := make([]kept, 0, len(page.Items))
	for _, n := range page.Items {
		all = append(all, kept{n.Mark, n.Value})
	}
	return all, err
}

// keptParcels reads all parcels, without faults.
func keptParcels(ctx context.Context, s store.Store[Parcel]) ([]kept, error) {
	page, err := s.List(ctx, store.Query{})
	all := make([]kept, 0, len(page.Items))
	for _, p := range page.Items {
		all = append(all, kept{p.Mark, p.Value})
	}
	return all, err
}
