package memory

import (
	"encoding"
	"fmt"
	"reflect"
	"time"

	"github.com/trove-api/trove/internal/model"
)

// key is a value that one record at most has in a field.
type key struct {
	field *model.Field
	value any
}

// instant is a time without its zone.
type instant struct {
	second     int64
	nanosecond int
}

// checkUnique reports a unique field of a type whose values have no simple equality.
func (s *shape) checkUnique(field *model.Field) error {
	switch field.Type.Kind {
	case model.Bool, model.Int, model.Uint, model.Float, model.String, model.Bytes, model.Time, model.Text:
		return nil
	}
	return fmt.Errorf("store/memory: %s.%s: is unique and has the type %s: a unique field is a bool, number, string, []byte, "+
		"time.Time or a type that marshals itself as text", s.name, field.GoPath, field.Type.Go)
}

// keys returns the values that no other record may have: one for each unique field
// that is not null.
func (s *shape) keys(record any) ([]key, error) {
	if len(s.unique) == 0 {
		return nil, nil
	}
	keys := make([]key, 0, len(s.unique))
	for _, field := range s.unique {
		value := field.Value(reflect.ValueOf(record).Elem())
		if field.Type.Nullable {
			if value.IsNil() {
				continue
			}
			value = value.Elem()
		}
		comparand, err := comparandOf(field.Type.Kind, value)
		if err != nil {
			return nil, fmt.Errorf("store/memory: %s: %w", field.Name, err)
		}
		keys = append(keys, key{field, comparand})
	}
	return keys, nil
}

// comparandOf returns a value that is == for values that are equal in JSON, but for
// times, which are equal when they are the same instant.
func comparandOf(kind model.Kind, value reflect.Value) (any, error) {
	switch kind {
	case model.Bytes:
		return string(value.Bytes()), nil
	case model.Time:
		t := value.Interface().(time.Time)
		return instant{t.Unix(), t.Nanosecond()}, nil
	case model.Text:
		return textOf(value.Addr().Interface())
	}
	return value.Interface(), nil
}

func textOf(value any) (string, error) {
	if appender, ok := value.(encoding.TextAppender); ok {
		text, err := appender.AppendText(nil)
		return string(text), err
	}
	text, err := value.(encoding.TextMarshaler).MarshalText()
	return string(text), err
}
