package serve

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// expanded has the records behind one reference, for responses that embed them. It finds them by key, so that a record that
// several others reference is loaded once.
type expanded struct {
	*compiled.Expansion

	Inner []*expanded            // what these records reference
	views map[any]*codec.Encoder // of records with fields that the caller may not see
	shown map[any]completed      // of records with computed fields, as far as requested

	keys     keys
	times    []int // how often the response embeds the record of each key; empty if nothing depends on it
	records  []any // one for each key, nil for none that the caller sees
	referred []any // what Referred has returned last
}

// completed is a record with its computed fields.
type completed struct {
	shown any
	err   error
}

// view returns the value to show for an embedded record, and the encoder of the fields that the caller may see.
// Fields are computed once for each record.
func (e *expanded) view(ctx context.Context, record any) (*codec.Encoder, any, error) {
	encoder := e.Shown.Encoder
	if e.views != nil { // because a lookup in a nil map would still hash the record
		if narrowed := e.views[record]; narrowed != nil {
			encoder = narrowed
		}
	}
	if !e.Computes {
		return encoder, record, nil
	}
	made, known := e.shown[record]
	if !known {
		made.shown, made.err = compute(ctx, e.Resource, record, encoder)
		if e.shown == nil {
			e.shown = map[any]completed{}
		}
		e.shown[record] = made
	}
	return encoder, made.shown, made.err
}

// recordsOf returns the records that a record references: one for each key, in order, nil for one that is missing or that the
// caller may not see. It returns nil if the reference is null or hidden. The next call reuses the list.
func (e *expanded) recordsOf(ctx context.Context, caller *authz.Caller, of *compiled.Resource, record any) ([]any, error) {
	if e.Nested != nil {
		return e.records, nil
	}
	if hidden, err := isHidden(ctx, caller, of, e.Field, record); hidden || err != nil {
		return nil, err
	}
	if e.referred == nil {
		e.referred = make([]any, 0, 8)
	}
	e.referred = e.referred[:0]
	e.eachKey(record, func(number int64, other reflect.Value) {
		var found any
		if place, known := e.keys.find(number, other); known {
			found = e.records[place]
		}
		e.referred = append(e.referred, found)
	})
	if len(e.referred) == 0 && !e.Field.Reference.Many {
		return nil, nil
	}
	return e.referred, nil
}

// embed loads what the record, or the records of a page, reference.
func embed(ctx context.Context, c *call) (err error) {
	records := []any{c.record}
	if c.items != nil {
		memory := c.queries()
		memory.records = slices.Grow(memory.records[:0], c.items.Len())
		for i := range c.items.Len() {
			memory.records = append(memory.records, c.items.At(i))
		}
		records = memory.records
	}
	c.embedCount = 0
	c.embedded, err = c.expand(ctx, c.op.Expansions, c.op.Resource, records, nil)
	return err
}

// expand loads what the records of a resource reference, with one query for each requested reference. Times has how often
// the response embeds each record; nil means once.
func (c *call) expand(ctx context.Context, paths []*compiled.Expansion, of *compiled.Resource, records []any, times []int) ([]*expanded, error) {
	var list []*expanded
	for _, path := range paths {
		// "order.customer" also embeds the order, because the customer is within it.
		isRequested := func(name string) bool { return name == path.Path || strings.HasPrefix(name, path.Path+".") }
		if !path.Always && !slices.ContainsFunc(c.values.Expand, isRequested) {
			continue
		}
		e := c.queries().embedded(path)
		err := e.load(ctx, c, of, records, times)
		if err != nil {
			return nil, err
		}
		if path.Nested != nil && e.records == nil {
			continue
		}
		if path.Inner != nil || path.Resource.Gate.Hides() {
			found, often := e.found()
			if err := e.hide(ctx, c, found); err != nil {
				return nil, err
			}
			if e.Inner, err = c.expand(ctx, path.Inner, path.Resource, found, often); err != nil {
				return nil, err
			}
		}
		list = append(list, e)
	}
	return list, nil
}

