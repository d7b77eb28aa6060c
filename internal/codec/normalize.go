package codec

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/date"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// Records copies records and normalizes them to what every store can keep: times are UTC in microseconds, without a
// monotonic clock reading, and a zero has no sign. It is safe for concurrent use.
type Records struct {
	copier

	members []normalizedField
}

// normalizedField is a field of a record that may need normalizing.
type normalizedField struct {
	field     *model.Field
	offset    uintptr
	normalize walker
}

// CompileRecords returns the Records of a struct.
func CompileRecords(s *model.Struct) *Records {
	made, ws := &Records{copier: newCopier(&model.Type{Go: s.Go, Kind: model.Object, Struct: s})}, newWalkers(true)
	for _, f := range s.Fields {
		if plan := ws.field(f); plan != nil {
			made.members = append(made.members, normalizedField{f, offsetOf(s.Go, f.Index), plan})
		}
	}
	return made
}

// Normalize normalizes the record that a pointer points to. It does not change what the record's pointers, lists
// and maps share with others; it copies it first. The error is a [validation.Violation] for a value that no store
// can keep, unless clients cannot set the field: then the program has set it, and it is another error. So is that of a
// password that is not hashed.
func (r *Records) Normalize(pointer reflect.Value) error {
	record := pointer.UnsafePointer()
	for i := range r.members {
		m := &r.members[i]
		err := m.normalize(plus(record, m.offset), 0)
		switch {
		case err == nil:
			continue
		case m.field.Writable() && !m.field.Password:
			return validation.Fail(m.field.Name, m.field.Name+" "+err.Error())
		}
		return fmt.Errorf("the program has set what no store can keep: %s %w", m.field.Name, err)
	}
	return nil
}

func normalizeScalar(t *model.Type) walker {
	switch {
	case t.Kind == model.Time:
		return normalizeTime
	case t.IsDate():
		return normalizeDate
	case t.Digits != nil:
		return normalizeDecimal(t)
	case t.Kind == model.Float && t.Bits == 32:
		return normalizeFloat[float32]
	case t.Kind == model.Float:
		return normalizeFloat[float64]
	case t.Kind == model.Numeral:
		return normalizeNumeral
	case t.Kind == model.Uint && t.Bits == model.SignedBits:
		return checkUnsigned
	}
	return nil
}

// badYear is the message for a time that cannot be written, or not in UTC.
const badYear = "must be within the years from 0000 to 9999 in UTC"

// normalizeTime makes a time what stores keep. PostgreSQL keeps microseconds; with more precision elsewhere, ETags would
// differ between stores.
func normalizeTime(at address, _ int) error {
	t := (*time.Time)(at)
	if !IsWritable(*t) {
		return errors.New(badYear)
	}
	*t = t.UTC().Truncate(time.Microsecond)
	return nil
}

// normalizeDate rejects dates that have no text.
func normalizeDate(at address, _ int) error {
	var room [len(time.DateOnly)]byte
	if _, err := (*date.Date)(at).AppendText(room[:0]); err != nil {
		return errors.New("must be within the years from 0001 to 9999")
	}
	return nil
}

// normalizeDecimal returns a walker that gives decimal numbers all digits of their scale, as PostgreSQL does.
func normalizeDecimal(t *model.Type) walker {
	goType := t.Base()
	return func(at address, _ int) error {
		v := valueAt(at, goType)
		exact, err := t.Decimal(v)
		if err != nil {
			return err
		}
		if text, _ := model.MarshalText(v); string(text) == exact {
			return nil
		}
		made := reflect.New(goType).Elem()
		if err := model.UnmarshalText(made, []byte(exact)); err != nil {
			return err
		}
		v.Set(made)
		return nil
	}
}

// -0 equals 0 but is written differently, so one value would have two ETags.
func normalizeFloat[F float32 | float64](at address, _ int) error {
	f := (*F)(at)
	if *f == 0 {
		*f = 0
	}
	if math.IsNaN(float64(*f)) || math.IsInf(float64(*f), 0) {
		return errors.New("must be a finite number")
	}
	return nil
}

// Rejected instead of stored as text, which would sort and compare differently.
func checkUnsigned(at address, _ int) error {
	if *(*uint64)(at) > math.MaxInt64 {
		return errors.New("must be at most 9223372036854775807")
	}
	return nil
}

// The zero value is 0 in JSON, so a store that keeps JSON returns it as "0".
func normalizeNumeral(at address, _ int) error {
	number := (*model.Number)(at)
	if *number == "" {
		*number = "0"
	}
	if text := jsontext.Value(*number); text.Kind() != jsontext.KindNumber || !text.IsValid() || !isFinite(text) {
		return errors.New("must be a number")
	}
	return nil
}
