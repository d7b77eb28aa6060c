package check

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// TestNoRulePanicsAtARequest tries every rule, with several parameters, on every kind of field: Compile rejects it,
// or Check works for empty and other values.
func TestNoRulePanicsAtARequest(t *testing.T) {
	t.Parallel()
	types := []reflect.Type{
		reflect.TypeFor[bool](), reflect.TypeFor[int8](), reflect.TypeFor[uint](), reflect.TypeFor[float64](),
		reflect.TypeFor[string](), reflect.TypeFor[[]byte](), reflect.TypeFor[time.Time](), reflect.TypeFor[uuid.UUID](),
		reflect.TypeFor[any](), reflect.TypeFor[[]string](), reflect.TypeFor[[]any](), reflect.TypeFor[[]*int](),
		reflect.TypeFor[[][]int](), reflect.TypeFor[[2]bool](), reflect.TypeFor[map[string]any](), reflect.TypeFor[struct{ A int }](),
		reflect.TypeFor[[]struct{ A any }](), reflect.TypeFor[*int](), reflect.TypeFor[*string](), reflect.TypeFor[*time.Time](),
	}
	if testing.Short() {
		types = types[:8]
	}
	accepted, compiler := 0, newCompiler(t)
	for name := range catalogue() {
		for _, param := range []string{"", "=3", "=x", "=Other", "=Other 3", "=Other x"} {
			for _, of := range types {
				if survives(t, compiler, of, name+param) {
					accepted++
				}
			}
		}
	}
	if accepted < len(types)*20 {
		t.Errorf("only %d rules are accepted", accepted)
	}
}

// survives compiles a rule on a field of a type, and reports whether it is accepted.
func survives(t *testing.T, compiler *Compiler, of reflect.Type, rule string) bool {
	t.Helper()
	record := reflect.StructOf([]reflect.StructField{
		{Name: "Field", Type: of, Tag: reflect.StructTag(`validate:"` + rule + `"`)},
		{Name: "Other", Type: reflect.TypeFor[int]()},
	})
	typ := compileType(t, record)
	checker, err := compiler.Compile(typ.Struct, nil)
	if err != nil {
		return false
	}
	empty := reflect.New(record)
	full := reflect.New(record)
	full.Elem().Field(0).Set(valueOf(typ.Struct.Fields[0].Type))
	full.Elem().Field(1).SetInt(3)
	for _, value := range []reflect.Value{empty, full} {
		if _, err := checker.Check(t.Context(), value.Interface(), codec.Decoded{}); err != nil {
			t.Errorf("%q on %s: %v", rule, of, err)
		}
	}
	return true
}

// valueOf returns a non-empty value, also for pointers.
func valueOf(t *model.Type) reflect.Value {
	base := specimen(t)
	if !t.Nullable {
		return base
	}
	pointer := reflect.New(base.Type())
	pointer.Elem().Set(base)
	return pointer
}

func compileType(t *testing.T, of reflect.Type) *model.Type {
	t.Helper()
	typ, err := model.CompileType(of)
	if err != nil {
		t.Fatal(err)
	}
	return typ
}

func TestAnInvalidRuleOfAnExampleIsBroken(t *testing.T) {
	t.Parallel()
	of := &model.Type{Go: reflect.TypeFor[string](), Kind: model.String}
	for tag, want := range map[string]bool{"requird": false, "max=x": false, "port": false, "max=3": true, "eqfield=Other": true, "rgb|emial": false} {
		rules, err := model.ParseRules(tag)
		if err != nil {
			t.Fatal(err)
		}
		if got := newCompiler(t).Follows(of, rules, []byte(`"a"`)); got != want {
			t.Errorf("an example follows %s: %v, want %v", tag, got, want)
		}
	}
}
