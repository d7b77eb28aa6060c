package model

import (
	"slices"
	"sync"
)

// Views makes the standard views of one struct, each once. It is safe for concurrent use.
type Views struct {
	root     *Struct
	needs    map[*Field]bool
	computed []ViewField
	mutex    sync.Mutex
	made     map[subject]*View
}

// subject is a struct in a kind of message.
type subject struct {
	of   *Struct
	kind Message
}

// ViewsOf returns the views of the struct that a type is or contains. The needs are the fields that a record must have,
// because an absent or zero value would break their rules.
func ViewsOf(t *Type, needs map[*Field]bool) *Views {
	return &Views{root: t.StructIn(), needs: needs, made: map[subject]*View{}}
}

// IgnoreComputed makes bodies accept and ignore computed fields, so that clients can send back a record that they have
// read. Call it before requesting views of bodies.
func (s *Views) IgnoreComputed(computed []ViewField) {
	for _, m := range computed {
		m.Required = false
		s.computed = append(s.computed, m)
	}
}

// Message is what a view is for.
type Message int

// The messages that have standard views.
const (
	// Response is a response.
	Response Message = iota
	// Create is a body that creates a record.
	Create
	// CreateNamed is Create for a record that the path names: the identifier is optional.
	CreateNamed
	// CreateByMerge is CreateNamed for a body that is a merge patch of nothing: null leaves no entry in a map.
	CreateByMerge
	// Replace is a body that replaces a record. Fields that responses do not show, and createonly fields, are optional,
	// because they keep their values.
	Replace
	// ReplaceNamed is Replace for a record that the path names and that may not exist: the identifier is optional too.
	ReplaceNamed
	// Merge is a merge patch (RFC 7396).
	Merge
	// MergeNaming is Merge with the identifier of the record, which the path does not name.
	MergeNaming
	// AllFields has all fields, regardless of who may read or write them, and requires none. Stores use it.
	AllFields
	// Tagged has all fields, readable and writable as their tags declare, and requires none. Values in tags are decoded
	// with it.
	Tagged

	createInMerge
)

// messages lists what all views for a message have in common.
var messages = [...]View{
	Response:      {},
	Create:        {Name: "Create", Request: true},
	CreateNamed:   {Name: "Put", Request: true, Named: true},
	CreateByMerge: {Name: "Put", Request: true, Named: true, Removes: true},
	Replace:       {Name: "Update", Request: true, Named: true},
	ReplaceNamed:  {Name: "Put", Request: true, Named: true},
	Merge:         {Name: "Patch", Request: true, Named: true, Merges: true, Removes: true},
	MergeNaming:   {Name: "PatchByID", Request: true, Named: true, Merges: true, Removes: true},
	createInMerge: {Name: "Create", Request: true, Removes: true},
	AllFields:     {Request: true},
	Tagged:        {Request: true},
}

// ViewNames lists the names of the standard views.
func ViewNames() []string {
	names := []string{sparseName}
	for i := range messages {
		if name := messages[i].Name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// View returns the view for a message, nil without a struct.
func (s *Views) View(k Message) *View {
	if s.root == nil {
		return nil
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.of(s.root, k)
}

// of returns the view of a struct. The view is registered before its fields are made, because they may contain the
// struct itself.
func (s *Views) of(of *Struct, k Message) *View {
	key := subject{of, k}
	if known := s.made[key]; known != nil {
		return known
	}
	made := messages[k]
	v := &made
	v.Struct, v.Fields = of, make([]ViewField, 0, len(of.Fields))
	s.made[key] = v
	for _, f := range of.Fields {
		if f.Hidden && k != AllFields {
			continue
		}
		if m := s.field(of, f, k); m.Readable || v.Request {
			v.Fields = append(v.Fields, m)
		}
	}
	if k != AllFields {
		for _, f := range of.Inverses {
			v.Fields = append(v.Fields, ViewField{Field: f, Readable: true, Required: k == Response})
		}
	}
	if of == s.root && v.Request && k != AllFields {
		v.Fields = append(v.Fields, s.computed...)
	}
	switch k {
	case Merge, MergeNaming:
		v.New = s.of(of, createInMerge)
	case Replace:
		v.New = s.of(of, Create)
	case Response:
		if of == s.root {
			v.Sparse = v.sparse()
		}
	}
	return v
}

func (s *Views) field(of *Struct, f *Field, k Message) ViewField {
	m := ViewField{Field: f, Readable: !f.WriteOnly, Writable: !f.ReadOnly}
	switch k {
	case Response:
		m.Required = !f.OmitEmpty && !f.OmitZero
	case AllFields:
		m.Readable, m.Writable = true, true
	case Tagged:
	default:
		m.Needed = s.needs[f] && m.Writable
		m.Required = m.Needed && k.requires(f)
	}
	if k == MergeNaming && f.Identifier && of == s.root {
		m.Writable, m.Needed, m.Required = true, true, true
	}
	if inner := f.Type.StructIn(); inner != nil {
		m.Inner = s.of(inner, k.within(f.Type))
	}
	return m
}

// requires reports whether a body must have a field that its record needs.
func (k Message) requires(f *Field) bool {
	switch k {
	case CreateNamed, CreateByMerge:
		return !f.Identifier
	case Replace:
		return !f.WriteOnly && !f.CreateOnly
	case ReplaceNamed:
		return !f.WriteOnly && !f.CreateOnly && !f.Identifier
	case Merge, MergeNaming:
		return false
	}
	return true
}

// within returns the message of a struct nested in a field of the type. Elements of lists are always created as a whole,
// even in a merge patch. So are values of pointers and maps, except that a merge patch continues in them.
func (k Message) within(t *Type) Message {
	switch k {
	case CreateNamed:
		return Create
	case CreateByMerge:
		k = createInMerge
	case MergeNaming:
		k = Merge
	case ReplaceNamed:
		k = Replace
	}
	for ; t != nil; t = t.Elem {
		isList := t.Kind.IsList()
		if isList && (k == Merge || k == createInMerge) || k == Replace && (isList || t.Nullable || t.Kind == Map) {
			return Create
		}
	}
	return k
}
