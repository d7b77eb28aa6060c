package codec

import (
	"reflect"

	"github.com/trove-api/trove/internal/view"
)

// mapScanner scans maps.
// Keys are strings in JSON and here: other types of keys have been refused by the model.
type mapScanner struct {
	goType  reflect.Type
	patch   view.Patch
	element elementScanner // of a new entry
}

// A key that stands twice is a member that stands twice, which is refused; the map itself knows,
// so that no set of names is needed. A merge into a map that is there is too rare to be quick at.
func (m mapScanner) scan(d *decoding, at address, i int) int {
	v := at.value(m.goType)
	if d.at(i) != '{' || d.trail.Len() >= maxScanDepth || m.patch == view.Merge && !v.IsNil() {
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
		if i = m.scanEntry(d, e, i); i == gaveUp || v.MapIndex(e.key).IsValid() {
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
func (m mapScanner) scanEntry(d *decoding, e entry, i int) int {
	name, i := d.quoted(i)
	if i == gaveUp {
		return gaveUp
	}
	e.key.SetString(string(name))
	i = d.colon(i)
	if i == gaveUp || m.patch != view.Whole && d.at(i) == 'n' {
		return gaveUp
	}
	e.value.Elem().SetZero()
	if m.element.blank != nil {
		m.element.blank.begin(e.value.Elem())
	}
	d.trail.ToEntry(e.key.String())
	end := m.element.value(d, addressIn(e.value), i)
	d.trail.Up()
	// The value is copied into the map now: a string that is assigned later would be lost.
	d.strings.assign()
	return end
}
