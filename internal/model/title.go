package model

import (
	"slices"
)

// titles are names of fields that usually name a record for people, the best first.
var titles = []string{
	"title", "name", "label", "subject", "headline", "displayName", "fullName", "username", "nickname", "email", "code", "slug",
}

// Title returns the field whose value names a record for people: the one with the word title, else one with a usual
// name, else the first string that clients set. It returns nil if there is none. It is only used while an API is created.
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
		return f.canBeTitle() && f.Type.Kind == String && f.Writable() && !f.Identifier
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

// checkTitle checks the word title, of which a struct has at most one.
func (c *compiler) checkTitle(where Declaration, f *Field) {
	if f.Title && !f.canBeTitle() {
		f.Title = false
		c.fail(where, "title does not support this field; allowed: a readable string, number, time or text type that is not a reference")
	}
}

// checkTitles reports a struct with several titles.
func (c *compiler) checkTitles(s *Struct) {
	first := ""
	for _, f := range s.Fields {
		switch {
		case !f.Title:
		case first == "":
			first = f.GoPath
		default:
			c.fail(Declaration{Type: s.Go, Field: f.GoPath}, "only one field can have the word title, and %s already has it", first)
		}
	}
}
