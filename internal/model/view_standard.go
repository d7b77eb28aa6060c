package model

import (
	"slices"
	"sync"
)

// Views makes the views of one struct that operations have of their own, each once. It is safe
// for use by many goroutines. That of no struct has nil for views.
type Views struct {
	root   *Struct
	needs  map[*Field]bool
	beside []ViewField
	mutex  sync.Mutex
	made   map[subject]*View
}

// subject is a struct as it stands in a kind of message.
type subject struct {
	of   *Struct
	kind kind
}

// ViewsOf returns the set of the struct that a type is or holds. The needs are the fields that a record cannot do without: what
// is absent or zero would break their rules.
func ViewsOf(t *Type, needs map[*Field]bool) *Views {
	return &Views{root: t.StructIn(), needs: needs, made: map[subject]*View{}}
}

// IgnoreComputed has bodies take members that answers have beside those of the struct, and do nothing
// with them, so that a record that was read can be sent back as it is. It comes before the views of bodies.
func (s *Views) IgnoreComputed(beside []ViewField) {
	for _, m := range beside {
		m.Required = false
		s.beside = append(s.beside, m)
	}
}

// Answer is sent by the service.
func (s *Views) Response() *View { return s.view(answer) }

// Sparse is sent by the service, with the members that the client chooses: it requires the
// identifier alone, but what is in a member is whole.
func (s *Views) Sparse() *View { return s.view(sparse) }

// Create is sent by a client, for something new.
func (s *Views) Create() *View { return s.view(create) }

// CreateNamed is Create of a record that the path names: the identifier may be left out.
func (s *Views) CreateNamed() *View { return s.view(createNamed) }

// Replace is sent by a client, in place of something stored: a member that no answer shows
// or that is set at creation alone may be left out, for it stays.
func (s *Views) Replace() *View { return s.view(replace) }

// ReplaceNamed is Replace of what the path names, whether it is stored or not: the identifier
// may be left out, too.
func (s *Views) ReplaceNamed() *View { return s.view(replaceNamed) }

// Merge is sent by a client, as a merge patch (RFC 7396).
func (s *Views) Merge() *View { return s.view(merge) }

// MergeNaming is Merge with the identifier of what it changes, which no path names.
func (s *Views) MergeNaming() *View { return s.view(mergeNaming) }

// Whole has all members, whoever may see or set them, and requires none: what stores keep.
func (s *Views) Whole() *View { return s.view(whole) }

// Tagged has all members as the tags say who sees and sets them, and requires none: what the
// values of tags themselves are read by.
func (s *Views) Tagged() *View { return s.view(tagged) }

// kind is what a message is, for the views that this file makes. No other one knows it.
type kind int

const (
	answer kind = iota
	sparse
	create
	createNamed
	replace
	replaceNamed
	merge
	mergeNaming
	createInMerge
	whole
	tagged
)

// kinds are what the views of each kind have in common.
var kinds = [...]View{
	answer:        {},
	sparse:        {Name: "Sparse"},
	create:        {Name: "Create", Request: true},
	createNamed:   {Name: "Put", Request: true, Named: true},
	replace:       {Name: "Update", Request: true, Named: true},
	replaceNamed:  {Name: "Put", Request: true, Named: true},
	merge:         {Name: "Patch", Request: true, Named: true, Merges: true, Removes: true},
	mergeNaming:   {Name: "PatchByID", Request: true, Named: true, Merges: true, Removes: true},
	createInMerge: {Name: "Create", Request: true, Removes: true},
	whole:         {Request: true},
	tagged:        {Request: true},
}

// ViewNames lists the names of the views that a Set makes.
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

// of returns the view of a struct. It is known before its members are, for they may hold the
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
		if f.Hidden && k != whole {
			continue
		}
		if m := s.member(of, f, k); m.Readable || v.Request {
			v.Fields = append(v.Fields, m)
		}
	}
	if k != whole {
		for _, f := range of.Inverses {
			v.Fields = append(v.Fields, ViewField{Field: f, Readable: true, Required: k == answer})
		}
	}
	if of == s.root && v.Request && k != whole {
		v.Fields = append(v.Fields, s.beside...)
	}
	switch k {
	case merge, mergeNaming:
		v.New = s.of(of, createInMerge)
	case replace:
		v.New = s.of(of, create)
	}
	return v
}

func (s *Views) member(of *Struct, f *Field, k kind) ViewField {
	m := ViewField{Field: f, Readable: !f.WriteOnly, Writable: !f.ReadOnly}
	switch k {
	case answer:
		m.Required = !f.OmitEmpty && !f.OmitZero
	case sparse:
		m.Required = f.Identifier
	case whole:
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

// requires reports whether a body must have a member that its record needs.
func (k kind) requires(f *Field) bool {
	switch k {
	case createNamed:
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

// within is the kind of a struct that a member of the type is or holds. What a body sends
// whole is made anew with all that is in it: elements of lists, in a merge patch too, and
// what is behind a pointer or in a map, but that a merge patch goes on there.
func (k kind) within(t *Type) kind {
	for ; t != nil; t = t.Elem {
		isList := t.Kind == List || t.Kind == Array
		switch k {
		case sparse: // a member that is chosen is whole
			return answer
		case merge, mergeNaming, createInMerge:
			if isList {
				return create
			}
			if k == mergeNaming {
				k = merge
			}
		case createNamed:
			return create
		case replace, replaceNamed:
			if k = replace; isList || t.Nullable || t.Kind == Map {
				return create
			}
		}
	}
	return k
}
