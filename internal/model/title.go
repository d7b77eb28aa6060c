package model

import "slices"

// titles are names of fields that usually name a record for people, the best first.
var titles = []string{
	"title", "name", "label", "subject", "headline", "displayName", "fullName", "username", "nickname", "email", "code", "slug",
}

// Title returns the field whose value names a record for people: the one with the word title, else one with a usual
// name, else the first string that clients set and that is not an enumeration, because many records share its values. It
// returns nil if there is none. It is only used while an API is created.
func (s *Struct) Title() *Field {
	if at := slices.IndexFunc(s.Fields, func(f *Field) bool { return f.Title }); at >= 0 {
		return s.Fields[at]
	}
	for _, name := range titles {
		if f := s.Field(name); f != nil && f.canBeTitle() && f.Type.Kind == String {
			return f
		}
	}
	at := slices.IndexFunc(s.Fields, func(f *Field) bool {
		_, isEnumeration := f.Rules.Find("oneof")
		return f.canBeTitle() && f.Type.Kind == String && f.Writable() && !f.Identifier && !isEnumeration
	})
	if at < 0 {
		return nil
	}
	return s.Fields[at]
}

// canBeTitle reports whether responses have the field as one short value.
func (f *Field) canBeTitle() bool {
	if !f.Readable() || f.Reference != nil || f.Type == nil {
		return false
	}
	switch f.Type.Kind {
	case String, Int, Uint, Float, Time, Text:
		return true
	}
	return false
}
