package model_test

import (
	"encoding/json"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"github.com/trove-api/trove/internal/model"
)

type (
	colour      string
	level       int8
	blob        []byte
	pointerT    struct{ text string }
	halfText    struct{ text string }
	page[T any] struct {
		Items []T `json:"items"`
	}
)

func (p *pointerT) MarshalText() ([]byte, error) { return []byte(p.text), nil }
func (p *pointerT) UnmarshalText(b []byte) error { p.text = string(b); return nil }
func (h halfText) MarshalText() ([]byte, error)  { return []byte(h.text), nil }

func TestKindsOfGoTypes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		of       any
		kind     model.Kind
		bits     int
		nullable bool
	}{
		{true, model.Bool, 0, false},
		{int8(0), model.Int, 8, false},
		{int64(0), model.Int, 64, false},
		{level(0), model.Int, 8, false},
		{uint16(0), model.Uint, 16, false},
		{float32(0), model.Float, 32, false},
		{"", model.String, 0, false},
		{colour(""), model.String, 0, false},
		{[]byte(nil), model.Bytes, 0, false},
		{blob(nil), model.Bytes, 0, false},
		{time.Time{}, model.Time, 0, false},
		{uuid.UUID{}, model.Text, 0, false},
		{netip.Addr{}, model.Text, 0, false},
		{pointerT{}, model.Text, 0, false},
		{json.RawMessage(nil), model.Custom, 0, false},
		{jsontext.Value(nil), model.Custom, 0, false},
		{[]string(nil), model.List, 0, false},
		{[3]int{}, model.Array, 0, false},
		{map[string]int(nil), model.Map, 0, false},
		{map[colour][]int(nil), model.Map, 0, false},
		{struct{ A int }{}, model.Object, 0, false},
		{page[int]{}, model.Object, 0, false},
		{new(int64(0)), model.Int, 64, true},
		{new(""), model.String, 0, true},
		{&[]string{}, model.List, 0, true},
		{&time.Time{}, model.Time, 0, true},
		{&uuid.UUID{}, model.Text, 0, true},
		{&page[int]{}, model.Object, 0, true},
	} {
		goType := reflect.TypeOf(test.of)
		got, err := model.CompileType(goType)
		if err != nil {
			t.Errorf("%s is refused: %v", goType, err)
			continue
		}
		if got.Kind != test.kind || got.Bits != test.bits || got.Nullable != test.nullable || got.Go != goType {
			t.Errorf("%s has the kind %d, %d bits, nullable %v; want %d, %d, %v",
				goType, got.Kind, got.Bits, got.Nullable, test.kind, test.bits, test.nullable)
		}
		if base := got.Base(); (base.Kind() == reflect.Pointer) || test.nullable && base != goType.Elem() {
			t.Errorf("the base of %s is %s", goType, base)
		}
	}
}

func TestAnyIsAnyJSON(t *testing.T) {
	t.Parallel()
	got, err := model.CompileType(reflect.TypeFor[any]())
	if err != nil || got.Kind != model.Any {
		t.Errorf("any is %+v, %v", got, err)
	}
}

func TestElementsAreCompiled(t *testing.T) {
	t.Parallel()
	got, err := model.CompileType(reflect.TypeFor[map[string][]*[2]colour]())
	if err != nil {
		t.Fatal(err)
	}
	var kinds []model.Kind
	for at := got; at != nil; at = at.Elem {
		kinds = append(kinds, at.Kind)
	}
	want := []model.Kind{model.Map, model.List, model.Array, model.String}
	if !reflect.DeepEqual(kinds, want) || !got.Elem.Elem.Nullable || got.Elem.Elem.Len != 2 {
		t.Errorf("the kinds are %v, want %v; the array is %+v", kinds, want, got.Elem.Elem)
	}
}

func TestTypesThatCannotBeEncoded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		of   reflect.Type
		want string
	}{
		{reflect.TypeFor[chan int](), "cannot be encoded"},
		{reflect.TypeFor[func()](), "cannot be encoded"},
		{reflect.TypeFor[complex128](), "cannot be encoded"},
		{reflect.TypeFor[uintptr](), "cannot be encoded"},
		{reflect.TypeFor[error](), "cannot be encoded"},
		{reflect.TypeFor[map[int]string](), "cannot be encoded"},
		{reflect.TypeFor[map[string]chan int](), "cannot be encoded"},
		{reflect.TypeFor[[]func()](), "cannot be encoded"},
		{reflect.TypeFor[struct{ C chan int }](), "struct{…}.C: the type chan int cannot be encoded"},
		{reflect.TypeFor[time.Duration](), "time.Duration has no JSON form; use an integer with the unit in its name"},
		{reflect.TypeFor[**int](), "**int: the type **int has more than one pointer; use at most one"},
		{reflect.TypeFor[[4]byte](), "the type [4]uint8 is not supported; use []byte"},
		{reflect.TypeFor[halfText](), "does not unmarshal itself"},
	} {
		if _, err := model.CompileType(test.of); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s gives the error %v, want one with %q", test.of, err, test.want)
		}
	}
}

func TestStructsMayHoldThemselves(t *testing.T) {
	t.Parallel()
	type node struct {
		Next *node            `json:"next"`
		All  []node           `json:"all"`
		By   map[string]*node `json:"by"`
	}
	got, err := model.CompileType(reflect.TypeFor[node]())
	if err != nil {
		t.Fatal(err)
	}
	s := got.Struct
	if s.Field("next").Type.Struct != s || s.Field("all").Type.Elem.Struct != s || s.Field("by").Type.Elem.Struct != s {
		t.Error("a struct that holds itself is compiled twice")
	}
}
