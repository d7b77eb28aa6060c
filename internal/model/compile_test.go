package model_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/trove-api/trove/internal/model"
)

type stamped struct {
	CreatedAt time.Time `json:"createdAt" api:"readonly"`
	Note      string    `json:"note"`
}

type named struct {
	stamped
	Inner stamped `json:"inner"`
	Note  string  `json:"note"`
	Bare  int
	quiet int
	Gone  string `json:"-"`
}

func compile(t *testing.T, of reflect.Type) *model.Struct {
	t.Helper()
	s, err := model.CompileType(of)
	if err != nil {
		t.Fatal(err)
	}
	return s.Struct
}

func TestFieldsAreInTheOrderOfDeclaration(t *testing.T) {
	t.Parallel()
	_ = named{}.quiet
	var got [][2]string
	for _, f := range compile(t, reflect.TypeFor[named]()).Fields {
		got = append(got, [2]string{f.Name, f.GoPath})
	}
	want := [][2]string{{"createdAt", "stamped.CreatedAt"}, {"inner", "Inner"}, {"note", "Note"}, {"Bare", "Bare"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the members differ (-want +got):\n%s", diff)
	}
}

func TestAFieldFindsItsValue(t *testing.T) {
	t.Parallel()
	s := compile(t, reflect.TypeFor[named]())
	v := reflect.ValueOf(named{stamped: stamped{Note: "hidden", CreatedAt: time.Unix(5, 0)}, Note: "mine", Bare: 3})
	if got := s.Field("note").Value(v).String(); got != "mine" {
		t.Errorf("note is %q", got)
	}
	if got := s.Field("createdAt").Value(v).Interface().(time.Time).Unix(); got != 5 {
		t.Errorf("createdAt is %d", got)
	}
	if s.Field("quiet") != nil || s.Field("Gone") != nil || s.Field("-") != nil {
		t.Error("a field that is no member is found")
	}
}

func TestWordsOfTheAPITag(t *testing.T) {
	t.Parallel()
	type all struct {
		Key    string   `json:"key" api:"id"`
		Read   string   `json:"read" api:"readonly"`
		Write  string   `json:"write" api:"writeonly"`
		One    string   `json:"one" api:"unique, sort"`
		Plain  int      `json:"plain" api:"filter"`
		Many   *string  `json:"many" api:"filter=partial|range|exists,sort,search"`
		Absent []string `json:"absent,omitempty"`
		Zero   int      `json:"zero,omitzero"`
	}
	s := compile(t, reflect.TypeFor[all]())
	key, read, write, one := s.Field("key"), s.Field("read"), s.Field("write"), s.Field("one")
	if !key.Identifier || read.Writable() || !read.Readable() || !write.Writable() || write.Readable() {
		t.Error("id, readonly or writeonly is not read")
	}
	if !one.Unique || !one.Sort || one.Filters != nil {
		t.Error("unique and sort are not read")
	}
	if diff := cmp.Diff([]string{"exact"}, s.Field("plain").Filters); diff != "" {
		t.Error("a filter without an operator is not exact:", diff)
	}
	if diff := cmp.Diff([]string{"partial", "range", "exists"}, s.Field("many").Filters); diff != "" {
		t.Error(diff)
	}
	if !s.Field("absent").OmitEmpty || !s.Field("zero").OmitZero || one.OmitEmpty || one.OmitZero {
		t.Error("omitempty or omitzero is not read")
	}
}

func TestTextsOfTheTags(t *testing.T) {
	t.Parallel()
	type all struct {
		Name  string         `json:"name" doc:"The name, as printed." example:"Du\"ne" default:"x"`
		Count *int           `json:"count" default:"null" example:"3"`
		List  []string       `json:"list" default:"[\"a\"]"`
		When  time.Time      `json:"when" example:"2026-01-02T15:04:05Z"`
		Map   map[string]int `json:"map" example:"{\"a\":1}"`
		Empty string         `json:"empty" default:""`
		None  string         `json:"none"`
		Every string         `json:"every" validate:"max=3" message:"Note: keep it short"`
		Each  string         `json:"each" validate:"max=3,min=1" message:"max: Too long | min: Too short: say more"`
	}
	s := compile(t, reflect.TypeFor[all]())
	for name, want := range map[string][3]string{
		"name": {"The name, as printed.", `"Du\"ne"`, `"x"`}, "count": {"", "3", "null"}, "list": {"", "", `["a"]`},
		"when": {"", `"2026-01-02T15:04:05Z"`, ""}, "map": {"", `{"a":1}`, ""}, "empty": {"", "", `""`}, "none": {},
	} {
		f := s.Field(name)
		if got := [3]string{f.Doc, string(f.Example), string(f.Default)}; got != want {
			t.Errorf("%s has %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]map[string]string{
		"none": nil, "every": {"": "Note: keep it short"}, "each": {"max": "Too long", "min": "Too short: say more"},
	} {
		if diff := cmp.Diff(want, s.Field(name).Messages); diff != "" {
			t.Errorf("the messages of %s differ (-want +got):\n%s", name, diff)
		}
	}
}

func TestIdentifiers(t *testing.T) {
	t.Parallel()
	type byName struct {
		ID   int64
		Name string
	}
	type byTag struct {
		ID  int64
		Key colour `json:"key" api:"id" validate:"omitempty,max=9"`
	}
	type byUUID struct {
		Key uuid.UUID `api:"id"`
	}
	type nested struct {
		ID    uint32
		Inner byName
	}
	type base struct {
		ID int64 `json:"id"`
	}
	type promoted struct {
		base
		Name string
	}
	for _, test := range []struct {
		of        reflect.Type
		name      string
		generated bool
	}{
		{reflect.TypeFor[promoted](), "id", true},
		{reflect.TypeFor[byName](), "ID", true},
		{reflect.TypeFor[byTag](), "key", false},
		{reflect.TypeFor[byUUID](), "Key", true},
		{reflect.TypeFor[nested](), "ID", true},
	} {
		s, err := model.Compile(test.of)
		if err != nil {
			t.Fatal(err)
		}
		_, notBlank := s.ID.Rules.Find("notblank")
		if s.ID.Name != test.name || s.ID.Generated != test.generated || s.ID.ReadOnly != test.generated ||
			!s.ID.Identifier || !s.ID.Unique || notBlank == test.generated || s.ID.Rules.OmitEmpty {
			t.Errorf("%s has the identifier %+v", test.of, s.ID)
		}
	}
	s, err := model.Compile(reflect.TypeFor[nested]())
	if err != nil {
		t.Fatal(err)
	}
	if inner := s.Field("Inner").Type.Struct; inner.ID != nil || inner.Field("ID").ReadOnly {
		t.Error("the ID of a nested struct is taken for an identifier")
	}
}

func TestMistakesInTags(t *testing.T) {
	t.Parallel()
	type embedsPointer struct{ *stamped }
	type quoted struct {
		A string `json:"a.b"`
	}
	type twice struct {
		A string `api:"sort,sort"`
	}
	type valued struct {
		A string `api:"readonly=yes"`
	}
	type notJSON struct {
		A int `example:"one"`
	}
	type notUTF8 struct {
		A string `default:"\xff"`
	}
	type badMessage struct {
		A string `validate:"max=3" message:"max: a | nothing"`
	}
	type twoMessages struct {
		A string `validate:"max=3" message:"max: a | max: b"`
	}
	type badRules struct {
		A string `validate:"max=3,,min=1"`
	}
	for _, test := range []struct {
		of   reflect.Type
		want string
	}{
		{reflect.TypeFor[embedsPointer](), "embedsPointer.stamped: embedded pointers are not supported; embed the struct itself or name the field"},
		{reflect.TypeFor[quoted](), `quoted.A: the JSON name "a.b" is not allowed; names cannot contain dots, brackets, quotes or backslashes`},
		{reflect.TypeFor[twice](), `duplicate word "sort" in the api tag`},
		{reflect.TypeFor[valued](), `the word "readonly" in the api tag takes no value, but has "yes"`},
		{reflect.TypeFor[notJSON](), `notJSON.A: the example tag "one" is not valid JSON; write a value of the field's type, such as 7`},
		{reflect.TypeFor[notUTF8](), "default tag is not valid UTF-8"},
		{reflect.TypeFor[badMessage](), `invalid part "nothing" in the message tag; write it as "rule: text"`},
		{reflect.TypeFor[twoMessages](), `duplicate rule "max" in the message tag`},
		{reflect.TypeFor[badRules](), "badRules.A: validate tag: empty rule; remove the extra comma"},
	} {
		if _, err := model.CompileType(test.of); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s gives the error %v, want one with %q", test.of, err, test.want)
		}
	}
}

func TestGoFieldsWithoutJSONAreKnown(t *testing.T) {
	t.Parallel()
	type whole struct {
		ID int64
	}
	type base struct{ secret int }
	for rule, test := range map[string]struct {
		of     reflect.Type
		others bool
	}{
		"all are members": {reflect.TypeFor[whole](), false},
		"one has no name": {reflect.TypeFor[named](), true},
		"those of an embedded struct count": {reflect.TypeFor[struct {
			base
			ID int64
		}](), true},
		"those of a member are the member's": {reflect.TypeFor[struct {
			ID    int64
			Inner base
		}](), false},
	} {
		s, _ := model.Compile(test.of)
		if s == nil || s.Others != test.others {
			t.Errorf("%s: %+v", rule, s)
		}
	}
}

func TestColumnsAreReadFromTheTag(t *testing.T) {
	t.Parallel()
	s := compile(t, reflect.TypeFor[struct {
		ID    int64
		Plain string `json:"plain"`
		Named string `json:"named" db:"other"`
	}]())
	for name, want := range map[string]string{"plain": "", "named": "other"} {
		if got := s.Field(name).Column; got != want {
			t.Errorf("the column of %s is %q, want %q", name, got, want)
		}
	}
}
