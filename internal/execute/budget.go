package execute

import (
	"context"
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/compiled"
)

// collect notes the keys that records of a resource have in the field, and counts how often the response embeds their
// records. Times has how often it embeds each record itself; nil is once.
// The count comes first: a page whose records list one another would embed each of them thousands of times, and these
// must be neither loaded nor written. Keys that the caller may not see are not counted, because an error would reveal
// how many there are.
func (c *Call) collect(ctx context.Context, e *Embedded, of *compiled.Resource, records []any, times []int) error {
	e.keys.begin(e.Field.Reference)
	e.keys.boxed = slices.Grow(e.keys.boxed, len(records))
	weight, limit := 1, c.Operation.API.MaxEmbedded
	note := func(number int64, other reflect.Value) {
		known := len(e.keys.boxed)
		place := e.keys.note(number, other)
		if place < known && c.EmbedsOnce {
			return
		}
		c.embeds += weight
		if e.Expansion.Inner == nil || c.EmbedsOnce {
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
		hidden, err := c.hiddenIn(ctx, of, record)
		if err != nil {
			return err
		}
		if hidden == 0 || !of.Gate.IsHidden(hidden, e.Field.Name) {
			e.eachKey(record, note)
		}
		if c.embeds > limit {
			return TooMuchEmbedded(int64(limit), "embedded records")
		}
	}
	return nil
}

// found returns the records of an expansion that exist and that the caller may see, and how often the response embeds
// each of them.
func (e *Embedded) found() (records []any, times []int) {
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
