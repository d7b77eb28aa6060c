package codec

import "reflect"

// scanner is the quick plan by which values of one type are decoded. It reads the JSON
// value that begins at body[i] onto what stands at the address, and returns where the
// value ends; see gaveUp.
//
// A scanner knows well-formed bodies whose values all fit. It gives up on anything else,
// and on what is too rare to be worth its while: then the decoder reads the body from its
// beginning. So the decoder alone says what is wrong with a body, and the scanner alone
// has to be quick. What both take they take alike, which a test by chance holds.
type scanner func(d *decoding, at address, i int) (end int)

const (
	// gaveUp is where a value ends that a scanner does not know.
	gaveUp = -1
	// maxScanDepth is how many structs, lists and maps a scanner is in at most.
	maxScanDepth = 64
)

// scan decodes the body by the scanner, and reports whether it could: if not, the
// record is as it was. A copy of it is kept meanwhile, which shares with it what is behind
// pointers, lists and maps; the scanner changes nothing there, but makes new ones.
func (c *Decoder) scan(d *decoding, body []byte, into reflect.Value) bool {
	scan := c.plan().scanner
	if scan == nil || into.Type() != c.codec.pointer || into.IsNil() {
		return false
	}
	// The room of the copy is kept with the decoding: a new one for each body would be an allocation
	// of the record's size. It is emptied at the end, for it refers to what the record refers to.
	if !d.before.IsValid() {
		d.before = reflect.New(c.codec.goType)
	}
	before := d.before.Elem()
	before.Set(into.Elem())
	d.findings, d.body = findings{}, body
	end := scan(d, addressIn(into), d.space(0))
	// Whatever stands behind the object, the decoder tells of it: also a second object, or a comma.
	ok := end != gaveUp && d.space(end) == len(body)
	if ok {
		d.strings.assign()
	} else {
		into.Elem().Set(before)
	}
	before.SetZero()
	d.endScan()
	return ok
}

// endScan lets go of everything that belongs to the body, but for the report.
func (d *decoding) endScan() {
	d.strings.drop()
	d.body = nil
	d.trail.Clear()
	if cap(d.scratch) > keptRoom {
		d.scratch = nil
	}
}

// giveUp is the scanner of types that no scanner knows.
func giveUp(*decoding, address, int) int { return gaveUp }

// at returns the byte of the body at i, 0 behind its end.
// The 0 is safe as a sign for the end: no JSON has that byte outside of strings, and none may have
// it in them. So callers compare with the byte that they want, and need no bounds of their own.
func (d *decoding) at(i int) byte {
	if i < len(d.body) {
		return d.body[i]
	}
	return 0
}

// space returns where the white space at i ends.
func (d *decoding) space(i int) int {
	for i < len(d.body) && d.body[i] <= ' ' && isSpace(d.body[i]) {
		i++
	}
	return i
}

// RFC 8259, section 2, has these four and no others; Unicode's spaces are no JSON.
func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// word returns where the word at i ends.
// A comparison of strings that are converted for it alone does not allocate.
func (d *decoding) word(i int, word string) int {
	if end := i + len(word); end <= len(d.body) && string(d.body[i:end]) == word {
		return end
	}
	return gaveUp
}

// pass passes over a value that is no list and no object.
func (d *decoding) pass(i int) int {
	switch d.at(i) {
	case '"':
		_, end := d.quoted(i)
		return end
	case 't':
		return d.word(i, "true")
	case 'f':
		return d.word(i, "false")
	case 'n':
		return d.word(i, "null")
	}
	return d.numeral(i)
}
