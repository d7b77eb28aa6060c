package codec_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/report"
)

// typeOf compiles T, with the members at the paths marked as required: "address.city".
func typeOf[T any](tb testing.TB, required ...string) *model.Type {
	tb.Helper()
	compiled, err := model.CompileType(reflect.TypeFor[T]())
	if err != nil {
		tb.Fatalf("compiling %v: %v", reflect.TypeFor[T](), err)
	}
	marked := requireIn(compiled, "", required, map[*model.Struct]bool{})
	if marked != len(required) {
		tb.Fatalf("%v has %d of the required members %v", reflect.TypeFor[T](), marked, required)
	}
	return compiled
}

func requireIn(t *model.Type, prefix string, required []string, met map[*model.Struct]bool) (marked int) {
	for t.Elem != nil {
		t = t.Elem
	}
	if t.Struct == nil || met[t.Struct] {
		return 0
	}
	met[t.Struct] = true
	for _, f := range t.Struct.Fields {
		if slices.Contains(required, prefix+f.Name) {
			f.Required = true
			marked++
		}
		marked += requireIn(f.Type, prefix+f.Name+".", required, met)
	}
	return marked
}

// codecOf returns the codec of T with required members.
func codecOf[T any](tb testing.TB, required ...string) *codec.Codec {
	tb.Helper()
	c, err := codec.Compile(typeOf[T](tb, required...))
	if err != nil {
		tb.Fatalf("compiling the codec of %v: %v", reflect.TypeFor[T](), err)
	}
	return c
}

// decode decodes a body that is well-formed.
func decode(tb testing.TB, c *codec.Codec, body string, into any, mode codec.Mode) codec.Decoded {
	tb.Helper()
	decoded, err := c.Decode([]byte(body), into, mode)
	if err != nil {
		tb.Fatalf("Decode(%s): %v", body, err)
	}
	return decoded
}

// told lists violations as "path: message (code)".
func told(violations []report.Violation) []string {
	lines := []string{}
	for _, v := range violations {
		lines = append(lines, v.Field+": "+v.Message+" ("+v.Code+")")
	}
	return lines
}

// wantTold reports where the violations are not those of the lines.
func wantTold(tb testing.TB, body string, decoded codec.Decoded, want ...string) {
	tb.Helper()
	if want == nil {
		want = []string{}
	}
	if diff := cmp.Diff(want, told(decoded.Violations)); diff != "" {
		tb.Errorf("%s: violations (-want +got):\n%s", body, diff)
	}
}

// emptyIn lists the values that a body has empty, by their paths: those of Go's names.
func emptyIn(decoded codec.Decoded) map[string]string {
	found := map[string]string{}
	for at := range decoded.Empties() {
		found[at.String()] = at.GoPath()
	}
	return found
}

// encode returns the JSON of a value.
func encode(tb testing.TB, c *codec.Codec, value any) string {
	tb.Helper()
	text, err := c.Append(nil, value)
	if err != nil {
		tb.Fatalf("Append(%+v): %v", value, err)
	}
	return string(text)
}
