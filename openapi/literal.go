package openapi

import (
	"math"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/model"
)

// literal returns a JSON value as kin-openapi keeps values.
func literal(text jsontext.Value) any {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return nil
	}
	return integral(value)
}

// integral returns a JSON value with its whole numbers as integers.
func integral(value any) any {
	switch v := value.(type) {
	case float64:
		if v == math.Trunc(v) && math.Abs(v) <= exact {
			return int64(v)
		}
	case []any:
		for i := range v {
			v[i] = integral(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = integral(v[name])
		}
	}
	return value
}

// ownForm makes an example of a type that marshals itself: its zero value, if it takes
// that back.
func ownForm(t *model.Type, format string) (made any, ok bool) {
	if format == "uuid" {
		return "01890a5d-ac96-774b-bcce-b302099a8057", true
	}
	defer func() {
		if recover() != nil { // the user's methods may not expect a zero value
			made, ok = nil, false
		}
	}()
	text, err := json.Marshal(reflect.New(t.Base()).Interface())
	if err != nil || json.Unmarshal(text, reflect.New(t.Base()).Interface()) != nil {
		return nil, false
	}
	return literal(text), true
}
