package codec

import "reflect"

// nullableScanner scans pointers.
type nullableScanner struct {
	goType reflect.Type   // of what it points to
	zero   func() address // a new one
	base   scanner
	object *object // its struct, or nil
}

// scan lets the pointer point to a new value. What a merge patch changes is copied: the
// record that the patch is for still has the old one.
func (n nullableScanner) scan(d *decoding, at address, i int, mode Mode) int {
	pointer := as[address](at)
	if d.at(i) == 'n' {
		*pointer = address{}
		return d.word(i, "null")
	}
	old, made := *pointer, n.zero()
	switch {
	case mode == Merge && !old.isNil():
		made.value(n.goType).Set(old.value(n.goType))
	case n.object != nil:
		n.object.begin(made.value(n.goType))
		fallthrough
	default:
		mode = mode.forNew()
	}
	*pointer = made
	return n.base(d, made, i, mode)
}
