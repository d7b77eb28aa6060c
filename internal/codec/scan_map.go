package codec

import "reflect"

// mapScanner scans maps.
type mapScanner struct {
	goType  reflect.Type
	element elementScanner
}

func (m mapScanner) scan(d *decoding, at address, i int, mode Mode) int {
	v := at.value(m.goType)
	if d.at(i) != '{' || d.trail.Len() >= maxScanDepth || mode == Merge && !v.IsNil() {
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
	if m.element.object != nil {
		m.element.object.begin(e.value.Elem())
	}
	d.trail.ToEntry(e.key.String())
	end := m.element.value(d, addressIn(e.value), i, mode)
	d.trail.Up()
	d.texts.assign()
	return end
}
