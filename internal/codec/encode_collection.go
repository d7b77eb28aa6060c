package codec

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
)

// encodeSlice returns the encoder of a slice of elements of that type.
func encodeSlice(t reflect.Type, element encoder) encoder {
	size := t.Size()
	return func(b []byte, at address, depth int) ([]byte, error) {
		first, count := at.elements()
		return appendElements(b, run{first, count, size}, element, depth)
	}
}

// encodeArray returns the encoder of an array of so many elements of that type.
func encodeArray(t reflect.Type, count int, element encoder) encoder {
	size := t.Size()
	return func(b []byte, at address, depth int) ([]byte, error) {
		return appendElements(b, run{at, count, size}, element, depth)
	}
}

// run is a row of elements in memory, each of the size.
// Slices and arrays are alike from here on: elements of one size, one behind the other.
type run struct {
	first address
	count int
	size  uintptr
}

// An error gets the index put before it on the way up, so that no path is kept while nothing is
// wrong.
func appendElements(b []byte, r run, element encoder, depth int) ([]byte, error) {
	if depth >= maxDepth {
		return b, errTooDeep
	}
	b = append(b, '[')
	var err error
	for i := range r.count {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = element(b, r.first.plus(uintptr(i)*r.size), depth+1); err != nil {
			return b, within("["+strconv.Itoa(i)+"]", err)
		}
	}
	return append(b, ']'), nil
}

// encodeMap returns the encoder of a map. Its entries are in the order of their keys.
func encodeMap(t reflect.Type, value encoder) encoder {
	return func(b []byte, at address, depth int) ([]byte, error) {
		if depth >= maxDepth {
			return b, errTooDeep
		}
		entries := at.value(t)
		// Sorted, for the tag of an answer is a hash of its bytes: maps in the order of Go would give one
		// state another tag each time.
		keys := entries.MapKeys()
		slices.SortFunc(keys, func(x, y reflect.Value) int { return cmp.Compare(x.String(), y.String()) })
		// One for all entries: they have no address, by which plans go.
		entry := reflect.New(t.Elem())
		b = append(b, '{')
		var err error
		for i, key := range keys {
			if i > 0 {
				b = append(b, ',')
			}
			if b, err = appendText(append(b, '"'), key.String()); err != nil {
				return b, within("a key", err)
			}
			entry.Elem().Set(entries.MapIndex(key))
			if b, err = value(append(b, ':'), addressIn(entry), depth+1); err != nil {
				return b, within("["+key.String()+"]", err)
			}
		}
		return append(b, '}'), nil
	}
}
