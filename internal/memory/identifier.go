package memory

import (
	"fmt"
	"math"
	"reflect"
	"sync"

	"github.com/google/uuid"

	"github.com/trove-api/trove/internal/model"
)

// checkID reports a field of an identifier that cannot find records or cannot be generated. A
// type that is text must take the text of a UUID, to the same value each time.
func (s *shape) checkID(id *model.Field) error {
	where := "store/memory: " + s.name + "." + id.GoPath
	if !id.Type.Go.Comparable() {
		return fmt.Errorf("%s: is the identifier and has the type %s: an identifier is found with ==, which this type does not have",
			where, id.Type.Go)
	}
	if id.Type.Kind != model.Text || !id.Generated {
		return nil
	}
	a, b := reflect.New(id.Type.Go).Elem(), reflect.New(id.Type.Go).Elem()
	text := []byte("0190b6d8-5c1f-7c3e-8f5a-3b1e5d7c9a24")
	for _, made := range []reflect.Value{a, b} {
		if err := model.UnmarshalText(made, text); err != nil {
			return fmt.Errorf("%s: is the identifier and has the type %s, which does not take a generated UUID such as %s: %w",
				where, id.Type.Go, text, err)
		}
	}
	if !a.Equal(b) {
		return fmt.Errorf("%s: is the identifier and has the type %s, whose values for one text are not ==: use a plain array or string, such as uuid.UUID",
			where, id.Type.Go)
	}
	return nil
}

// identify generates the identifier of a record, if it is one that is generated and
// is zero. An integer that is given is not generated later.
func (s *shape) identify(record any) error {
	if s.id == nil {
		return nil
	}
	id := s.id.Value(reflect.ValueOf(record).Elem())
	if !s.id.Generated || !id.IsZero() {
		s.reserve(record)
		return nil
	}
	if s.id.Type.Kind == model.Text {
		made, err := uuid.NewV7()
		if err != nil {
			return fmt.Errorf("store/memory: generating a UUID: %w", err)
		}
		return model.UnmarshalText(id, []byte(made.String()))
	}
	n, ok := s.ids.next()
	if !ok {
		return fmt.Errorf("store/memory: %s has no identifiers left: the largest %s is taken", s.name, s.id.Type.Go)
	}
	if id.CanInt() {
		id.SetInt(int64(n)) //nolint:gosec // limit keeps n within the type
	} else {
		id.SetUint(n)
	}
	return nil
}

// reserve keeps the integer identifier that a record has from being generated.
func (s *shape) reserve(record any) {
	if s.id == nil {
		return
	}
	id := s.id.Value(reflect.ValueOf(record).Elem())
	switch {
	case id.CanInt() && id.Int() > 0:
		s.ids.pass(uint64(id.Int())) //nolint:gosec // positive
	case id.CanUint():
		s.ids.pass(id.Uint())
	}
}

// limit returns the largest identifier of an integer type, 0 for other types.
func limit(t *model.Type) uint64 {
	switch bits := t.Bits; {
	case !t.Kind.IsInteger():
		return 0
	case t.Kind == model.Int:
		return math.MaxUint64 >> (65 - bits)
	default:
		return math.MaxUint64 >> (64 - bits)
	}
}

// sequence counts integer identifiers up from 1, each once. It is safe for use by many
// goroutines.
type sequence struct {
	limit uint64
	mu    sync.Mutex
	last  uint64
}

// next returns a number that it has neither returned nor passed, or false where there
// is none up to the limit.
func (s *sequence) next() (uint64, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last >= s.limit {
		return 0, false
	}
	s.last++
	return s.last, true
}

// pass goes on after n.
func (s *sequence) pass(n uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = max(s.last, n)
}
