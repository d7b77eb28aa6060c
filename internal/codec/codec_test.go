package codec_test

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// subject is the codec of a type with the views that operations have of it.
type subject struct {
	*codec.Codec

	views *model.Views
}

// mode is a view for decoding.
type mode int

const (
	create mode = iota
	replace
	merge
	createNamed
	replaceNamed
)

// modeOf selects one of the views.
func modeOf(n byte) mode { return mode(n % 3) }

// read returns the decoder of a view.
func (s subject) read(m mode) *codec.Decoder {
	return s.Decoder(s.views.View([...]model.Message{
		create: model.Create, replace: model.Replace, merge: model.Merge, createNamed: model.CreateNamed, replaceNamed: model.ReplaceNamed,
	}[m]))
}

func (s subject) Decode(body []byte, into any, m mode) (codec.Decoded, error) {
	return s.read(m).Decode(body, into)
}

// Append encodes a value by the view of responses.
func (s subject) Append(b []byte, value any) ([]byte, error) {
	return s.Encoder(s.views.View(model.Response)).Append(b, value)
}

// Select returns the encoder of some fields.
func (s subject) Select(names []string) *codec.Encoder {
	return s.Encoder(s.views.View(model.Response)).Narrow(s.views.View(model.Response).Only(names))
}

// ShowsState reports whether responses show all fields.
func (s subject) ShowsState() bool { return s.views.View(model.Response).IsComplete() }

// Renew returns the start value for replacing a stored record.
func (s subject) Renew(stored any) any { return s.read(replace).ResetClone(stored) }

// typeOf compiles T.
func typeOf[T any](tb testing.TB) *model.Type {
	tb.Helper()
	compiled, err := model.CompileType(reflect.TypeFor[T]())
	if err != nil {
		tb.Fatalf("compiling %v: %v", reflect.TypeFor[T](), err)
	}
	return compiled
}

// needIn adds the fields at the paths, such as "address.city", to those that records need.
func needIn(t *model.Type, prefix string, required []string, needs map[*model.Field]bool, met map[*model.Struct]bool) {
	of := t.StructIn()
	if of == nil || met[of] {
		return
	}
	met[of] = true
	for _, f := range of.Fields {
		if slices.Contains(required, prefix+f.Name) {
			needs[f] = true
		}
		needIn(f.Type, prefix+f.Name+".", required, needs, met)
	}
}

// codecOf returns the codec of T with required fields, by their paths.
func codecOf[T any](tb testing.TB, required ...string) subject {
	tb.Helper()
	compiled, needs := typeOf[T](tb), map[*model.Field]bool{}
	needIn(compiled, "", required, needs, map[*model.Struct]bool{})
	if len(needs) != len(required) {
		tb.Fatalf("%v has %d of the required members %v", reflect.TypeFor[T](), len(needs), required)
	}
	c, err := codec.Compile(compiled)
	if err != nil {
		tb.Fatalf("compiling the codec of %v: %v", reflect.TypeFor[T](), err)
	}
	return subject{c, model.ViewsOf(compiled, needs)}
}

// decode decodes a well-formed body.
func decode(tb testing.TB, c subject, body string, into any, by mode) codec.Decoded {
	tb.Helper()
	decoded, err := c.Decode([]byte(body), into, by)
	if err != nil {
		tb.Fatalf("Decode(%s): %v", body, err)
	}
	return decoded
}

// linesOf lists violations as "path: message (code)".
func linesOf(violations []model.Violation) []string {
	lines := []string{}
	for _, v := range violations {
		lines = append(lines, v.Field+": "+v.Message+" ("+v.Code+")")
	}
	return lines
}

// wantLines compares violations with lines.
func wantLines(tb testing.TB, body string, decoded codec.Decoded, want ...string) {
	tb.Helper()
	if want == nil {
		want = []string{}
	}
	if diff := cmp.Diff(want, linesOf(decoded.Violations)); diff != "" {
		tb.Errorf("%s: violations (-want +got):\n%s", body, diff)
	}
}

// emptyIn lists the values that the body has empty, except structs, by their paths of Go names.
func emptyIn(decoded codec.Decoded, record any) map[string]string {
	found := map[string]string{}
	var location model.Location
	var below func(t *model.Type, v reflect.Value, path string)
	below = func(t *model.Type, v reflect.Value, path string) {
		if isLeaf := t.Struct == nil && (t.Elem == nil || v.Len() == 0 || t.Kind == model.Array && v.IsZero()); isLeaf && location.Len() > 0 && decoded.IsEmptyAt(&location) {
			found[location.String()] = strings.TrimPrefix(path, ".")
		}
		if v = reflect.Indirect(v); !v.IsValid() {
			return
		}
		switch {
		case t.Struct != nil:
			for _, f := range t.Struct.Fields {
				location.ToField(f)
				below(f.Type, f.Value(v), path+"."+f.GoPath)
				location.Up()
			}
		case t.Kind == model.Map:
			for _, key := range v.MapKeys() {
				location.ToEntry(key.String())
				below(t.Elem, v.MapIndex(key), path+"["+key.String()+"]")
				location.Up()
			}
		case t.Elem != nil:
			for i := range v.Len() {
				location.ToElement(i)
				below(t.Elem, v.Index(i), path+"["+strconv.Itoa(i)+"]")
				location.Up()
			}
		}
	}
	of := decoded.View.Struct
	below(&model.Type{Go: of.Go, Kind: model.Object, Struct: of}, reflect.ValueOf(record), "")
	return found
}

// encode returns the JSON of a value.
func encode(tb testing.TB, c subject, value any) string {
	tb.Helper()
	text, err := c.Append(nil, value)
	if err != nil {
		tb.Fatalf("Append(%+v): %v", value, err)
	}
	return string(text)
}
