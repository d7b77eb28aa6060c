package codec

import (
	"reflect"

	"github.com/trove-api/trove/internal/model"
)

// objectPlan is the plan of a view of a struct: its members, and what a new one looks like.
type objectPlan struct {
	members  []memberPlan
	byName   map[string]int // index of a member by its JSON name
	writable []string       // the JSON names that clients may use
	blank    *blank
}

// memberPlan is the plan of a member.
// What is asked of a member for each body is here, so that no tag is looked at again.
type memberPlan struct {
	*model.Member

	decoder decoder
	object  *objectPlan // its struct, if it is one and no pointer
	deepen  cloner
	patched bool // a merge patch goes on in it
	ruled   bool // has rules that may take an empty value for absent
}

// structOf returns the plan of a view of the struct that a type is or points to, nil for
// other types.
func (p *planner) structOf(t *model.Type, v *model.View) *objectPlan {
	if t.Kind != model.Object {
		return nil
	}
	if o, ok := p.objects[v]; ok {
		return o
	}
	// It is kept before its members are planned, for one of them may be of the same view.
	o := &objectPlan{byName: make(map[string]int, len(v.Members)), blank: p.blank(t.Struct)}
	p.objects[v] = o
	p.order = append(p.order, o)
	o.members = make([]memberPlan, len(v.Members))
	for i := range v.Members {
		m := &v.Members[i]
		o.members[i] = p.member(m, v.Patch)
		o.byName[m.Field.Name] = i
	}
	o.writable = v.Names(func(m *model.Member) bool { return m.Writable })
	return o
}

func (p *planner) member(of *model.Member, patch model.Patch) memberPlan {
	t, rules := of.Field.Type, of.Field.Rules
	m := memberPlan{
		Member:  of,
		decoder: p.field(of, patch),
		patched: patch == model.MergePatch,
		ruled:   !t.Nullable && (len(rules.All) > 0 || rules.OmitEmpty),
	}
	if p.blanks != nil { // else there is nothing that a new value could share
		m.deepen = p.cloners.of(t)
	}
	if !t.Nullable {
		m.object = p.structOf(t, position{patch, of.Inner}.view())
	}
	return m
}

// reset gives the members of v that clients set, and see, the values that they have in
// blank. All others stay, and so do fields that are no members.
func (o *objectPlan) reset(v, blank reflect.Value) {
	for i := range o.members {
		m := &o.members[i]
		at, from := m.Field.Value(v), m.Field.Value(blank)
		switch {
		// Write-only members stay in a replacing Put, for a client that has read the record cannot send
		// them back.
		case !m.Writable, !m.Readable, m.Field.CreateOnly:
		case m.object != nil:
			m.object.reset(at, from)
		default:
			at.Set(from)
			m.deepen.run(at)
		}
	}
}
