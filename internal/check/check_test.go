package check_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-playground/validator/v10"
	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/validation"
)

func TestMessagesNameTheFieldAndTheRule(t *testing.T) {
	t.Parallel()
	type all struct {
		Text   string         `json:"text" validate:"omitempty,min=2,max=3"`
		One    string         `json:"one" validate:"omitempty,len=1"`
		Count  int            `json:"count" validate:"gte=-1,lt=10"`
		Ratio  float64        `json:"ratio" validate:"lte=0.5"`
		List   []int          `json:"list" validate:"max=1"`
		Map    map[string]int `json:"map" validate:"max=2"`
		Colour string         `json:"colour" validate:"omitempty,oneof=red 'dark blue'"`
		Mood   string         `json:"mood" validate:"omitempty,oneof=it's fine"`
		Size   int            `json:"size" validate:"omitempty,oneof=1 2"`
		Mail   string         `json:"mail" validate:"omitempty,email"`
		Port   int            `json:"port" validate:"omitempty,port"`
		Either string         `json:"either" validate:"omitempty,hexcolor|rgb"`
		Prefix string         `json:"prefix" validate:"omitempty,startswith=a0x2Cb"`
		Twice  []string       `json:"twice" validate:"unique"`
		Flag   bool           `json:"flag" validate:"eq=false"`
		Other  string         `json:"other" validate:"eqfield=Text"`
		When   time.Time      `json:"when" validate:"omitempty,lt"`
	}
	s := compile[all](t)
	for body, want := range map[string][]string{
		`{}`:                              nil,
		`{"text":"a","other":"a"}`:        {"text", "text must be at least 2 characters long"},
		`{"text":"abcd","other":"abcd"}`:  {"text", "text must be at most 3 characters long"},
		`{"one":"ab"}`:                    {"one", "one must be exactly 1 character long"},
		`{"count":-2}`:                    {"count", "count must be at least -1"},
		`{"count":10}`:                    {"count", "count must be less than 10"},
		`{"ratio":0.6}`:                   {"ratio", "ratio must be at most 0.5"},
		`{"list":[1,2]}`:                  {"list", "list must have at most 1 element"},
		`{"map":{"a":1,"b":2,"c":3}}`:     {"map", "map must have at most 2 entries"},
		`{"colour":"green"}`:              {"colour", "colour must be one of: red, dark blue"},
		`{"colour":"dark blue"}`:          nil,
		`{"mood":"it's"}`:                 {"mood", "mood must be one of: its, fine"},
		`{"mood":"its"}`:                  nil,
		`{"size":3}`:                      {"size", "size must be one of: 1, 2"},
		`{"port":65536}`:                  {"port", "port must be a port between 1 and 65535"},
		`{"mail":"x"}`:                    {"mail", "mail must be an email address"},
		`{"either":"x"}`:                  {"either", "either must be a colour such as #ff8800, or must be a colour such as rgb(255,136,0)"},
		`{"prefix":"x"}`:                  {"prefix", "prefix must start with \"a,b\""},
		`{"prefix":"a,bc"}`:               nil,
		`{"twice":["a","a"]}`:             {"twice", "twice must not contain duplicates"},
		`{"flag":true}`:                   {"flag", "flag must be false"},
		`{"other":"x"}`:                   {"other", "other must be equal to text"},
		`{"when":"2999-01-01T00:00:00Z"}`: {"when", "when must be in the past"},
	} {
		s.finds(body, want...)
	}
}

type line struct {
	Count int    `json:"count" validate:"gte=1"`
	Note  string `json:"note" validate:"omitempty,min=2"`
}

type audit struct {
	Author string `json:"author" validate:"notblank"`
}

type order struct {
	audit
	Lines   []line            `json:"lines" validate:"min=1"`
	Grid    [][]line          `json:"grid"`
	ByName  map[string]line   `json:"byName"`
	Labels  map[string]string `json:"labels" validate:"dive,keys,max=3,endkeys,min=2"`
	Refs    []*line           `json:"refs"`
	Sizes   []*int            `json:"sizes" validate:"dive,gte=1"`
	Bits    []int             `json:"bits" validate:"dive,omitempty,gte=1"`
	Primary *line             `json:"primary"`
}

