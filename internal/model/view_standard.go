package model

import (
	"slices"
	"sync"
)

// Views makes the standard views of one struct, each once. It is safe for concurrent use. Without a struct, all its
// views are nil.
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
	kind kind
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

// Response is the view of responses.
func (s *Views) Response() *View { return s.view(response) }

// Sparse is the view of responses whose fields the client chooses. Only the identifier is required; nested structs have
// all their fields.
func (s *Views) Sparse() *View { return s.view(sparse) }

// Create is the view of bodies that create a record.
func (s *Views) Create() *View { return s.view(create) }

// CreateNamed is Create for a record that the path names: the identifier is optional.
func (s *Views) CreateNamed() *View { return s.view(createNamed) }

// CreateByMerge is CreateNamed for a body that is a merge patch of nothing: null leaves no entry in a map.
func (s *Views) CreateByMerge() *View { return s.view(createByMerge) }

// Replace is the view of bodies that replace a record. Fields that responses do not show, and createonly fields, are
// optional, because they keep their values.
func (s *Views) Replace() *View { return s.view(replace) }

// ReplaceNamed is Replace for a record that the path names and that may not exist: the identifier is optional too.
func (s *Views) ReplaceNamed() *View { return s.view(replaceNamed) }

// Merge is the view of merge patches (RFC 7396).
func (s *Views) Merge() *View { return s.view(merge) }

// MergeNaming is Merge with the identifier of the record, which the path does not name.
func (s *Views) MergeNaming() *View { return s.view(mergeNaming) }

// AllFields has all fields, regardless of who may read or write them, and requires none. Stores use it.
func (s *Views) AllFields() *View { return s.view(allFields) }

// Tagged has all fields, readable and writable as their tags declare, and requires none. Values in tags are decoded
// with it.
func (s *Views) Tagged() *View { return s.view(tagged) }

// kind is the kind of a message.
type kind int

const (
	response kind = iota
	sparse
	create
	createNamed
	createByMerge
	replace
	replaceNamed
	merge
	mergeNaming
	createInMerge
	allFields
	tagged
)

// kinds lists what all views of a kind have in common.
var kinds = [...]View{
	response:      {},
	sparse:        {Name: "Sparse"},
	create:        {Name: "Create", Request: true},
	createNamed:   {Name: "Put", Request: true, Named: true},
	createByMerge: {Name: "Put", Request: true, Named: true, Removes: true},
	replace:       {Name: "Update", Request: true, Named: true},
	replaceNamed:  {Name: "Put", Request: true, Named: true},
	merge:         {Name: "Patch", Request: true, Named: true, Merges: true, Removes: true},
	mergeNaming:   {Name: "PatchByID", Request: true, Named: true, Merges: true, Removes: true},
	createInMerge: {Name: "Create", Request: true, Removes: true},
	allFields:     {Request: true},
	tagged:        {Request: true},
}

// ViewNames lists the names of the standard views.
func ViewNames() []string {
	var names []string
	for i := range kinds {
		if name := kinds[i].Name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (s *Views) view(k kind) *View {
	if s.root == nil {
		return nil
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.of(s.root, k)
}

// of returns the view of a struct. The view is registered before its fields are made, because they may contain the
// struct itself.
func (s *Views) of(of *Struct, k kind) *View {
	key := subject{of, k}
	if known := s.made[key]; known != nil {
		return known
	}
	made := kinds[k]
	v := &made
	v.Struct, v.Fields = of, make([]ViewField, 0, len(of.Fields))
	s.made[key] = v
	for _, f := range of.Fields {
		if f.Hidden && k != allFields {
			continue
		}
		if m := s.field(of, f, k); m.Readable || v.Request {
			v.Fields = append(v.Fields, m)
		}
	}
	if k != allFields {
		for _, f := range of.Inverses {
			v.Fields = append(v.Fields, ViewField{Field: f, Readable: true, Required: k == response})
		}
	}
	if of == s.root && v.Request && k != allFields {
		v.Fields = append(v.Fields, s.computed...)
	}
	switch k {
	case merge, mergeNaming:
		v.New = s.of(of, createInMerge)
	case replace:
		v.New = s.of(of, create)
	}
	return v
}

func (s *Views) field(of *Struct, f *Field, k kind) ViewField {
	m := ViewField{Field: f, Readable: !f.WriteOnly, Writable: !f.ReadOnly}
	switch k {
	case response:
		m.Required = !f.OmitEmpty && !f.OmitZero
	case sparse:
		m.Required = f.Identifier
	case allFields:
		m.Readable, m.Writable = true, true
	case tagged:
	default:
		m.Needed = s.needs[f] && m.Writable
		m.Required = m.Needed && k.requires(f)
	}
	if k == mergeNaming && f.Identifier && of == s.root {
		m.Writable, m.Needed, m.Required = true, true, true
	}
	if inner := f.Type.StructIn(); inner != nil {
		m.Inner = s.of(inner, k.within(f.Type))
	}
	return m
}

// requires reports whether a body must have a field that its record needs.
func (k kind) requires(f *Field) bool {
	switch k {
	case createNamed, createByMerge:
		return !f.Identifier
	case replace:
		return !f.WriteOnly && !f.CreateOnly
	case replaceNamed:
		return !f.WriteOnly && !f.CreateOnly && !f.Identifier
	case merge, mergeNaming:
		return false
	}
	return true
}

// within returns the kind of a struct nested in a field of the type. Elements of lists are always created as a whole,
// even in a merge patch. So are values of pointers and maps, except that a merge patch continues in them.
func (k kind) within(t *Type) kind {
	for ; t != nil; t = t.Elem {
		isList := t.Kind == List || t.Kind == Array
		switch k {
		case sparse: // a chosen field has everything nested in it
			return response
		case merge, mergeNaming, createInMerge:
			if isList {
				return create
			}
			if k == mergeNaming {
				k = merge
			}
		case createNamed:
			return create
		case createByMerge:
			if k = createInMerge; isList {
				return create
			}
		case replace, replaceNamed:
			if k = replace; isList || t.Nullable || t.Kind == Map {
				return create
			}
		}
	}
	return k
}
