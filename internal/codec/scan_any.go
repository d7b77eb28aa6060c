package codec

import (
	"reflect"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/internal/view"
)

// raw returns the value at i, where it ends, and whether it may be one: json says for sure.
// Counting brackets without their kinds takes more than JSON, which is fine: what is found is handed
// to a reader that knows all of the grammar.
func (d *decoding) raw(i int) (value []byte, end int) {
	start, open := i, 0
	for ok := true; ok; ok = open > 0 {
		switch d.at(i) {
		case '{', '[':
			open++
			i++
		case '}', ']':
			open--
			i++
		case ',', ':', ' ', '\n', '\r', '\t':
			i++
		default:
			i = d.pass(i)
		}
		if i == gaveUp || open > maxScanDepth {
			return nil, gaveUp
		}
	}
	if value = d.body[start:i]; hasNUL(value) {
		return nil, gaveUp
	}
	return value, i
}

// scanAny returns the scanner of the type any, which gives up where a merge patch changes
// what is there.
func scanAny(patch view.Patch) scanner {
	return func(d *decoding, at address, i int) int {
		into := as[any](at)
		raw, end := d.raw(i)
		if end == gaveUp || patch == view.Merge && *into != nil {
			return gaveUp
		}
		// The same library as everywhere, so that duplicates and UTF-8 are judged alike.
		var value any
		if json.Unmarshal(raw, &value) != nil {
			return gaveUp
		}
		if patch != view.Whole {
			value = mergePatch(nil, value)
		}
		*into = value
		return end
	}
}

// scanCustom returns the scanner of a type that unmarshals itself from JSON. What a method
// leaves behind when it fails goes when the copy is put back.
// The field is set to zero first, since a method may only set what it finds.
func scanCustom(t reflect.Type) scanner {
	return func(d *decoding, at address, i int) int {
		raw, end := d.raw(i)
		v := at.value(t)
		v.SetZero()
		if end == gaveUp || json.Unmarshal(raw, v.Addr().Interface()) != nil {
			return gaveUp
		}
		return end
	}
}