// load loads what records reference, or the list of the only record, unless it is longer than bodies may have it.
func (e *expanded) load(ctx context.Context, c *call, of *compiled.Resource, records []any, times []int) (err error) {
	if e.Nested != nil {
		most := c.op.API.MaxNested
		if e.records, err = c.children(ctx, e.Nested, of.ID.Of(records[0]), store.Query{Limit: most + 1}); len(e.records) > most {
			e.records = nil
		}
		return err
	}
	if err = c.collect(ctx, e, of, records, times); err == nil {
		e.records, err = findVisible(ctx, &c.caller, e.Resource, e.keys.boxed, e.records)
	}
	return err
}

// collect collects the keys that records have in the field, and counts how often the response embeds each record. It counts
// before anything is loaded, because a page whose records list one another could embed each of them thousands of times. It
// skips keys that the caller may not see, because an error would reveal how many there are.
func (c *call) collect(ctx context.Context, e *expanded, of *compiled.Resource, records []any, times []int) error {
	e.keys.begin(e.Field.Reference, len(records))
	weight, limit := 1, c.op.API.MaxEmbedded
	note := func(number int64, other reflect.Value) {
		known := len(e.keys.boxed)
		place := e.keys.note(number, other)
		if place < known && c.format.EmbedsOnce {
			return
		}
		c.embedCount += weight
		if e.Expansion.Inner == nil || c.format.EmbedsOnce {
			return
		}
		if place == known {
			e.times = append(e.times, 0)
		}
		e.times[place] += weight
	}
	for i, record := range records {
		if times != nil {
			weight = times[i]
		}
		hidden, err := isHidden(ctx, &c.caller, of, e.Field, record)
		if err != nil {
			return err
		}
		if hidden {
			continue
		}
		e.eachKey(record, note)
		if c.embedCount > limit {
			return tooMuchEmbedded(int64(limit), "embedded records")
		}
	}
	return nil
}

// found returns the records of an expansion that exist and that the caller may see, and how often the response embeds
// each of them.
func (e *expanded) found() (records []any, times []int) {
	for place, record := range e.records {
		if record == nil {
			continue
		}
		records = append(records, record)
		if len(e.times) > 0 {
			times = append(times, e.times[place])
		}
	}
	return records, times
}

// hide sets the encoders of records with fields that the caller may not see. Records that hide the same fields share one.
func (e *expanded) hide(ctx context.Context, c *call, records []any) error {
	if !e.Resource.Gate.Hides() {
		return nil
	}
	if err := e.Resource.Gate.Load(ctx, &c.caller, records); err != nil {
		return err
	}
	bySet := map[authz.Set]*codec.Encoder{}
	for _, record := range records {
		hidden, err := e.Resource.Gate.Hidden(ctx, &c.caller, record)
		if err != nil {
			return err
		}
		if hidden == 0 {
			continue
		}
		if bySet[hidden] == nil {
			bySet[hidden] = narrow(e.Resource, e.Shown, hidden, nil)
		}
		if e.views == nil {
			e.views = map[any]*codec.Encoder{}
		}
		e.views[record] = bySet[hidden]
	}
	return nil
}

// queryMemory is memory that calls reuse. Without it, short-lived objects of each page would be most of the cost of an
// expansion.
type queryMemory struct {
	records []any       // of a page
	made    []*expanded // those of the call, followed by unused ones of earlier calls
	used    int         // how many the call uses
}

// queries returns the memory for queries and expansions.
func (c *call) queries() *queryMemory {
	if c.buffers.queries == nil {
		c.buffers.queries = new(queryMemory)
	}
	return c.buffers.queries
}

// Limits of the memory that is kept: the number of expansions, and of records of each.
const (
	keptExpansions = 8
	keptRecords    = 256
)

