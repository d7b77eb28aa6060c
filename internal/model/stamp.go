package model

import (
	"math"
	"reflect"
	"time"
)

// Stamped reports whether records tell of their changes: by a version, or by the times of
// their creation or of the last change.
func (s *Struct) Stamped() bool { return s.Version != nil || s.Created != nil || s.Modified != nil }

// Stamp counts a change of a record and notes its time, in the record that is about to be
// written. Stored is the record as the store has it, nil for a new one: nothing is taken
// from the writer, who may have it from anywhere, but a time of creation that is set. Both
// are pointers to the struct.
func (s *Struct) Stamp(record, stored any) {
	if s.Version == nil && s.Created == nil && s.Modified == nil {
		return
	}
	in := reflect.ValueOf(record).Elem()
	var before reflect.Value
	if stored != nil {
		before = reflect.ValueOf(stored).Elem()
	}
	if f := s.Version; f != nil {
		version := int64(1)
		if stored != nil {
			// From the stored one: a writer may have read the record long ago, or made it up.
			version = f.nextVersion(f.Value(before))
		}
		if v := f.Value(in); v.CanInt() {
			v.SetInt(version)
		} else {
			v.SetUint(uint64(version))
		}
	}
	// The clock is asked only where the time is kept: for most changes it costs as much as all else here.
	var now time.Time
	if stored == nil || s.Modified != nil {
		now = stampTime()
	}
	if f := s.Created; f != nil && f.Value(in).IsZero() {
		if stored != nil {
			f.Value(in).Set(f.Value(before))
		} else {
			setTime(f.Value(in), now)
		}
	}
	s.touch(in, now)
}

// Touch notes the time of a change in a record, a pointer to the struct.
func (s *Struct) Touch(record any) { s.touch(reflect.ValueOf(record).Elem(), stampTime()) }

func (s *Struct) touch(record reflect.Value, now time.Time) {
	if s.Modified != nil {
		setTime(s.Modified.Value(record), now)
	}
}

// stampTime returns the time of a change that is made now. Databases keep microseconds;
// clients and people read milliseconds.
func stampTime() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// nextVersion returns the version behind one. It begins anew behind the largest one that
// the field has and a database can keep.
// It begins anew rather than fails: a record that can no longer be changed would be worse than one
// whose version is met again after as many changes as the type has numbers.
func (f *Field) nextVersion(v reflect.Value) int64 {
	last := f.LastVersion()
	switch {
	case v.CanInt() && 0 <= v.Int() && v.Int() < last:
		return v.Int() + 1
	case v.CanUint() && v.Uint() < uint64(last): //nolint:gosec // positive
		return int64(v.Uint()) + 1 //nolint:gosec // less than last
	}
	return 1
}

// LastVersion returns the largest version of a field.
func (f *Field) LastVersion() int64 {
	if bits := f.Type.Bits; f.Type.Kind == Uint && bits < 64 {
		return 1<<bits - 1
	} else if f.Type.Kind == Int && bits < 64 {
		return 1<<(bits-1) - 1
	}
	return math.MaxInt64
}

// setTime sets a time of any type whose underlying type is time.Time.
func setTime(v reflect.Value, t time.Time) {
	if at, ok := reflect.TypeAssert[*time.Time](v.Addr()); ok {
		*at = t
		return
	}
	v.Set(reflect.ValueOf(t).Convert(v.Type()))
}

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
