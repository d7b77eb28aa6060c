package codec

import "reflect"

// nullableScanner scans pointers.
type nullableScanner struct {
	goType reflect.Type   // of what it points to
	zero   func() address // a new one
	there  scanner        // of what a merge patch changes; nil for what is always made anew
	made   scanner
	blank  *blank // of its struct, or nil
}

// scan lets the pointer point to a new value. What a merge patch changes is copied: the
// record that the patch is for still has the old one.
func (n nullableScanner) scan(d *decoding, at address, i int) int {
	pointer := as[address](at)
	if d.at(i) == 'n' {
		*pointer = address{}
		return d.word(i, "null")
	}
	old, made := *pointer, n.zero()
	*pointer = made
	if n.there != nil && !old.isNil() {
		made.value(n.goType).Set(old.value(n.goType))
		return n.there(d, made, i)
	}
	if n.blank != nil {
		n.blank.begin(made.value(n.goType))
	}
	return n.made(d, made, i)
}