// embedded returns an empty expansion.
func (q *queryMemory) embedded(of *compiled.Expansion) *expanded {
	if q.used == len(q.made) {
		q.made = append(q.made, new(expanded))
	}
	e := q.made[q.used]
	e.Expansion = of
	q.used++
	return e
}

// clear removes all records. Call it after the response has been sent.
func (q *queryMemory) clear() {
	q.records = emptied(q.records)
	for _, e := range q.made[:q.used] {
		// A store may keep the list of identifiers, unless it declares that it does not.
		e.keys.clear(e.Resource.Store.Forgets())
		*e = expanded{keys: e.keys, times: e.times[:0], records: emptied(e.records), referred: emptied(e.referred)}
	}
	if q.used = 0; len(q.made) > keptExpansions {
		q.made = nil
	}
}

// emptied clears a list, and returns it empty; nil for a long one, so that its memory is freed.
func emptied(list []any) []any {
	if cap(list) > keptRecords {
		return nil
	}
	clear(list[:cap(list)])
	return list[:0]
}

// keys are the distinct keys that records have in a reference, in the order in which they were found.
type keys struct {
	boxed   []any         // for stores
	numbers map[int64]int // the indexes of integers; nil for other keys
	others  map[any]int   // the indexes of other keys; nil for integers
}

// begin prepares the empty keys for a reference of n records.
func (k *keys) begin(of *model.Reference, n int) {
	k.boxed = slices.Grow(k.boxed, n)
	if of.Key.Kind != model.Int {
		k.others = map[any]int{}
	} else if k.numbers == nil {
		k.numbers = map[int64]int{}
	}
}

// clear removes all keys. It keeps the memory of a page, but the list of boxed keys only if keepsBoxed is set.
func (k *keys) clear(keepsBoxed bool) {
	if !keepsBoxed {
		k.boxed = nil
	}
	if k.others = nil; len(k.numbers) > keptRecords {
		k.numbers = nil
	}
	k.boxed = emptied(k.boxed)
	clear(k.numbers)
}

// find returns the index of a key, which is a number or else another value, and whether it is known.
func (k *keys) find(number int64, other reflect.Value) (place int, known bool) {
	if k.others != nil {
		place, known = k.others[other.Interface()]
	} else {
		place, known = k.numbers[number]
	}
	return place, known
}

// note adds a number, or else another value, unless it is known, and returns its index. A number of another type than
// int64 also comes as a value.
func (k *keys) note(number int64, other reflect.Value) int {
	place, known := k.find(number, other)
	if known {
		return place
	}
	place = len(k.boxed)
	if other.IsValid() {
		k.boxed = append(k.boxed, other.Interface())
	} else {
		k.boxed = append(k.boxed, number)
	}
	if k.others != nil {
		k.others[k.boxed[place]] = place
	} else {
		k.numbers[number] = place
	}
	return place
}

// eachKey yields the keys that a record has in the field: a number, with its value if its type is not int64, or else only
// a value.
func (e *expanded) eachKey(record any, yield func(number int64, other reflect.Value)) {
	found := e.Field.Value(reflect.ValueOf(record).Elem())
	switch at := found.Addr().Interface().(type) { // the types of most keys, read without more reflection
	case *int64:
		yield(*at, reflect.Value{})
		return
	case *[]int64:
		for _, number := range *at {
			yield(number, reflect.Value{})
		}
		return
	}
	one := func(key reflect.Value) {
		of, number := e.Field.Reference.Key, int64(0)
		if of.Kind == model.Int {
			number = key.Int()
		}
		if of.Kind == model.Key { // as in stores
			key = reflect.ValueOf(of.KeyIn(key))
		}
		yield(number, key)
	}
	switch {
	case e.Field.Reference.Many:
		for i := range found.Len() {
			one(found.Index(i))
		}
	case !e.Field.Type.Nullable:
		one(found)
	case !found.IsNil():
		one(found.Elem())
	}
}
