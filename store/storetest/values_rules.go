package storetest

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// generated is how many values each rule tries.
const generated = 60

func insertKeeps(c *trial[Values]) {
	g, codec := newGenerator(11), codecOf[Values](c)
	for i := range generated {
		given := g.values(i)
		record := codec.Clone(given).(*Values)
		c.insert(record)
		keeps(c, codec, given, record)
	}
}

func updateKeeps(c *trial[Values]) {
	g, codec := newGenerator(13), codecOf[Values](c)
	for i := range generated {
		stored := g.values(i)
		c.insert(stored)
		given := g.values(i)
		given.ID = stored.ID
		var record *Values
		c.transact(func(ctx context.Context, tx store.Tx[Values]) error {
			if i%2 == 0 {
				if _, err := tx.Get(ctx, stored.ID); err != nil {
					return err
				}
			}
			record = codec.Clone(given).(*Values)
			return tx.Update(ctx, stored.ID, record)
		})
		keeps(c, codec, given, record)
	}
}

// keeps checks that what was given is what the write left in the record, and that this is
// what is read.
func keeps(c *trial[Values], codec *codec.Codec, given, record *Values) {
	c.Helper()
	given.ID = record.ID
	settled := cmp.Comparer(func(a, b time.Time) bool { return a.Truncate(time.Microsecond).Equal(b.Truncate(time.Microsecond)) })
	if diff := cmp.Diff(given, record, settled); diff != "" {
		c.Fatalf("the record after the write (-given +left):\n%s", diff)
	}
	read := c.get(record.ID)
	if diff := cmp.Diff(record, read); diff != "" {
		c.Fatalf("Get (-written +read):\n%s", diff)
	}
	want, err := codec.AppendState(nil, record)
	if err != nil {
		c.Fatalf("the record as JSON: %v", err)
	}
	if got, err := codec.AppendState(nil, read); err != nil || string(got) != string(want) {
		c.Fatalf("the write left\n%s\nand Get returns (error %v)\n%s", want, err, got)
	}
}

func refusesWhatCannotBeShown(c *trial[Values]) {
	early, late := time.Date(-1, 12, 31, 23, 59, 59, 0, time.UTC), time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	east := time.FixedZone("", 23*60*60)
	for name, record := range map[string]*Values{
		"a time before the year 0":              {Kinds: Kinds{At: early}},
		"a time after the year 9999":            {Kinds: Kinds{AtMaybe: &late}},
		"a time of the year 10000 in UTC alone": {Kinds: Kinds{At: late.In(time.FixedZone("", -60))}},
		"a time of the year -1 in UTC alone":    {Kinds: Kinds{At: time.Date(0, 1, 1, 0, 0, 0, 0, east)}},
		"a time in an object":                   {Inner: Kinds{At: late}},
		"a time in a list":                      {Many: []Kinds{{At: late}}},
		"a time in a map":                       {Named: map[string]Kinds{"a": {AtMaybe: &late}}},
		"what is no number":                     {Kinds: Kinds{Double: new(math.NaN())}},
		"infinity":                              {Kinds: Kinds{Single: float32(math.Inf(1))}},
		"a large integer without a sign":        {Kinds: Kinds{Unsigned: math.MaxInt64 + 1}},
	} {
		if err := c.store.Transact(c.ctx, inserting(record)); err == nil {
			c.Errorf("%s is inserted", name)
		}
		sound := &Values{Label: name}
		c.insert(sound)
		record.Label, record.ID = name, sound.ID
		if err := c.store.Transact(c.ctx, func(ctx context.Context, tx store.Tx[Values]) error { return tx.Update(ctx, sound.ID, record) }); err == nil {
			c.Errorf("%s is updated", name)
		}
		c.remove(sound.ID)
	}
	c.holds([]*Values{}...)
}

func keepsTheLongest(c *trial[Values]) {
	g := newGenerator(17)
	longest := &Values{Label: g.long(400)}
	c.insert(longest)
	if got := c.get(longest.ID); got.Label != longest.Label {
		c.Errorf("400 characters came back as %d bytes", len(got.Label))
	}
	if page, err := c.store.List(c.ctx, where("label", store.Equal, longest.Label)); err != nil || len(page.Items) != 1 {
		c.Errorf("by 400 characters: %d records, %v", len(page.Items), err)
	}
	if err := c.store.Transact(c.ctx, inserting(&Values{Label: g.long(401)})); err == nil {
		c.Errorf("401 characters are inserted")
	}
	if got := c.list(); len(got) != 1 {
		c.Errorf("%d records are saved, want 1", len(got))
	}
}

func findsWhatIsHidden(c *trial[Values]) {
	for i := range 5 {
		c.insert(&Values{Label: strconv.Itoa(i), Token: new("token " + strconv.Itoa(i))})
	}
	for _, query := range []store.Query{
		where("token", store.Equal, "token 3"),
		{Where: append(where("token", store.Equal, "token 3", "token 9").Where, where("label", store.Equal, "3").Where...), Limit: 1, Count: true},
	} {
		page, err := c.store.List(c.ctx, query)
		if err != nil || len(page.Items) != 1 || page.Items[0].Label != "3" {
			c.Errorf("List of %+v: %d records, %v, want that of the token", query, len(page.Items), err)
		}
	}
	if page, err := c.store.List(c.ctx, where("token", store.Equal, "token")); err != nil || len(page.Items) != 0 {
		c.Errorf("List of a token that is none: %d records, %v", len(page.Items), err)
	}
}

func keysAreUnique(c *trial[Values]) {
	first, second := &Values{Label: "1", Price: new(Decimal("1.0"))}, &Values{Label: "2", Price: new(Decimal("10"))}
	c.insert(first)
	c.insert(second)
	c.insert(&Values{Label: "3"})
	c.insert(&Values{Label: "4"})
	taken := store.UniqueError{Field: "price"}
	if err := c.store.Transact(c.ctx, inserting(&Values{Label: "5", Price: new(Decimal("1.00"))})); !errors.Is(err, taken) {
		c.Errorf("1.00 beside 1.0: %v, want %v", err, taken)
	}
	price := func(to Decimal) error {
		return c.store.Transact(c.ctx, func(ctx context.Context, tx store.Tx[Values]) error {
			record, err := tx.Get(ctx, first.ID)
			if err == nil {
				record.Price = &to
				err = tx.Update(ctx, first.ID, record)
			}
			return err
		})
	}
	if err := price("1e1"); !errors.Is(err, taken) {
		c.Errorf("1e1 beside 10: %v, want %v", err, taken)
	}
	if err := price("1.000"); err != nil {
		c.Errorf("1.000 in place of 1.0: %v", err)
	}
	if read := c.get(first.ID); read.Price == nil || *read.Price != "1.000" {
		c.Errorf("1.000 is read as %v", read.Price)
	}
}

// codecOf makes the codec of a record, by which answers are written.
func codecOf[R any](c *trial[R]) *codec.Codec {
	c.Helper()
	compiled, err := model.Compile(reflect.TypeFor[R]())
	if err != nil {
		c.Fatalf("%v", err)
	}
	made, err := codec.Compile(&model.Type{Go: compiled.Go, Kind: model.Object, Struct: compiled})
	if err != nil {
		c.Fatalf("%v", err)
	}
	return made
}

// long returns a text of so many characters of four bytes each, which cannot be compressed.
func (g *generator) long(n int) string {
	var text strings.Builder
	for range n {
		text.WriteRune(rune(0x10000 + g.IntN(0xf0000)))
	}
	return text.String()
}
