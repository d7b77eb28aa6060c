package compiled

import (
	"reflect"
	"strconv"
	"time"
)

// Version returns the number of a record's version as text, "" where its struct has no
// field for it.
func (r *Resource) Version(record any) string {
	f := r.Struct.Version
	if f == nil {
		return ""
	}
	v := f.Value(reflect.ValueOf(record).Elem())
	if v.CanInt() {
		return strconv.FormatInt(v.Int(), 10)
	}
	return strconv.FormatUint(v.Uint(), 10)
}

// Modified returns when a record was changed last, the zero time where its struct has no
// field for it.
func (r *Resource) Modified(record any) time.Time {
	f := r.Struct.Modified
	if f == nil {
		return time.Time{}
	}
	at, _ := reflect.TypeAssert[time.Time](f.Value(reflect.ValueOf(record).Elem()).Convert(reflect.TypeFor[time.Time]()))
	return at
}

// Stamp counts a change of a record, which previous was before it, and notes its time. For
// a new record previous is nil. A time of creation that a hook has set stays.
func (r *Resource) Stamp(record, previous any, created bool) {
	in := reflect.ValueOf(record).Elem()
	if f := r.Struct.Version; f != nil {
		v := f.Value(in)
		v.SetZero()
		if previous != nil {
			v.Set(f.Value(reflect.ValueOf(previous).Elem()))
		}
		count(v)
	}
	if r.Struct.Created == nil && r.Struct.Modified == nil {
		return
	}
	// Databases keep microseconds; clients and people read milliseconds.
	now := time.Now().UTC().Truncate(time.Millisecond)
	if f := r.Struct.Created; f != nil && created && f.Value(in).IsZero() {
		setTime(f.Value(in), now)
	}
	if f := r.Struct.Modified; f != nil {
		setTime(f.Value(in), now)
	}
}

// setTime sets a time of any type whose underlying type is time.Time.
func setTime(v reflect.Value, t time.Time) {
	if at, ok := reflect.TypeAssert[*time.Time](v.Addr()); ok {
		*at = t
		return
	}
	v.Set(reflect.ValueOf(t).Convert(v.Type()))
}

// count adds one to an integer, and begins anew behind its largest value.
func count(v reflect.Value) {
	if v.CanInt() {
		next := v.Int() + 1
		if v.OverflowInt(next) || next <= 0 {
			next = 1
		}
		v.SetInt(next)
		return
	}
	next := v.Uint() + 1
	if v.OverflowUint(next) || next == 0 {
		next = 1
	}
	v.SetUint(next)
}
