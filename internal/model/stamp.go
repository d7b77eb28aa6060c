package model

import (
	"math"
	"reflect"
	"time"
)

// Stamped reports whether records have a version, or the time of their creation or last change.
func (s *Struct) Stamped() bool { return s.Version != nil || s.Created != nil || s.Modified != nil }

// Stamp updates the version and times of a record before it is written. Stored is the record in the store, nil for a
// new one. The version always comes from the stored record, because the writer's copy may be old; only a creation time
// that is set is kept. Both arguments are pointers to the struct.
func (s *Struct) Stamp(record, stored any) {
	if !s.Stamped() {
		return
	}
	in := reflect.ValueOf(record).Elem()
	var before reflect.Value
	if stored != nil {
		before = reflect.ValueOf(stored).Elem()
	}
	if f := s.Version; f != nil {
		version := int64(1) // also after the largest one, so that the record can still be changed
		if stored != nil {
			switch last, v := f.LastVersion(), f.Value(before); {
			case v.CanInt() && 0 <= v.Int() && v.Int() < last:
				version = v.Int() + 1
			case v.CanUint() && v.Uint() < uint64(last): //nolint:gosec // positive
				version = int64(v.Uint()) + 1 //nolint:gosec // less than last
			}
		}
		if v := f.Value(in); v.CanInt() {
			v.SetInt(version)
		} else {
			v.SetUint(uint64(version))
		}
	}
	// Read the clock only if needed: for most changes it costs as much as everything else here.
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

// Touch sets the time of the last change in a record, a pointer to the struct.
func (s *Struct) Touch(record any) { s.touch(reflect.ValueOf(record).Elem(), stampTime()) }

func (s *Struct) touch(record reflect.Value, now time.Time) {
	if s.Modified != nil {
		setTime(s.Modified.Value(record), now)
	}
}

// stampTime returns the current time in milliseconds, because databases keep at most microseconds and milliseconds are
// easier to read.
func stampTime() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// LastVersion returns the largest version that a field and a database can hold.
func (f *Field) LastVersion() int64 {
	if bits := f.Type.Bits; f.Type.Kind == Uint && bits < 64 {
		return 1<<bits - 1
	} else if f.Type.Kind == Int && bits < 64 {
		return 1<<(bits-1) - 1
	}
	return math.MaxInt64
}

// setTime sets a time.
func setTime(v reflect.Value, t time.Time) {
	if at, ok := reflect.TypeAssert[*time.Time](v.Addr()); ok {
		*at = t
	}
}

// markChanges finds the fields with the words version, created, modified and deleted. Each of these words, and title, is allowed
// on one field.
func (c *compiler) markChanges(s *Struct) {
	var title *Field
	for _, f := range s.Fields {
		where := Declaration{Type: s.Go, Field: f.GoPath}
		for _, each := range []struct {
			word  string
			is    bool
			found **Field
		}{
			{"title", f.Title, &title},
			{"version", f.Version, &s.Version},
			{"created", f.Created, &s.Created},
			{"modified", f.Modified, &s.Modified},
			{"deleted", f.Deleted, &s.Deleted},
		} {
			switch {
			case !each.is:
			case *each.found != nil:
				c.fail(where, "only one field can have the word %s, and %s already has it", each.word, (*each.found).GoPath)
			default:
				*each.found = f
				if each.word != "title" {
					c.checkStamp(where, each.word, f)
				}
			}
		}
	}
}

// checkStamp reports what a field with the word version, created, modified or deleted cannot be.
func (c *compiler) checkStamp(where Declaration, word string, f *Field) {
	if word == "version" && !f.Type.Kind.IsInteger() {
		c.fail(where, "version does not support the type %s; allowed: an integer", f.Type.Go)
	}
	switch {
	case word == "deleted" && f.Type.Go != reflect.TypeFor[*time.Time]():
		c.fail(where, "deleted does not support the type %s; allowed: *time.Time", f.Type.Go)
	case word != "version" && f.Type.Kind != Time:
		c.fail(where, "%s does not support the type %s; allowed: time.Time", word, f.Type.Go)
	}
	if f.Type.Nullable && word != "deleted" {
		c.fail(where, "a field with the word %s cannot be a pointer", word)
	}
	if f.Identifier {
		c.fail(where, "the identifier cannot have the word %s, because it never changes", word)
	}
	if len(f.Rules.All) > 0 {
		c.fail(where, "a field with the word %s cannot have rules, because clients never set it", word)
	}
}
