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

// HidesState reports whether a record may change in nothing that an answer shows: it has
// members that none does, and no version that tells of their changes. Where clients choose
// identifiers another record may come to have the version of one that was deleted.
//
// Nor does an answer show all of a record that has members which some may not see, or which
// a view leaves out.
func (r *Resource) HidesState() bool {
	return r.Gate.Hides() || r.Narrows || r.Hides && (r.Struct.Version == nil || !r.ID.Generated())
}
