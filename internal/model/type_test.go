package model_test

import (
	"reflect"
	"strconv"
	"testing"

	"github.com/trove-api/trove/internal/model"
)

type branch struct {
	Name   string
	Twigs  []branch
	Above  *branch
	Fruit  map[string][2]*int8
	Leaves []leaf
}

type leaf struct{ Green bool }

func typeOf[T any](t *testing.T) *model.Type {
	t.Helper()
	compiled, err := model.CompileType(reflect.TypeFor[T]())
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// A fold asks each case where it belongs, each struct once, and hands down what a place adds to a type.
func TestAFoldGoesThroughAType(t *testing.T) {
	t.Parallel()
	var texts model.Fold[string, string]
	texts.Scalar = func(t *model.Type, at string) string { return at + "scalar " + strconv.Itoa(int(t.Kind)) }
	texts.List = func(t *model.Type, at string) string { return "[" + texts.Of(t.Elem, at+"in list ") + "]" }
	texts.Map = func(t *model.Type, at string) string { return "map(" + texts.Of(t.Elem, at+"in map ") + ")" }
	texts.Null = func(t *model.Type, at string) string { return texts.Base(t, at) + "?" }
	texts.Object = func(t *model.Type, at string, known func(string)) string {
		known("<" + t.Struct.Go.Name() + ">")
		made := "{"
		for _, f := range t.Struct.Fields {
			made += f.Name + ": " + texts.Of(f.Type, at) + "; "
		}
		return made + "}"
	}
	want := "{Name: scalar 5; Twigs: [<branch>]; Above: <branch>?; Fruit: map([in map in list scalar 2?]); " +
		"Leaves: [{Green: in list scalar 1; }]; }"
	if got := texts.Of(typeOf[branch](t), ""); got != want {
		t.Errorf("the fold made\n%s, want\n%s", got, want)
	}
}

func TestAFoldDistinguishesPlansOfOneStruct(t *testing.T) {
	t.Parallel()
	calls := 0
	var counts model.Fold[bool, int]
	counts.Key = func(_ *model.Type, at bool) any { return at }
	counts.Object = func(t *model.Type, at bool, known func(int)) int {
		calls++
		known(calls)
		for _, f := range t.Struct.Fields {
			counts.Of(f.Type, !at)
		}
		return calls
	}
	counts.Of(typeOf[branch](t), true)
	counts.Of(typeOf[branch](t), false)
	if calls != 2 { // leaf is taken for a branch, as Key says
		t.Errorf("%d plans were made, want one for each key", calls)
	}
}

func TestAFoldWithoutCasesIsZero(t *testing.T) {
	t.Parallel()
	var none model.Fold[struct{}, int]
	if got := none.Of(typeOf[branch](t), struct{}{}); got != 0 {
		t.Errorf("%d, want 0", got)
	}
	none.Scalar = func(*model.Type, struct{}) int { return 7 }
	if got := none.Of(typeOf[map[string][]*string](t), struct{}{}); got != 7 {
		t.Errorf("%d, want that of the element", got)
	}
}

func TestWithinYieldsEachStructOnce(t *testing.T) {
	t.Parallel()
	var found []string
	for within := range typeOf[branch](t).Within() {
		found = append(found, within.Go.String())
	}
	want := []string{
		"model_test.branch", "string", "[]model_test.branch", "model_test.branch", "*model_test.branch", "map[string][2]*int8", "[2]*int8", "*int8",
		"[]model_test.leaf", "model_test.leaf", "bool",
	}
	if !reflect.DeepEqual(found, want) {
		t.Errorf("%q, want %q", found, want)
	}
	for within := range typeOf[branch](t).Within() {
		if within.Kind == model.String {
			break
		}
	}
}
