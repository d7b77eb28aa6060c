package storetest

import (
	"context"
	"math"
	"reflect"
	"time"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

const settledReason = "The answer to a write, and the ETag that is computed from it, must fit the next read, byte for byte in JSON. " +
	"Where a store cannot keep a value as it was given, it sets what it keeps in the record, as it sets a generated identifier."

func settledRules() []rule[Record] {
	return []rule[Record]{
		{"what an insert leaves in the record is what is read", settledReason, insertSettles},
		{"what an update leaves in the record is what is read", settledReason, updateSettles},
	}
}

// delicate returns records with values that not every store can keep.
func delicate() map[string]*Record {
	east, west := time.FixedZone("", 14*60*60), time.FixedZone("", -9*60*60-30*60)
	negative := math.Copysign(0, -1)
	exact := time.Date(2024, 2, 29, 23, 59, 59, 123456789, east)
	early := time.Date(1883, 11, 18, 12, 3, 58, 999999999, west)
	here := time.Now()
	return map[string]*Record{
		"a full record":           full("full"),
		"no value":                {Email: "zero"},
		"nanoseconds and zones":   {Email: "exact", SeenAt: exact, LeftAt: &early},
		"the time of this moment": {Email: "here", SeenAt: here, LeftAt: &here},
		"whole seconds in a zone": {Email: "whole", SeenAt: exact.Truncate(time.Second), LeftAt: new(early.Truncate(time.Second))},
		"zeros with a sign":       {Email: "sign", Ratio: negative, Score: &negative},
		"large and small floats":  {Email: "large", Ratio: math.MaxFloat64, Score: new(math.SmallestNonzeroFloat64)},
		"empty lists":             {Email: "empty", Data: []byte{}, Tags: []string{}, Marks: map[string]int{}, Address: Address{Bells: []string{}}, Home: &Address{Bells: []string{}}},
		"nil lists in an object":  {Email: "nil", Home: &Address{}},
		"text that JSON escapes":  {Email: "text", Name: "<&>\u2028\"\\\x7f\u00e9", Tags: []string{"<&>\u2028"}, Marks: map[string]int{"<&>": 1, "\u2028": 2, "a": 3}},
	}
}

func insertSettles(c *trial[Record]) {
	for name, given := range delicate() {
		var record *Record
		c.transact(func(ctx context.Context, tx store.Tx[Record]) error {
			copied := *given
			record = &copied
			return tx.Insert(ctx, record)
		})
		sameJSON(c, name, record, c.get(record.ID))
	}
	listedAsRead(c)
}

func updateSettles(c *trial[Record]) {
	for name, given := range delicate() {
		stored := named(given.Email)
		c.insert(stored)
		var record *Record
		c.transact(func(ctx context.Context, tx store.Tx[Record]) error {
			if _, err := tx.Get(ctx, stored.ID); err != nil {
				return err
			}
			copied := *given
			record = &copied
			record.ID = stored.ID
			return tx.Update(ctx, stored.ID, record)
		})
		sameJSON(c, name, record, c.get(record.ID))
		c.transact(func(ctx context.Context, tx store.Tx[Record]) error { // without a read
			copied := *given
			record = &copied
			record.ID = stored.ID
			return tx.Update(ctx, stored.ID, record)
		})
		sameJSON(c, name+", updated without a read", record, c.get(record.ID))
	}
	listedAsRead(c)
}

// sameJSON checks that a record that was written and the one that is read are one in JSON.
func sameJSON(c *trial[Record], name string, written, read *Record) {
	c.Helper()
	if want, got := jsonOf(c, written), jsonOf(c, read); want != got {
		c.Errorf("%s: the write left\n%s\nand Get returns\n%s", name, want, got)
	}
}

// listedAsRead checks that List and Get return the same.
func listedAsRead(c *trial[Record]) {
	c.Helper()
	for _, listed := range c.list() {
		if want, got := jsonOf(c, c.get(listed.ID)), jsonOf(c, listed); want != got {
			c.Errorf("Get returns\n%s\nand List\n%s", want, got)
		}
	}
}

// jsonOf encodes a record as answers do.
func jsonOf(c *trial[Record], record *Record) string {
	c.Helper()
	compiled, err := model.Compile(reflect.TypeFor[Record]())
	if err != nil {
		c.Fatalf("%v", err)
	}
	typ := &model.Type{Go: compiled.Go, Kind: model.Object, Struct: compiled}
	records, err := codec.Compile(typ)
	if err != nil {
		c.Fatalf("%v", err)
	}
	text, err := records.Encoder(model.ViewsOf(typ, nil).Answer()).Append(nil, record)
	if err != nil {
		c.Fatalf("a record as JSON: %v", err)
	}
	return string(text)
}
