package model

import "slices"

// checkWithin finds words that say something of a record, at members within other members: a record is what is
// created, changed and kept apart from others. They would be passed over in silence.
func (c *compiler) checkWithin(s *Struct) { c.checkBelow(s, s.Fields, "", []*Struct{s}) }

// checkBelow looks through members and what they hold. The structs are those that have been looked through, each
// once.
func (c *compiler) checkBelow(record *Struct, fields []*Field, above string, known []*Struct) []*Struct {
	for _, f := range fields {
		for _, word := range wordsOfRecords(f) {
			if above != "" {
				c.fail(typeName(record.Go), "has the word %s at %s, within another member; allowed: on members of the record itself", word, above+f.Name)
			}
		}
		t := f.Type
		for t.Elem != nil {
			t = t.Elem
		}
		if inner := t.object(); inner != nil && !slices.Contains(known, inner) {
			known = c.checkBelow(record, inner.Fields, above+f.Name+".", append(known, inner))
		}
	}
	return known
}

// wordsOfRecords returns the words of a field that say something of the record.
func wordsOfRecords(f *Field) (words []string) {
	for _, each := range []struct {
		word string
		is   bool
	}{{"createonly", f.CreateOnly}, {"unique", f.Unique}, {"index", f.Indexed}, {"version", f.Version}, {"created", f.Created}, {"modified", f.Modified}} {
		if each.is {
			words = append(words, each.word)
		}
	}
	return words
}
