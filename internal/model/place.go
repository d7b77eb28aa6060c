package model

// place is a value in a body about which something is known. It points to the place that contains it, so that long
// paths share their beginnings.
type place struct {
	segment Segment
	above   *place // nil for the body itself
	next    *place // the next one in the same value

	first   *place // the first one inside: elements sorted by index, all others in the order of the body
	near    *place // the last one inside; among elements the one found last
	entries map[string]*place
	count   uint32

	reported, reportedBelow bool // it has a violation, or something inside has one
	explicit, explicitBelow bool // the body has it with an empty value, or something inside
}

// fewEntries is the number of map entries that are compared one by one.
const fewEntries = 8

// find returns the place one segment down, or nil.
func (p *place) find(s *Segment) *place {
	if s.Kind == ToElement {
		if found := p.before(s.Index + 1); found != nil && found.segment.Kind == ToElement && found.segment.Index == s.Index {
			return found
		}
		return nil
	}
	if s.Kind == ToEntry && p.entries != nil {
		return p.entries[s.Name]
	}
	for inner := p.first; inner != nil; inner = inner.next {
		if inner.segment.isSame(s) {
			return inner
		}
	}
	return nil
}

func (s *Segment) isSame(other *Segment) bool {
	switch {
	case s.Kind != other.Kind:
		return false
	case s.Field != nil && other.Field != nil:
		return s.Field == other.Field
	case s.Field != nil:
		return s.Field.Name == other.Name
	case other.Field != nil:
		return s.Name == other.Field.Name
	}
	return s.Name == other.Name
}

// before returns the last element with a smaller index, or nil. It starts at the element found last, because elements
// are usually visited in order.
func (p *place) before(index int) *place {
	at, next := p.near, p.first
	if at == nil || at.segment.Kind != ToElement || at.segment.Index >= index {
		at = nil
	} else {
		next = at.next
	}
	for ; next != nil && next.segment.Index < index; next = next.next {
		at = next
	}
	if at != nil {
		p.near = at
	}
	return at
}

// add adds a place one segment down.
func (p *place) add(made *place) {
	made.above = p
	p.count++
	if made.segment.Kind == ToElement {
		p.insert(made)
		return
	}
	if at := p.near; at == nil {
		p.first = made
	} else {
		for at.next != nil {
			at = at.next
		}
		at.next = made
	}
	p.near = made
	if made.segment.Kind != ToEntry || p.count <= fewEntries {
		return
	}
	if p.entries != nil {
		p.entries[made.segment.Name] = made
		return
	}
	p.entries = map[string]*place{}
	for inner := p.first; inner != nil; inner = inner.next {
		if inner.segment.Kind == ToEntry {
			p.entries[inner.segment.Name] = inner
		}
	}
}

// insert adds an element after those with a smaller index.
func (p *place) insert(made *place) {
	at := p.before(made.segment.Index)
	if at == nil {
		made.next, p.first = p.first, made
	} else {
		made.next, at.next = at.next, made
	}
	p.near = made
}

// markReported notes a violation of the value.
func (p *place) markReported() {
	p.reported = true
	for above := p.above; above != nil && !above.reportedBelow; above = above.above {
		above.reportedBelow = true
	}
}

// markExplicit notes that the body has the value and that it is empty.
func (p *place) markExplicit() {
	p.explicit = true
	for above := p.above; above != nil && !above.explicitBelow; above = above.above {
		above.explicitBelow = true
	}
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
		if at.above.isRecord() {
			return at.segment.Field
		}
	}
	return nil
}

// isRecord reports whether the place is the body itself, or an element of a body that is a list.
func (p *place) isRecord() bool {
	return p.above == nil || p.above.above == nil && p.segment.Kind == ToElement
}
