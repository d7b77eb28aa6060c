package model

// markChanges finds the fields that tell of changes of a record: those tagged
// api:"version", api:"created" and api:"modified".
func (c *compiler) markChanges(s *Struct) {
	for _, f := range s.Fields {
		where := typeName(s.Go) + "." + f.GoPath
		if f.Version {
			if f.Type.Kind != Int && f.Type.Kind != Uint {
				c.fail(where, "has the word version and the type %s; allowed: an integer", f.Type.Go)
			}
			c.markChange(where, "version", f, &s.Version)
		}
		if f.Created {
			c.markTime(where, "created", f, &s.Created)
		}
		if f.Modified {
			c.markTime(where, "modified", f, &s.Modified)
		}
	}
}

func (c *compiler) markTime(where, word string, f *Field, found **Field) {
	if f.Type.Kind != Time {
		c.fail(where, "has the word %s and the type %s; allowed: a time.Time", word, f.Type.Go)
	}
	c.markChange(where, word, f, found)
}

// markChange notes the one field of a record that has a word.
func (c *compiler) markChange(where, word string, f *Field, found **Field) {
	switch {
	case *found != nil:
		c.fail(where, "has the word %s, and so has %s: one field of a record has it", word, (*found).GoPath)
	case f.Type.Nullable:
		c.fail(where, "has the word %s and is a pointer: it is never null", word)
	case f.Identifier:
		c.fail(where, "has the word %s and is the identifier, which never changes", word)
	// They would only ever judge what the store itself has set, and refuse a client for it.
	case len(f.Rules.All) > 0:
		c.fail(where, "has the word %s and rules: no client sets it, so there is nothing to check", word)
	}
	*found = f
}
