package codec

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"time"
	"unicode/utf8"

	"github.com/trove-api/trove/internal/model"
)

// badYear is said of a time that cannot be written, or not in UTC.
const badYear = "must be within the years from 0000 to 9999 in UTC"

// What no store can keep.
var (
	errYears    = errors.New(badYear)
	errInfinite = errors.New("must be a finite number")
	errTooLarge = errors.New("must be at most 9223372036854775807")
	errNoOrder  = errors.New("must be a value that can be put in order")
)

// keptTime returns what stores keep of a time.
// Microseconds are what PostgreSQL keeps; a store that kept more would answer with another ETag
// after a record has moved to the other.
func keptTime(at time.Time) time.Time { return at.UTC().Truncate(time.Microsecond) }

// Equal by ==, not by Equal: a zone or the reading of a clock would be lost by a store.
func keepsTime(at address, _ int) (bool, error) {
	given := *as[time.Time](at)
	if !IsWritable(given) {
		return false, errYears
	}
	return keptTime(given) == given, nil //nolint:staticcheck // a zone or a clock is a difference
}

func normalizeTime(at address, _ int) {
	t := as[time.Time](at)
	*t = keptTime(*t)
}

func normalizerOfFloat(bits int) *normalizer {
	if bits == 32 {
		return &normalizer{keepsFloat[float32], normalizeFloat[float32]}
	}
	return &normalizer{keepsFloat[float64], normalizeFloat[float64]}
}

// -0 equals 0 in every comparison, yet is written otherwise: two records with one value would
// have two states.
func keepsFloat[F float32 | float64](at address, _ int) (bool, error) {
	f := float64(*as[F](at))
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return false, errInfinite
	}
	return f != 0 || !math.Signbit(f), nil
}

func normalizeFloat[F float32 | float64](at address, _ int) {
	if f := as[F](at); *f == 0 {
		*f = 0
	}
}

// fitsIndex returns what tells whether a value fits into the index of its field, nil for a
// field without one.
// Characters for texts and bytes for bytes, as the limit of an index is told to clients in the
// document.
func fitsIndex(f *model.Field) func(at address) error {
	most, base := f.MaxIndexed(), f.Type.Base()
	hasKey := f.Type.HasOrderKey()
	if most == 0 || base.Kind() == reflect.Array && !hasKey { // such as a UUID
		return nil
	}
	length, unit := func(at address) int { return utf8.RuneCountInString(*as[string](at)) }, "characters"
	switch f.Type.Kind {
	case model.Bytes:
		length, unit = func(at address) int { return len(*as[[]byte](at)) }, "bytes"
	case model.Text:
		length = func(at address) int {
			text, _ := model.TextOf(at.value(base)) // what has no text is told when it is written
			return utf8.RuneCountInString(text)
		}
	}
	tooLong := fmt.Errorf("must be at most %d %s long", most, unit)
	return func(at address) error {
		if f.Type.Nullable {
			at = at.target()
		}
		if at.isNil() {
			return nil
		}
		if length(at) > most {
			return tooLong
		}
		if hasKey {
			if key, err := model.OrderTextOf(at.value(base)); err != nil || !model.IsOrderKey(key) {
				return errNoOrder
			}
		}
		return nil
	}
}

// It is refused rather than kept as text, which would sort and compare otherwise.
func keepsUnsigned(at address, _ int) (bool, error) {
	if *as[uint64](at) > math.MaxInt64 {
		return false, errTooLarge
	}
	return true, nil
}
