package model

import (
	"strconv"

	"github.com/trove-api/trove/validation"
)

// The limits of a report.
const (
	// MaxViolations is the maximum number of violations in a response.
	MaxViolations = 100
	// MaxBytes is the maximum number of bytes that they take.
	MaxBytes = 1 << 16
	// fewViolations is the initial capacity.
	fewViolations = 6
)

// Violation is a violation in a response.
type Violation struct {
	validation.Violation

	at *place // nil if only Field says where it is
}

// IsPlaced reports whether the path of the violation is known, and no other violation has the same.
func (v *Violation) IsPlaced() bool { return v.at != nil }

// Pointer returns the JSON Pointer (RFC 6901) of the value: "/tags/1/name".
func (v *Violation) Pointer() string {
	if v.at == nil {
		return render(parse(v.Field), appendToken)
	}
	return render(v.at.segments(), appendToken)
}

// Top returns the field of the record that is or contains the value, nil for none.
func (v *Violation) Top() *Field { return v.at.Top() }

// IsWritable reports whether a view lets clients set the value and everything that contains it. It returns true for a
// violation whose place is unknown, and for a nil view.
func (v *Violation) IsWritable(in *View) bool {
	_, writable := v.at.into(in)
	return writable
}

// Report lists the violations of one body. The zero value has none. Copies share the places, so continue with only one
// of them.
type Report struct {
	// Violations are those within the limits.
	Violations []Violation
	// More is the number of violations left out.
	More int
	// Unlimited removes the limits, for values that did not come from a client.
	Unlimited bool

	size  int // total length of the violations' strings
	root  *place
	chunk []place // capacity for more places
}

// IsEmpty reports whether there are no violations.
func (r *Report) IsEmpty() bool { return len(r.Violations) == 0 && r.More == 0 }

// Full reports whether the limits are reached. Further violations are only counted, so callers need not build them.
func (r *Report) Full() bool {
	return !r.Unlimited && (len(r.Violations) >= MaxViolations || r.size >= MaxBytes)
}

// Add adds violations, or counts them if the report is full.
func (r *Report) Add(list ...validation.Violation) {
	for _, v := range list {
		r.AddAll([]Violation{{Violation: v}})
	}
}

// AddAll adds violations, or counts them if the report is full.
func (r *Report) AddAll(list []Violation) {
	for _, v := range list {
		if r.Full() {
			r.More++
			continue
		}
		if r.Violations == nil {
			r.Violations = make([]Violation, 0, fewViolations)
		}
		r.Violations = append(r.Violations, v)
		r.size += len(v.Field) + len(v.Message) + len(v.Code)
	}
}

// AddAt adds a violation of the value at the end of the location and sets its path.
func (r *Report) AddAt(t *Location, v validation.Violation) {
	r.AddAll([]Violation{r.At(t, v)})
}

// At returns a violation of the value at the end of the location, and marks the value as reported.
func (r *Report) At(t *Location, v validation.Violation) Violation {
	at := r.at(t)
	at.mark(reported)
	v.Field = t.String()
	return Violation{v, at}
}

// Skip counts a violation of the value at the end of the location without adding it.
func (r *Report) Skip(t *Location) {
	r.at(t).mark(reported)
	r.More++
}

// AddBelow adds a violation from the user's code, whose path is relative to the end of the location, unless the value
// already has one.
func (r *Report) AddBelow(t *Location, v validation.Violation) {
	at, inner := r.at(t), parse(v.Field)
	for i := range inner {
		if at.own&reported != 0 {
			return
		}
		if known := at.last; inner[i].Kind == ToElement && known != nil && known.segment.Kind == ToEntry { // a key of digits
			inner[i] = Segment{Kind: ToEntry, Name: strconv.Itoa(inner[i].Index)}
		}
		at = r.inside(at, &inner[i])
	}
	if at.below&reported != 0 || at.isReported() {
		return
	}
	at.mark(reported)
	if r.Full() {
		r.More++
		return
	}
	if path := t.String(); path != "" && v.Field != "" && inner[0].Kind == ToField {
		v.Field = path + "." + v.Field
	} else {
		v.Field = path + v.Field
	}
	r.AddAll([]Violation{{v, at}})
}

// IsReported reports whether there is a violation of the value at the end of the location, of something that contains it,
// or of something in it.
func (r *Report) IsReported(t *Location) bool {
	at := r.look(t)
	if at != nil && at.below&reported != 0 {
		return true
	}
	if at = r.root; at == nil {
		return false
	}
	for i := range t.taken { // as far as places are known
		if below := t.taken[i].place; below != nil {
			at = below
		}
	}
	return at.isReported()
}

// NoteEmpty notes that the body has the value at the end of the location and that it is empty.
func (r *Report) NoteEmpty(t *Location) { r.at(t).mark(explicit) }

// HasEmpty reports whether the body has empty values in fields with rules.
func (r *Report) HasEmpty() bool { return r.root != nil && r.root.below&explicit != 0 }

// IsEmptyAt reports whether the body has an empty value at the end of the location, or inside it.
func (r *Report) IsEmptyAt(t *Location) bool {
	at := r.look(t)
	return at != nil && (at.own|at.below)&explicit != 0
}

// look finds the place at the end of the location, or nil. The location remembers the result for each segment.
func (r *Report) look(t *Location) *place {
	at := r.root
	if at == nil {
		return nil
	}
	from := len(t.taken)
	for from > 0 && !t.taken[from-1].looked {
		from--
	}
	if from > 0 {
		at = t.taken[from-1].place
	}
	for i := from; i < len(t.taken); i++ {
		s := &t.taken[i]
		if s.looked = true; at != nil {
			at = at.find(&s.Segment)
		}
		s.place = at
	}
	return at
}

// at finds or creates the place at the end of the location.
func (r *Report) at(t *Location) *place {
	if r.root == nil {
		r.root = r.make()
	}
	if found := r.look(t); found != nil {
		return found
	}
	at := r.root
	for i := range t.taken {
		s := &t.taken[i]
		if s.place == nil {
			s.place = r.inside(at, &s.Segment)
		}
		at = s.place
	}
	return at
}

// inside finds or creates the place one segment down.
func (r *Report) inside(p *place, s *Segment) *place {
	if found := p.find(s); found != nil {
		return found
	}
	made := r.make()
	made.segment = *s
	p.add(made)
	return made
}

// make returns a new place, allocated in chunks.
func (r *Report) make() *place {
	if len(r.chunk) == cap(r.chunk) {
		r.chunk = make([]place, 0, min(64, max(fewViolations, 2*cap(r.chunk))))
	}
	r.chunk = r.chunk[:len(r.chunk)+1]
	return &r.chunk[len(r.chunk)-1]
}
