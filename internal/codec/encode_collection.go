package codec

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// encodeList returns the encoder of a slice or array.
func encodeList(element encoder) encoder {
	return func(b []byte, v reflect.Value, depth int) ([]byte, error) {
		if depth >= maxDepth {
			return b, errTooDeep
		}
		b = append(b, '[')
		var err error
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			if b, err = element(b, v.Index(i), depth+1); err != nil {
				return b, within("["+strconv.Itoa(i)+"]", err)
			}
		}
		return append(b, ']'), nil
	}
}

// encodeMap returns the encoder of a map. Its entries are in the order of their keys.
func encodeMap(value encoder) encoder {
	return func(b []byte, v reflect.Value, depth int) ([]byte, error) {
		if depth >= maxDepth {
			return b, errTooDeep
		}
		keys := v.MapKeys()
		slices.SortFunc(keys, func(x, y reflect.Value) int { return cmp.Compare(x.String(), y.String()) })
		at := reflect.New(v.Type().Elem()).Elem()
		b = append(b, '{')
		var err error
		for i, key := range keys {
			if i > 0 {
				b = append(b, ',')
			}
			if b, err = jsontext.AppendQuote(b, key.String()); err != nil {
				return b, within("a key", err)
			}
			at.Set(v.MapIndex(key))
			if b, err = value(append(b, ':'), at, depth+1); err != nil {
				return b, within("["+key.String()+"]", err)
			}
		}
		return append(b, '}'), nil
	}
}
