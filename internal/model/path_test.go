package model_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/model"
)

type street struct {
	Name string `json:"name" api:"filter=partial,sort"`
	No   *int   `json:"no"`
	Back *house `json:"back"`
}

type house struct {
	ID     int64            `json:"id"`
	Front  street           `json:"front"`
	Side   *street          `json:"side"`
	Rooms  []street         `json:"rooms"`
	Named  map[string]house `json:"named"`
	Hidden street           `json:"hidden" api:"writeonly"`
	Next   *house           `json:"next"`
}

func TestPathsLeadThroughObjects(t *testing.T) {
	t.Parallel()
	s := compile(t, reflect.TypeFor[house]())
	var names []string
	for _, path := range s.Paths() {
		names = append(names, path.Name)
	}
	want := "id front front.name front.no front.back side side.name side.no side.back rooms named next"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the paths are %s\nwant %s", got, want)
	}
	for name, found := range map[string]bool{
		"id": true, "front.name": true, "side.no": true, "side.back.front.name": true, "next.next.id": true, "hidden.name": true,
		"": false, ".": false, "front.": false, ".name": false, "front.nothing": false, "rooms.name": false, "named.id": false, "id.x": false, "front.name.x": false,
	} {
		path, ok := s.Path(name)
		if ok != found || ok && path.Name != name {
			t.Errorf("%q: %v, want %v", name, ok, found)
		}
	}
}

func TestValuesBehindPaths(t *testing.T) {
	t.Parallel()
	s := compile(t, reflect.TypeFor[house]())
	full := &house{ID: 7, Front: street{Name: "front", No: new(1)}, Side: &street{Name: "side"}}
	for name, want := range map[string]any{
		"id": int64(7), "front.name": "front", "front.no": 1, "side.name": "side", "side.no": nil, "next.id": nil, "side.back.id": nil,
	} {
		path, ok := s.Path(name)
		if !ok {
			t.Fatalf("%s is not found", name)
		}
		value, exists := path.Value(reflect.ValueOf(full).Elem())
		if exists != (want != nil) || exists && value.Interface() != want {
			t.Errorf("%s is %v, want %v", name, value, want)
		}
		if nullable := want == nil || name == "side.name" || name == "front.no"; path.Nullable() != nullable {
			t.Errorf("%s can be null: %v", name, path.Nullable())
		}
	}
}

func TestWordsOfCollectionsFitTheirTypes(t *testing.T) {
	t.Parallel()
	for want, of := range map[string]reflect.Type{
		`struct{}: sort does not support the type []int; allowed: a bool, number, string`: reflect.TypeFor[struct {
			ID    int
			Lists []int `api:"sort"`
		}](),
		`search does not support the type int; allowed: a string`: reflect.TypeFor[struct {
			ID int
			N  int `api:"search"`
		}](),
		`filter "partial" does not support the type int; allowed: a string`: reflect.TypeFor[struct {
			ID int
			N  int `api:"filter=partial"`
		}](),
		`filter "range" does not support the type bool; allowed: a number, string, time.Time or date.Date, or a type that marshals itself as text and is a store.Ordered`: reflect.TypeFor[struct {
			ID int
			B  bool `api:"filter=range"`
		}](),
		`filter "exists" does not support the type string; allowed: a pointer, which can be null`: reflect.TypeFor[struct {
			ID int
			S  string `api:"filter=exists"`
		}](),
		`filter "exact" does not support the type map[string]int; allowed: a bool, number, string, time.Time or a type that marshals itself as text`: reflect.TypeFor[struct {
			ID int
			M  map[string]int `api:"filter"`
		}](),
		`filters exact, start use the same parameter S=…; choose one`: reflect.TypeFor[struct {
			ID int
			S  string `api:"filter=exact|start"`
		}](),
		`duplicate filter "range" in the api tag`: reflect.TypeFor[struct {
			ID int
			N  int `api:"filter=range|range"`
		}](),
		`unknown filter "partail" in the api tag; did you mean "partial"?`: reflect.TypeFor[struct {
			ID int
			S  string `api:"filter=partail"`
		}](),
		`a writeonly field cannot have filter, sort, search, group or aggregate, which would reveal its value`: reflect.TypeFor[struct {
			ID int
			S  string `api:"writeonly,search"`
		}](),
	} {
		_, err := model.Compile(of)
		_, text, _ := strings.Cut(want, "struct{}: ")
		if text == "" {
			text = want
		}
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v\nwant %s", err, text)
		}
	}
}
