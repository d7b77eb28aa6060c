package model

// Step is what a segment leads into.
type Step uint8

// The kinds of segments.
const (
	ToMember  Step = iota // of a struct
	ToElement             // of a list or an array
	ToEntry               // of a map
)

// Segment leads from a value to one inside.
type Segment struct {
	Kind  Step
	Index int    // of an element
	Field *Field // of a member; nil for one that the struct does not have
	Name  string // an entry's key, or the name of a member without a field
}

// name returns what the segment is called in an answer, cut where a client made it long.
func (s *Segment) name() string {
	if s.Field != nil {
		return s.Field.Name
	}
	return Shorten(s.Name, maxName)
}

// Trail leads from a record to the value that is looked at. The zero value is at the record.
type Trail struct {
	// The first segments have room of their own: a trail that is only handed down takes no
	// memory, as one with a slice would.
	few  [fewSegments]taken
	more []taken
	n    int
}

const fewSegments = 6

// taken is a segment of a trail.
type taken struct {
	Segment

	place  *Place // of a report, once it was looked for; nil for none
	looked bool
}

// at returns a segment, counted from 0.
func (t *Trail) at(i int) *taken {
	if i < fewSegments {
		return &t.few[i]
	}
	return &t.more[i-fewSegments]
}

func (t *Trail) down(s Segment) {
	if t.n >= fewSegments {
		t.more = append(t.more[:t.n-fewSegments], taken{Segment: s})
	} else {
		t.few[t.n] = taken{Segment: s}
	}
	t.n++
}

// Len returns how many segments the value is away from the record.
func (t *Trail) Len() int { return t.n }

// ToMember goes down to a member with a field.
func (t *Trail) ToMember(f *Field) { t.down(Segment{Kind: ToMember, Field: f}) }

// ToUnknown goes down to a member that the struct does not have.
func (t *Trail) ToUnknown(name string) { t.down(Segment{Kind: ToMember, Name: name}) }

// ToElement goes down to an element.
func (t *Trail) ToElement(index int) { t.down(Segment{Kind: ToElement, Index: index}) }

// ToEntry goes down to an entry of a map.
func (t *Trail) ToEntry(key string) { t.down(Segment{Kind: ToEntry, Name: key}) }

// Up goes up by a segment.
func (t *Trail) Up() { t.n-- }

// NextMember goes from a member to another one of the same struct.
func (t *Trail) NextMember(f *Field) {
	s := t.at(t.n - 1)
	s.Field, s.place, s.looked = f, nil, false
}

// NextElement goes from an element to another one of the same list.
func (t *Trail) NextElement(index int) {
	s := t.at(t.n - 1)
	s.Index, s.place, s.looked = index, nil, false
}

// NextEntry goes from an entry to another one of the same map.
func (t *Trail) NextEntry(key string) {
	s := t.at(t.n - 1)
	s.Name, s.place, s.looked = key, nil, false
}

// Go goes to the end of those segments, which begin at the record.
func (t *Trail) Go(segments []Segment) {
	t.n = 0
	t.Further(segments)
}

// Further goes down by those segments.
func (t *Trail) Further(segments []Segment) {
	for _, s := range segments {
		t.down(s)
	}
}

// Segments returns a copy of the segments.
func (t *Trail) Segments() []Segment {
	segments := make([]Segment, t.n)
	for i := range segments {
		segments[i] = t.at(i).Segment
	}
	return segments
}

// IsWritable reports whether a view lets clients set the value, and all that it is in. That
// of nil lets them set everything.
func (t *Trail) IsWritable(in *View) bool {
	for i := range t.n {
		var writable bool
		if in, writable = t.at(i).into(in); !writable {
			return false
		}
	}
	return true
}

// into returns the view of what is at the segment, and whether clients set that.
func (s *Segment) into(v *View) (inner *View, writable bool) {
	if s.Field == nil || v == nil {
		return v, true
	}
	m := v.Member(s.Field)
	if m == nil {
		return nil, false
	}
	return m.Inner, m.Writable
}

// keptSegments is how many segments a cleared trail has room for at most.
const keptSegments = 1 << 6

// Clear lets go of all that the trail has led through.
func (t *Trail) Clear() {
	clear(t.few[:])
	if t.n = 0; cap(t.more) > keptSegments {
		t.more = nil
	}
	clear(t.more[:cap(t.more)])
}

// String returns the text of the path: "lines[1].count".
func (t *Trail) String() string {
	if t.n == 1 && t.few[0].Field != nil {
		return t.few[0].Field.Name
	}
	return render(t.Segments(), appendSegment)
}

// Leaf returns what a message calls the value: the last member with the brackets behind it,
// "count" or "tags[1]".
func (t *Trail) Leaf() string {
	start := t.n - 1
	for start > 0 && t.at(start).Kind != ToMember {
		start--
	}
	if f := t.at(start).Field; f != nil && start == t.n-1 {
		return f.Name
	}
	return render(t.Segments()[start:], appendSegment)
}