func TestPathsAreOfJSONNames(t *testing.T) {
	t.Parallel()
	s := compile[order](t)
	const atLeast1, atLeast2 = " must be at least 1", " must be at least 2 characters long"
	with := func(member string) string {
		return `{"author":"me","lines":[{"count":1}],` + member + `}`
	}
	for body, want := range map[string][]string{
		with(`"labels":{}`): nil,
		`{"author":" ","lines":[]}`: {
			"author", "author must not be blank", "lines", "lines must have at least 1 element",
		},
		`{"author":"me","lines":[{"count":1},{"count":0,"note":"x"}]}`: {
			"lines[1].count", "count" + atLeast1, "lines[1].note", "note" + atLeast2,
		},
		with(`"grid":[[{"count":1}],[{"count":1},{"count":0}]]`): {"grid[1][1].count", "count" + atLeast1},
		with(`"byName":{"a.b]c":{"count":0}}`):                   {"byName[a.b]c].count", "count" + atLeast1},
		with(`"labels":{"a":"x"}`):                               {"labels[a]", "labels[a]" + atLeast2},
		with(`"labels":{"x].y":"x"}`):                            {"labels[x].y]", "labels[x].y] must be at most 3 characters long"},
		with(`"refs":[null,{"count":0}]`):                        {"refs[1].count", "count" + atLeast1},
		with(`"sizes":[null,0]`):                                 {"sizes[1]", "sizes[1]" + atLeast1},
		with(`"bits":[1,0]`):                                     nil,
		with(`"bits":[1,-1]`):                                    {"bits[1]", "bits[1]" + atLeast1},
		with(`"byName":{"][":{"count":1,"note":""}}`):            {"byName[][].note", "note" + atLeast2},
		with(`"primary":{"count":0}`):                            {"primary.count", "count" + atLeast1},
	} {
		s.finds(body, want...)
	}
}

func TestRequiredIsJudgedByTheBody(t *testing.T) {
	t.Parallel()
	type form struct {
		Count int       `json:"count" validate:"required"`
		Flag  bool      `json:"flag" validate:"required"`
		Text  string    `json:"text" validate:"required"`
		When  time.Time `json:"when" validate:"required"`
		Maybe *int      `json:"maybe" validate:"required"`
		Inner line      `json:"inner"`
		Born  int       `json:"born" validate:"gte=1900"`
		Free  int       `json:"free" validate:"omitempty,gte=5"`
		Open  *int      `json:"open" validate:"gte=5"`
		Set   int       `json:"set" validate:"required" default:"3"`
	}
	s := compile[form](t)
	s.finds(`{}`,
		"count", "count is required", "flag", "flag is required", "text", "text is required", "when", "when is required",
		"maybe", "maybe is required", "inner", "inner is required", "born", "born is required")
	const rest = `"flag":false,"when":"0001-01-01T00:00:00Z","maybe":0,"inner":{"count":1},"born":1900`
	s.finds(`{"count":0,"text":"x",` + rest + `}`)
	s.finds(`{"count":0,"text":"",`+rest+`}`, "text", "text is required")
	s.finds(`{"count":0,"text":"x","free":0,`+rest+`}`, "free", "free must be at least 5")
	s.finds(`{"count":0,"text":"x","open":null,` + rest + `}`)
	s.finds(`{"count":0,"text":"x","open":4,`+rest+`}`, "open", "open must be at least 5")
	s.finds(`{"count":null,"text":"x",`+rest+`}`, "count", "count is required")
}

func TestConditionalRequiredTakesAnExplicitZero(t *testing.T) {
	t.Parallel()
	type form struct {
		Kind  string `json:"kind"`
		Count int    `json:"count" validate:"required_if=Kind box"`
	}
	s := compile[form](t)
	s.finds(`{"kind":"bag"}`)
	s.finds(`{"kind":"box"}`, "count", "count is required if kind is box")
	s.finds(`{"kind":"box","count":0}`)
	s.finds(`{"kind":"box","count":1}`)
}

func TestConditionsApplyToNull(t *testing.T) {
	t.Parallel()
	type form struct {
		Kind  string  `json:"kind"`
		Count *int    `json:"count" validate:"required_if=Kind box,gte=5"`
		Note  *string `json:"note" validate:"omitempty,excluded_if=Kind box,min=2"`
		Text  string  `json:"text" validate:"omitempty,required_with=Note,min=2"`
	}
	s := compile[form](t)
	s.finds(`{"kind":"bag"}`)
	s.finds(`{"kind":"bag","count":4}`, "count", "count must be at least 5")
	s.finds(`{"kind":"box"}`, "count", "count is required if kind is box")
	s.finds(`{"kind":"box","count":5}`)
	s.finds(`{"kind":"box","count":5,"note":"ab","text":"ab"}`, "note", "note must be omitted if kind is box")
	s.finds(`{"note":"ab"}`, "text", "text is required if note is present")
}

func TestMessagesOfTheUsersOwn(t *testing.T) {
	t.Parallel()
	type form struct {
		Every string `json:"every" validate:"notblank,max=3" message:"Three letters, please"`
		Named string `json:"named" validate:"notblank,max=3" message:"notblank: Say something | max: Say less"`
	}
	s := compile[form](t)
	s.finds(`{"every":"","named":"abcd"}`, "every", "Three letters, please", "named", "Say less")
	s.finds(`{}`, "every", "Three letters, please", "named", "Say something")
	s.finds(`{"every":1,"named":" "}`, "every", "every must be a string", "named", "Say something")
}

