package model

// place is a value in a body about which something is known. It points to the place that contains it, so that long
// paths share their beginnings.
type place struct {
	segment Segment
	above   *place // nil for the body itself
	next    *place // the one inside the same value that was added before

	last   *place             // the one inside that was added last
	inside int                // how many are inside
	index  map[Segment]*place // by Segment.key; nil if few are inside

	own, below mark // of the value, and of what is inside
}

// mark is what is known about a value, one bit for each.
type mark uint8

const (
	reported mark = 1 << iota // it has a violation
	explicit                  // the body has it with an empty value
)

// key returns what is the same for segments to one place: a field may be known by its name alone.
func (s *Segment) key() Segment {
	if s.Field != nil {
		return Segment{Kind: ToField, Name: s.Field.Name}
	}
	return *s
}

// fewInside is the number of places that are compared one by one.
const fewInside = 8

// find returns the place one segment down, or nil.
func (p *place) find(s *Segment) *place {
	if p.index != nil {
		return p.index[s.key()]
	}
	for inner := p.last; inner != nil; inner = inner.next {
		if other := &inner.segment; s.Field != nil && s.Field == other.Field || s.key() == other.key() {
			return inner
		}
	}
	return nil
}

// add adds a place one segment down.
func (p *place) add(made *place) {
	made.above, made.next = p, p.last
	p.last = made
	if p.inside++; p.inside <= fewInside {
		return
	}
	if p.index == nil {
		p.index = map[Segment]*place{}
		for inner := made.next; inner != nil; inner = inner.next {
			p.index[inner.segment.key()] = inner
		}
	}
	p.index[made.segment.key()] = made
}

// mark notes what is known about the value.
func (p *place) mark(m mark) {
	p.own |= m
	for above := p.above; above != nil && above.below&m == 0; above = above.above {
		above.below |= m
	}
}

// isReported reports whether there is a violation of the value or of something that contains it.
func (p *place) isReported() bool {
	for ; p != nil; p = p.above {
		if p.own&reported != 0 {
			return true
		}
	}
	return false
}

// segments returns the path of the place.
func (p *place) segments() []Segment {
	n := 0
	for at := p; at.above != nil; at = at.above {
		n++
	}
	list := make([]Segment, n)
	for at := p; at.above != nil; at = at.above {
		n--
		list[n] = at.segment
	}
	return list
}

// into returns the view of the value, and whether clients can set it.
func (p *place) into(v *View) (inner *View, writable bool) {
	if p == nil || p.above == nil {
		return v, true
	}
	if inner, writable = p.above.into(v); !writable {
		return nil, false
	}
	return p.segment.into(inner)
}

// Top returns the field of the record that is or contains the value, nil for none. If the body is a list, each of its
// elements is a record.
func (p *place) Top() *Field {
	for at := p; at != nil && at.above != nil; at = at.above {
		if in := at.above; in.above == nil || in.above.above == nil && in.segment.Kind == ToElement {
			return at.segment.Field
		}
	}
	return nil
}
