package model

import (
	"strconv"

	"github.com/trove-api/trove/validation"
)

// The budget of a report: what an answer tells of a body.
const (
	// MaxViolations is how many violations are told.
	MaxViolations = 100
	// MaxBytes is how many bytes of an answer they may take.
	MaxBytes = 1 << 16
	// fewViolations is for how many there is room at first.
	fewViolations = 8
)

// Violation is one that is told.
type Violation struct {
	validation.Violation

	at *place // nil where only the text says where it is
}

// IsPlaced reports whether the violation is of a value that the record has, and no other one
// that is told is of the same.
func (v *Violation) IsPlaced() bool { return v.at != nil }

// Pointer returns the JSON Pointer (RFC 6901) of the value: "/tags/1/name".
func (v *Violation) Pointer() string {
	if v.at == nil {
		return render(parse(v.Field), appendToken)
	}
	return render(v.at.segments(), appendToken)
}

// Top returns the field of the record that the value is or is in, nil for none.
func (v *Violation) Top() *Field { return v.at.Top() }

// IsWritable reports whether a view lets clients set the value, and all that it is in. One
// whose place is not known is taken for writable, and by a view of nil all are.
func (v *Violation) IsWritable(in *View) bool {
	_, writable := v.at.into(in)
	return writable
}

// Report is what is wrong with one body. The zero value is of a body with which nothing is
// wrong. A copy shares what is remembered of places, so that only one of them goes on.
type Report struct {
	// Violations are those that are told, within the budget.
	Violations []Violation
	// More is how many were left out.
	More int
	// Unlimited lifts the budget, for what no client made.
	Unlimited bool

	size  int // of the texts of the violations
	root  *place
	chunk []place // room for more places
}

// IsEmpty reports whether nothing is wrong.
func (r *Report) IsEmpty() bool { return len(r.Violations) == 0 && r.More == 0 }

// Count returns how many violations there are, those left out included.
func (r *Report) Count() int { return len(r.Violations) + r.More }

// Full reports whether the budget is spent: further violations are counted only, so that
// nothing has to be made for them.
func (r *Report) Full() bool {
	return !r.Unlimited && (len(r.Violations) >= MaxViolations || r.size >= MaxBytes)
}

// Add tells a violation, or counts it where the budget is spent.
func (r *Report) Add(v validation.Violation) { r.AddAll([]Violation{{Violation: v}}) }

// AddOwn tells violations that a user's code made.
func (r *Report) AddOwn(list []validation.Violation) {
	for _, v := range list {
		r.Add(v)
	}
}

// AddAll tells violations, or counts them where the budget is spent.
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

// AddAt tells the violation of the value at the end of the trail, whose path it takes.
func (r *Report) AddAt(t *Trail, v validation.Violation) {
	if r.Violations == nil && r.chunk == nil { // most bodies that are not valid are done with this
		var room struct {
			violations [fewViolations]Violation
			places     [fewViolations]place
		}
		r.Violations, r.chunk = room.violations[:0], room.places[:0]
	}
	r.AddAll([]Violation{r.At(t, v)})
}

// At makes the violation of the value at the end of the trail, and remembers it as told.
func (r *Report) At(t *Trail, v validation.Violation) Violation {
	at := r.at(t)
	at.markTold()
	v.Field = t.String()
	return Violation{v, at}
}

// Skip counts a violation of the value at the end of the trail that is left out.
func (r *Report) Skip(t *Trail) {
	r.at(t).markTold()
	r.More++
}

// AddBelow tells a violation whose path, made by the user, begins at the end of the trail,
// unless something was told there.
func (r *Report) AddBelow(t *Trail, v validation.Violation) {
	at, inner := r.at(t), parse(v.Field)
	for i := range inner {
		if at.told {
			return
		}
		if first := at.first; inner[i].Kind == ToElement && first != nil && first.segment.Kind == ToEntry { // a key of digits
			inner[i] = Segment{Kind: ToEntry, Name: strconv.Itoa(inner[i].Index)}
		}
		at = r.inside(at, &inner[i])
	}
	if at.told || at.toldBelow || at.above != nil && r.isTold(at.above) {
		return
	}
	at.markTold()
	if path := t.String(); path != "" && v.Field != "" && inner[0].Kind == ToField {
		v.Field = path + "." + v.Field
	} else {
		v.Field = path + v.Field
	}
	r.AddAll([]Violation{{v, at}})
}

// isTold reports whether there is a violation of the value or of something that it is in.
func (r *Report) isTold(p *place) bool {
	for ; p != nil; p = p.above {
		if p.told {
			return true
		}
	}
	return false
}

// IsTold reports whether there is a violation of the value at the end of the trail, of
// something that it is in, or of something in it.
func (r *Report) IsTold(t *Trail) bool {
	at := r.look(t)
	if at != nil && at.toldBelow {
		return true
	}
	if r.root == nil {
		return false
	}
	told := r.root.told
	for i := range t.n {
		place := t.at(i).place
		told = told || place != nil && place.told
	}
	return told
}

// NoteEmpty remembers that the body has the value at the end of the trail, which is empty.
func (r *Report) NoteEmpty(t *Trail) { r.at(t).markExplicit() }

// HasEmpty reports whether the body has values that are empty, in fields with rules.
func (r *Report) HasEmpty() bool { return r.root != nil && r.root.explicitBelow }

// IsEmptyAt reports whether the value at the end of the trail is there and empty, or
// something in it is.
func (r *Report) IsEmptyAt(t *Trail) bool {
	at := r.look(t)
	return at != nil && (at.explicit || at.explicitBelow)
}

// IsItselfEmptyAt reports whether the value at the end of the trail is there and empty.
func (r *Report) IsItselfEmptyAt(t *Trail) bool {
	at := r.look(t)
	return at != nil && at.explicit
}

// look finds the place at the end of the trail, or nil. Each segment is looked up once.
func (r *Report) look(t *Trail) *place {
	at := r.root
	if at == nil {
		return nil
	}
	from := t.n
	for from > 0 && !t.at(from-1).looked {
		from--
	}
	if from > 0 {
		at = t.at(from - 1).place
	}
	for i := from; i < t.n; i++ {
		s := t.at(i)
		if s.looked = true; at != nil {
			at = at.find(&s.Segment)
		}
		s.place = at
	}
	return at
}

// at finds or makes the place at the end of the trail.
func (r *Report) at(t *Trail) *place {
	if r.root == nil {
		r.root = r.make()
	}
	if found := r.look(t); found != nil {
		return found
	}
	at := r.root
	for i := range t.n {
		s := t.at(i)
		if s.place == nil {
			s.place = r.inside(at, &s.Segment)
		}
		at = s.place
	}
	return at
}

// inside finds or makes the place one segment further.
func (r *Report) inside(p *place, s *Segment) *place {
	if found := p.find(s); found != nil {
		return found
	}
	made := r.make()
	made.segment = *s
	p.add(made)
	return made
}

// make makes a place. Few of them share one allocation, and many do.
func (r *Report) make() *place {
	if len(r.chunk) == cap(r.chunk) {
		r.chunk = make([]place, 0, min(64, max(fewViolations, 2*cap(r.chunk))))
	}
	r.chunk = r.chunk[:len(r.chunk)+1]
	return &r.chunk[len(r.chunk)-1]
}
