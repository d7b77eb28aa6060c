package model

// place is a value of a body that something is known of. It refers to the one that it is
// in, so that names above it are kept once, however many values they hold.
type place struct {
	segment Segment
	above   *place // nil for the body itself
	next    *place // beside it in the same value

	first   *place // inside of it: elements by their index, all others in the order of the body
	near    *place // the last one inside, or of elements the one that was asked for last
	entries map[string]*place
	count   uint32

	told, toldBelow         bool // a violation of it, or of something in it
	explicit, explicitBelow bool // the body has it with an empty value, or something in it
}

// fewEntries is how many entries of a map are compared one by one.
const fewEntries = 8

// find returns the place one segment further, or nil.
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

// before returns the last element with a smaller index, or nil. Elements are mostly asked
// for one after the other, so it goes on from the one before.
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

// add puts a place one segment further.
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

// insert puts an element behind those with a smaller index.
func (p *place) insert(made *place) {
	at := p.before(made.segment.Index)
	if at == nil {
		made.next, p.first = p.first, made
	} else {
		made.next, at.next = at.next, made
	}
	p.near = made
}

// markTold notes a violation of the value.
func (p *place) markTold() {
	p.told = true
	for above := p.above; above != nil && !above.toldBelow; above = above.above {
		above.toldBelow = true
	}
}

// markExplicit notes that the body has the value, which is empty.
func (p *place) markExplicit() {
	p.explicit = true
	for above := p.above; above != nil && !above.explicitBelow; above = above.above {
		above.explicitBelow = true
	}
}

// segments returns the way to the place.
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

// into returns the view of what is at the place, and whether clients set that.
func (p *place) into(v *View) (inner *View, writable bool) {
	if p == nil || p.above == nil {
		return v, true
	}
	if inner, writable = p.above.into(v); !writable {
		return nil, false
	}
	return p.segment.into(inner)
}

// Top returns the field of the record that the value is or is in, nil for none. Where the body
// is a list, each of its elements is a record.
func (p *place) Top() *Field {
	for at := p; at != nil && at.above != nil; at = at.above {
		if at.above.isRecord() {
			return at.segment.Field
		}
	}
	return nil
}

// isRecord reports whether the place is the body itself or, of a body that is a list, an element
// of it. Only such a body has elements right below it.
func (p *place) isRecord() bool {
	return p.above == nil || p.above.above == nil && p.segment.Kind == ToElement
}