func TestRulesOfTheUsersOwn(t *testing.T) {
	t.Parallel()
	type form struct {
		Code string `json:"code" validate:"shout=!"`
		From int    `json:"from"`
		To   int    `json:"to"`
	}
	type outer struct {
		Forms []form          `json:"forms"`
		Named map[string]form `json:"named"`
		One   *form           `json:"one"`
		Self  []outer         `json:"self"`
	}
	shout := validation.Rule{
		Name: "shout", Message: "must end with {param}",
		Check: func(f validator.FieldLevel) bool { return strings.HasSuffix(f.Field().String(), f.Param()) },
	}
	ordered := validation.Struct(func(_ context.Context, f *form) error {
		if f.From > f.To {
			return errors.Join(validation.Fail("to", "must not be before from"), validation.Fail("", "is upside down"))
		}
		return nil
	})
	s := compile[outer](t, shout, ordered)
	const good, bad = `{"code":"a!","from":1,"to":2}`, `{"code":"a!","from":3,"to":2}`
	s.finds(`{"forms":[` + good + `],"one":` + good + `}`)
	s.finds(`{"forms":[`+good+`,{"code":"a","to":1}]}`, "forms[1].code", "code must end with !")
	s.finds(`{"forms":[`+bad+`]}`, "forms[0].to", "must not be before from")
	s.finds(`{"named":{"x":`+bad+`}}`, "named[x].to", "must not be before from")
	s.finds(`{"self":[{"one":`+bad+`}]}`, "self[0].one.to", "must not be before from")
	s.finds(`{"one":{"code":"a!","from":3,"to":"2"}}`, "one.to", "to must be an integer")
}

func TestARuleThatFailsToJudgeIsAnError(t *testing.T) {
	t.Parallel()
	type form struct {
		A string `json:"a" validate:"explode"`
	}
	failing := errors.New("database is down")
	for name, rule := range map[string]validation.Rule{
		"an error": validation.Struct(func(context.Context, *form) error { return failing }),
		"a panic":  validation.Struct(func(context.Context, *form) error { panic("boom") }),
	} {
		s := compile[form](t, rule, validation.Rule{Name: "explode", Check: func(validator.FieldLevel) bool { return true }})
		if found, err := s.checker.Check(t.Context(), &form{}, codec.Decoded{}); err == nil || !found.IsEmpty() {
			t.Errorf("%s: Check gives %v, %v", name, plain(found), err)
		}
	}
}

func TestCodesAndParams(t *testing.T) {
	t.Parallel()
	type form struct {
		Name string   `json:"name" validate:"max=2"`
		Kind string   `json:"kind" validate:"oneof=a b"`
		Mail string   `json:"mail" validate:"email"`
		Tags []string `json:"tags" validate:"dive,max=1"`
	}
	got := compile[form](t).create(`{"name":"abc","kind":"c","mail":"x","tags":["ab"],"what":1}`)
	want := []validation.Violation{
		{Field: "what", Code: "unknown", Message: got[0].Message},
		{Field: "name", Code: "max", Message: "name must be at most 2 characters long", Params: map[string]any{"max": int64(2)}},
		{Field: "kind", Code: "oneof", Message: "kind must be one of: a, b", Params: map[string]any{"oneof": []string{"a", "b"}}},
		{Field: "mail", Code: "email", Message: "mail must be an email address"},
		{Field: "tags[0]", Code: "max", Message: "tags[0] must be at most 1 character long", Params: map[string]any{"max": int64(1)}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the violations differ (-want +got):\n%s", diff)
	}
}

func TestChangedRecordsAreJudgedByTheirValues(t *testing.T) {
	t.Parallel()
	type form struct {
		Count int    `json:"count" validate:"required"`
		Name  string `json:"name" validate:"required"`
	}
	s := compile[form](t)
	found, err := s.checker.Check(t.Context(), &form{}, codec.Decoded{})
	if err != nil || fmt.Sprint(plain(found)) != "[name: name is required]" {
		t.Errorf("Check gives %v, %v", plain(found), err)
	}
}

func TestEveryTypeIsCheckedWithoutAPanic(t *testing.T) {
	t.Parallel()
	type zoo struct {
		A [3]int         `json:"a" validate:"dive,gte=1"`
		B []byte         `json:"b" validate:"max=3"`
		C any            `json:"c" validate:"required"`
		D map[string]any `json:"d" validate:"required"`
		E *time.Time     `json:"e" validate:"required"`
		F struct {
			G string `json:"g" validate:"max=1"`
		} `json:"f"`
	}
	s := compile[zoo](t)
	s.finds(`{"a":[1,0,1],"b":"AAAAAA==","c":1,"d":{},"e":"2026-01-01T00:00:00Z","f":{"g":"xx"}}`,
		"a[1]", "a[1] must be at least 1", "b", "b must be at most 3 bytes long", "f.g", "g must be at most 1 character long")
	if reflect.TypeOf(s.model) == nil {
		t.Fatal("no model")
	}
}
