package codec

import (
	"bytes"
	"reflect"
)

// listScanner scans slices, of elements of the size.
type listScanner struct {
	goType  reflect.Type
	size    uintptr
	element scanner
	object  *object // the struct that the elements are, or nil
	nested  bool    // the elements are structs, lists or maps
}

func (l listScanner) scan(d *decoding, at address, i int, _ Mode) int {
	if d.at(i) != '[' || len(d.path) >= maxScanDepth {
		return gaveUp
	}
	v := at.value(l.goType)
	i = d.space(i + 1)
	if d.at(i) == ']' {
		v.Set(reflect.MakeSlice(l.goType, 0, 0))
		return i + 1
	}
	v.SetZero()
	v.Grow(l.estimate(d.body[i:]))
	for n := 0; ; n++ {
		if n == v.Cap() {
			d.texts.assign() // for elements that will be elsewhere
			v.Grow(1)
		}
		v.SetLen(n + 1)
		if i = l.scanElement(d, at, i, n); i == gaveUp {
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

// scanElement scans element n, which is zero, of the list at the address.
func (l listScanner) scanElement(d *decoding, list address, i, n int) int {
	first, _ := list.elements()
	element := first.plus(uintptr(n) * l.size)
	if l.object != nil {
		l.object.begin(element.value(l.object.goType))
	}
	if !l.nested {
		return l.element(d, element, i, Create)
	}
	d.path = append(d.path, step{index: n})
	end := l.element(d, element, i, Create)
	d.leave()
	return end
}

// estimate returns about how many elements a list has, from what follows its bracket. It
// is no more than a few: a body could be made to let it be wrong.
func (l listScanner) estimate(text []byte) int {
	const few = 32
	text = text[:max(0, bytes.IndexByte(text, ']'))]
	if l.nested {
		return min(few, 1+bytes.Count(text, []byte("},")))
	}
	return min(few, 1+bytes.Count(text, []byte(",")))
}

// mapScanner scans maps.
type mapScanner struct {
	goType  reflect.Type
	element scanner
	object  *object // the struct that the entries are, or nil
}

func (m mapScanner) scan(d *decoding, at address, i int, mode Mode) int {
	v := at.value(m.goType)
	if d.at(i) != '{' || len(d.path) >= maxScanDepth || mode == Merge && !v.IsNil() {
		return gaveUp
	}
	v.Set(reflect.MakeMap(m.goType))
	e := entry{reflect.New(m.goType.Key()).Elem(), reflect.New(m.goType.Elem())}
	i = d.space(i + 1)
	for n := 0; d.at(i) != '}'; n++ {
		if n > 0 {
			if d.at(i) != ',' {
				return gaveUp
			}
			i = d.space(i + 1)
		}
		if i = m.scanEntry(d, e, i, mode.forNew()); i == gaveUp || v.MapIndex(e.key).IsValid() {
			return gaveUp
		}
		v.SetMapIndex(e.key, e.value.Elem())
		i = d.space(i)
	}
	return i + 1
}

// entry is room for a key of a map and for its value, used for one entry after the other.
type entry struct {
	key   reflect.Value
	value reflect.Value // a pointer
}

// scanEntry reads a name and the value behind it.
func (m mapScanner) scanEntry(d *decoding, e entry, i int, mode Mode) int {
	name, i := d.quoted(i)
	if i == gaveUp {
		return gaveUp
	}
	e.key.SetString(string(name))
	i = d.colon(i)
	if i == gaveUp || mode.patches() && d.at(i) == 'n' {
		return gaveUp
	}
	e.value.Elem().SetZero()
	if m.object != nil {
		m.object.begin(e.value.Elem())
	}
	d.path = append(d.path, step{key: e.key.String(), isKey: true})
	end := m.element(d, addressIn(e.value), i, mode)
	d.path[len(d.path)-1] = step{} // lets go of the key
	d.leave()
	d.texts.assign()
	return end
}
