package model

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// step is the kind of a segment.
type step uint8

// The kinds of segments.
const (
	ToField   step = iota // of a struct
	ToElement             // of a list or an array
	ToEntry               // of a map
)

// Segment leads from a value to a value inside it.
type Segment struct {
	Kind  step
	Index int    // of an element
	Field *Field // of a struct; nil for an unknown field
	Name  string // the key of an entry, or the name of an unknown field
}

// name returns the name of the segment for responses. Long names from clients are shortened.
func (s *Segment) name() string {
	if s.Field != nil {
		return s.Field.Name
	}
	return Shorten(s.Name, maxName)
}

// Location is the path from a record to a value. The zero value is at the record.
type Location struct{ taken []taken }

// taken is a segment of a location.
type taken struct {
	Segment

	place  *place // in a report, once it was looked up; nil for none
	looked bool
}

func (t *Location) down(s Segment) { t.taken = append(t.taken, taken{Segment: s}) }

// Len returns the number of segments.
func (t *Location) Len() int { return len(t.taken) }

// ToField goes down to a field.
func (t *Location) ToField(f *Field) { t.down(Segment{Kind: ToField, Field: f}) }

// ToUnknown goes down to a field that the struct does not have.
func (t *Location) ToUnknown(name string) { t.down(Segment{Kind: ToField, Name: name}) }

// ToElement goes down to an element.
func (t *Location) ToElement(index int) { t.down(Segment{Kind: ToElement, Index: index}) }

// ToEntry goes down to an entry of a map.
func (t *Location) ToEntry(key string) { t.down(Segment{Kind: ToEntry, Name: key}) }

// Up goes up by a segment.
func (t *Location) Up() { t.taken = t.taken[:len(t.taken)-1] }

// Segments returns a copy of the segments.
func (t *Location) Segments() []Segment {
	segments := make([]Segment, len(t.taken))
	for i := range segments {
		segments[i] = t.taken[i].Segment
	}
	return segments
}

// IsWritable reports whether a view lets clients set the value and everything that contains it. A nil view allows all.
func (t *Location) IsWritable(in *View) bool {
	for i := range t.taken {
		var writable bool
		if in, writable = t.taken[i].into(in); !writable {
			return false
		}
	}
	return true
}

// into returns the view of the segment's value, and whether clients can set it.
func (s *Segment) into(v *View) (inner *View, writable bool) {
	if s.Field == nil || v == nil {
		return v, true
	}
	m := v.Field(s.Field)
	if m == nil {
		return nil, false
	}
	return m.Inner, m.Writable
}

// reusedSegments is the capacity that a cleared location keeps at most.
const reusedSegments = 1 << 6

// Clear resets the location and drops all pointers that it holds.
func (t *Location) Clear() {
	if cap(t.taken) > reusedSegments {
		t.taken = nil
	}
	clear(t.taken[:cap(t.taken)])
	t.taken = t.taken[:0]
}

// String returns the path: "lines[1].count".
func (t *Location) String() string {
	if len(t.taken) == 1 && t.taken[0].Field != nil {
		return t.taken[0].Field.Name
	}
	return render(t.Segments(), appendSegment)
}

// Leaf returns the name of the value in messages: the last field with the brackets after it, "count" or "tags[1]".
func (t *Location) Leaf() string {
	start := len(t.taken) - 1
	for start > 0 && t.taken[start].Kind != ToField {
		start--
	}
	if f := t.taken[start].Field; f != nil && start == len(t.taken)-1 {
		return f.Name
	}
	return render(t.Segments()[start:], appendSegment)
}

const (
	// maxName is the approximate number of bytes of a client's name in a response.
	maxName = 128
	// maxPath is the approximate length of a path in a response, in bytes.
	maxPath = 1 << 10
	// cut marks text that was left out.
	cut = "…"
)

// Shorten cuts the middle of a text that is longer than most bytes, never within a character.
func Shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}
	head, tail := (most-len(cut))/2, len(text)-(most-len(cut))/2
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return text[:head] + cut + text[tail:]
}

// appendSegment appends a segment to a path of JSON names.
func appendSegment(b []byte, s *Segment, first bool) []byte {
	switch {
	case s.Kind == ToElement:
		return append(strconv.AppendInt(append(b, '['), int64(s.Index), 10), ']')
	case s.Kind == ToEntry:
		return append(append(append(b, '['), s.name()...), ']')
	case !first:
		b = append(b, '.')
	}
	return append(b, s.name()...)
}

var escaper = strings.NewReplacer("~", "~0", "/", "~1")

// appendToken appends a segment to a JSON Pointer (RFC 6901).
func appendToken(b []byte, s *Segment, _ bool) []byte {
	b = append(b, '/')
	if s.Kind == ToElement {
		return strconv.AppendInt(b, int64(s.Index), 10)
	}
	return append(b, escaper.Replace(s.name())...)
}

// render writes the segments. If they are too long, it leaves out some in the middle.
func render(segments []Segment, appendOne func(b []byte, s *Segment, first bool) []byte) string {
	var room [256]byte
	b := room[:0]
	for i := range segments {
		if len(b) > maxPath/2 { // go on with as many of the last segments as fit
			last := len(segments)
			for size := 0; last > i && size <= maxPath/2; {
				last--
				size += len(appendOne(nil, &segments[last], false))
			}
			if last > i {
				b = append(b, cut...)
			}
			for j := range segments[last:] {
				b = appendOne(b, &segments[last+j], false)
			}
			break
		}
		b = appendOne(b, &segments[i], i == 0)
	}
	return string(b)
}

// parse reads a path that the user's code returned. A key ends at the first bracket after which the path can continue.
func parse(text string) []Segment {
	var segments []Segment
	for text != "" {
		s := Segment{Kind: ToField}
		if text[0] == '[' {
			s.Kind = ToEntry
		}
		s.Name, text = cutStep(text)
		if n, err := strconv.Atoi(s.Name); s.Kind == ToEntry && err == nil && n >= 0 && strconv.Itoa(n) == s.Name {
			s = Segment{Kind: ToElement, Index: n}
		}
		segments = append(segments, s)
	}
	return segments
}

// cutStep cuts the first name, index or key off a path.
func cutStep(path string) (name, rest string) {
	if path[0] != '[' {
		end := strings.IndexAny(path, ".[")
		if end < 0 {
			return path, ""
		}
		return path[:end], strings.TrimPrefix(path[end:], ".")
	}
	for i := 1; i < len(path); i++ {
		if path[i] != ']' {
			continue
		}
		if rest := path[i+1:]; rest == "" || rest[0] == '.' || rest[0] == '[' {
			return path[1:i], strings.TrimPrefix(rest, ".")
		}
	}
	return path[1:], ""
}
