package codec

import (
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/view"
)

// maxScanned is how many members a struct has at most that a scanner knows: one for each
// bit in which it notes which members the body has.
const maxScanned = 64

// objectScanner scans structs.
type objectScanner struct {
	plan     *objectPlan
	members  []memberScanner
	required uint64 // the members that the body must have
}

// memberScanner scans a member of a struct.
type memberScanner struct {
	*view.Member

	key    string // the name with the quote and the colon behind it, as most bodies have them
	offset uintptr
	scan   scanner
	ruled  bool // has rules that may take an empty value for absent
	nested bool // is a struct, list or map
}

// object returns the scanner of a view: it gives up on one with too many members.
func (ss scanners) object(v *view.View) scanner {
	o, met := ss.objects[v]
	if !met && len(v.Members) <= maxScanned {
		o = &objectScanner{plan: ss.plans.objects[v], members: make([]memberScanner, len(v.Members))}
		ss.objects[v] = o
		for i := range v.Members {
			o.members[i] = ss.member(v, &o.plan.members[i])
			if v.Members[i].Required {
				o.required |= 1 << i
			}
		}
	}
	if o == nil {
		return giveUp
	}
	return o.scan
}

func (ss scanners) member(v *view.View, plan *memberPlan) memberScanner {
	f := plan.Field
	m := memberScanner{
		Member: plan.Member, key: f.Name + `":`, offset: offsetOf(v.Struct.Go, f.Index),
		scan: ss.field(plan.Member, v.Patch), ruled: plan.ruled, nested: isNested(f.Type),
	}
	if plan.object != nil && f.Default != nil { // the struct begins anew
		m.scan = giveUp
	}
	return m
}

func (o *objectScanner) scan(d *decoding, at address, i int) int {
	if d.at(i) != '{' || d.trail.Len() >= maxScanDepth {
		return gaveUp
	}
	// A bit a member in place of a slice: it stays in a register, and finds a member that stands twice,
	// which RFC 8259 leaves open and which Trove refuses, at no cost.
	var seen uint64
	i = d.space(i + 1)
	for next := 0; d.at(i) != '}'; next++ {
		if seen != 0 {
			if d.at(i) != ',' {
				return gaveUp
			}
			i = d.space(i + 1)
		}
		next, i = o.name(d, i, next)
		if i == gaveUp || seen&(1<<next) != 0 {
			return gaveUp
		}
		seen |= 1 << next
		if i = o.members[next].decode(d, at, i); i == gaveUp {
			return gaveUp
		}
		i = d.space(i)
	}
	// Which of them are missing is not found here: the decoder names them all.
	if o.required&^seen != 0 {
		return gaveUp
	}
	return i + 1
}

// name reads a name and its colon. It returns which member has that name, and where its
// value begins. Most bodies have members in the order of the struct, so the next one is
// tried first. A name with escapes is not known.
func (o *objectScanner) name(d *decoding, i, next int) (index, value int) {
	if d.at(i) != '"' {
		return 0, gaveUp
	}
	i++
	if next < len(o.members) {
		if end := d.word(i, o.members[next].key); end != gaveUp {
			return next, d.space(end)
		}
	}
	// The index of a map by a converted slice does not allocate, as a variable for the name would.
	length := plainLength(d.body[i:])
	index, known := o.plan.byName[string(d.body[i:i+length])]
	if !known || d.at(i+length) != '"' {
		return 0, gaveUp
	}
	return index, d.colon(i + length + 1)
}

// colon returns where the value behind the colon begins.
func (d *decoding) colon(i int) int {
	if i = d.space(i); d.at(i) != ':' {
		return gaveUp
	}
	return d.space(i + 1)
}

// decode scans the member's value.
// A needed member that is null is for the decoder, which tells of it as missing. The trail is kept
// for values only that something may be told of: others cannot be wrong without giving up.
func (m *memberScanner) decode(d *decoding, at address, i int) int {
	switch {
	case !m.Writable:
		return d.pass(i)
	case m.Needed && d.at(i) == 'n':
		return gaveUp
	case !m.nested && !m.ruled:
		return m.scan(d, at.plus(m.offset), i)
	}
	d.trail.ToMember(m.Field)
	end := m.scan(d, at.plus(m.offset), i)
	if m.ruled && end != gaveUp && m.isEmpty(d, at.plus(m.offset), i, end) {
		d.NoteEmpty(&d.trail)
	}
	d.trail.Up()
	return end
}

// isEmpty reports whether the value is empty whose JSON is from start to end.
// It is asked for members with rules alone, where omitempty takes an empty value in a body for
// absent and another rule may not. Looking at the text is cheaper than reflection, and for strings
// the only way: they wait to be assigned together.
func (m *memberScanner) isEmpty(d *decoding, at address, start, end int) bool {
	kind := m.Field.Type.Kind
	if m.Field.Type.Nullable && kind != model.String {
		return isEmpty(at.value(m.Field.Type.Go))
	}
	switch kind {
	case model.String: // which is not assigned yet
		return end-start == len(`""`)
	case model.Int, model.Uint:
		return d.body[start] == '0' || d.body[start] == '-' && d.body[start+1] == '0'
	case model.Bool:
		return d.body[start] == 'f'
	case model.Object, model.Array:
		d.strings.assign()
	}
	return isEmpty(at.value(m.Field.Type.Go))
}
