package codec

import (
	"bytes"
	"reflect"
)

// elementScanner scans elements of a list or array.
type elementScanner struct {
	size   uintptr
	value  scanner
	blank  *blank // of the struct that the elements are, or nil
	nested bool   // the elements are structs, lists or maps
}

// scan scans element n, which is zero, of those of which the first has that address.
func (e elementScanner) scan(d *decoding, first address, i, n int) int {
	at := first.plus(uintptr(n) * e.size)
	if e.blank != nil {
		e.blank.begin(at.value(e.blank.goType))
	}
	if !e.nested {
		return e.value(d, at, i)
	}
	d.trail.ToElement(n)
	end := e.value(d, at, i)
	d.trail.Up()
	return end
}

// listScanner scans slices.
// It reserves room by a guess: short lists, which most are, then never grow.
type listScanner struct {
	goType  reflect.Type
	element elementScanner
}

func (l listScanner) scan(d *decoding, at address, i int) int {
	if d.at(i) != '[' || d.trail.Len() >= maxScanDepth {
		return gaveUp
	}
	v := at.value(l.goType)
	i = d.space(i + 1)
	if d.at(i) == ']' {
		// Not nil, which would be written as [] too, but is another value to hooks and stores.
		v.Set(reflect.MakeSlice(l.goType, 0, 0))
		return i + 1
	}
	// A new array in any case: the old one may belong to others, such as a record in memory.
	v.SetZero()
	v.Grow(l.estimate(d.body[i:]))
	for n := 0; ; n++ {
		if n == v.Cap() {
			d.strings.assign() // for elements that will be elsewhere
			v.Grow(1)
		}
		v.SetLen(n + 1)
		first, _ := at.elements()
		if i = l.element.scan(d, first, i, n); i == gaveUp {
			return gaveUp
		}
		i = d.space(i)
		switch d.at(i) {
		case ',':
			i = d.space(i + 1)
		case ']':
			return i + 1
		default:
			return gaveUp
		}
	}
}

// estimate returns about how many elements a list has, from what follows its bracket. It
// is no more than a few: a body could be made to let it be wrong.
func (l listScanner) estimate(text []byte) int {
	const few = 32
	text = text[:max(0, bytes.IndexByte(text, ']'))]
	if l.element.nested {
		return min(few, 1+bytes.Count(text, []byte("},")))
	}
	return min(few, 1+bytes.Count(text, []byte(",")))
}

// arrayScanner scans arrays, which the body must have with all their elements.
type arrayScanner struct {
	goType  reflect.Type
	element elementScanner
}

// An array that has too few or too many elements is for the decoder to tell of.
func (a arrayScanner) scan(d *decoding, at address, i int) int {
	if d.at(i) != '[' || d.trail.Len() >= maxScanDepth {
		return gaveUp
	}
	at.value(a.goType).SetZero()
	i = d.space(i + 1)
	for n := range a.goType.Len() {
		if n > 0 {
			if d.at(i) != ',' {
				return gaveUp
			}
			i = d.space(i + 1)
		}
		if i = a.element.scan(d, at, i, n); i == gaveUp {
			return gaveUp
		}
		i = d.space(i)
	}
	return d.word(i, "]")
}
