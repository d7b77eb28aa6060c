package codec_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

type preset struct {
	Name    string         `json:"name" default:"new"`
	Count   int            `json:"count" default:"3"`
	Price   *float64       `json:"price" default:"9.5"`
	None    *float64       `json:"none" default:"null"`
	On      bool           `json:"on" default:"true"`
	At      time.Time      `json:"at" default:"2024-01-01T00:00:00Z"`
	Tags    []string       `json:"tags" default:"[\"a\",\"b\"]"`
	Labels  map[string]int `json:"labels" default:"{\"a\":1}"`
	Any     any            `json:"any" default:"{\"a\":[1]}"`
	State   string         `json:"state" default:"draft" api:"readonly"`
	Size    size           `json:"size"`
	Own     size           `json:"own" default:"{\"width\":7}"`
	Pointer *size          `json:"pointer" default:"{\"height\":7}"`
	Unset   *size          `json:"unset"`
	Sizes   []size         `json:"sizes" default:"[{},{\"width\":9}]"`
	Plain   string         `json:"plain"`
}

type size struct {
	Width  int    `json:"width" default:"1"`
	Height int    `json:"height" default:"2"`
	Unit   string `json:"unit" default:"cm"`
}

func newPreset() *preset {
	return &preset{
		Name: "new", Count: 3, Price: new(9.5), On: true, At: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC),
		Tags: []string{"a", "b"}, Labels: map[string]int{"a": 1}, Any: map[string]any{"a": []any{number("1")}}, State: "draft",
		Size: size{1, 2, "cm"}, Own: size{7, 2, "cm"}, Pointer: &size{1, 7, "cm"}, Sizes: []size{{1, 2, "cm"}, {9, 2, "cm"}},
	}
}

func TestANewRecordHasItsDefaults(t *testing.T) {
	t.Parallel()
	c := codecOf[preset](t)
	if diff := cmp.Diff(newPreset(), c.New()); diff != "" {
		t.Errorf("New (-want +got):\n%s", diff)
	}
}

func TestNewRecordsShareNoMemory(t *testing.T) {
	t.Parallel()
	c := codecOf[preset](t)
	first := c.New().(*preset)
	first.Tags[0], first.Labels["a"], *first.Price, first.Pointer.Width, first.Sizes[0].Width = "x", 9, 0, 9, 9
	first.Any.(map[string]any)["a"].([]any)[0] = "x"
	if diff := cmp.Diff(newPreset(), c.New()); diff != "" {
		t.Errorf("the next New (-want +got):\n%s", diff)
	}
}

func TestABodyDecidesOverDefaults(t *testing.T) {
	t.Parallel()
	c := codecOf[preset](t)
	for _, test := range []struct {
		name, body string
		change     func(p *preset)
	}{
		{"fields left out keep theirs", `{}`, func(*preset) {}},
		{"explicit empty values win", `{"name":"","count":0,"price":null,"on":false,"tags":[],"labels":{}}`, func(p *preset) {
			p.Name, p.Count, p.Price, p.On, p.Tags, p.Labels = "", 0, nil, false, []string{}, map[string]int{}
		}},
		{"a map takes the place of the default", `{"labels":{"b":2},"any":{"b":2}}`, func(p *preset) {
			p.Labels, p.Any = map[string]int{"b": 2}, map[string]any{"b": number("2")}
		}},
		{"a struct has its members' defaults", `{"size":{"width":5}}`, func(p *preset) { p.Size = size{5, 2, "cm"} }},
		{"and not those of the field that it is in", `{"own":{"height":5},"pointer":{"width":5}}`, func(p *preset) {
			p.Own, p.Pointer = size{1, 5, "cm"}, &size{5, 2, "cm"}
		}},
		{"a struct behind a pointer has defaults", `{"unset":{"unit":"m"}}`, func(p *preset) { p.Unset = &size{1, 2, "m"} }},
		{"an element has defaults", `{"sizes":[{"unit":"m"}]}`, func(p *preset) { p.Sizes = []size{{1, 2, "m"}} }},
		{"a wrong type keeps the default", `{"own":7,"name":7}`, func(*preset) {}},
		{"read-only defaults stay", `{"state":"published"}`, func(*preset) {}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for _, mode := range []mode{create, replace} {
				into, want := c.New(), newPreset()
				test.change(want)
				decode(t, c, test.body, into, mode)
				if diff := cmp.Diff(want, into); diff != "" {
					t.Errorf("mode %v, %s (-want +got):\n%s", mode, test.body, diff)
				}
			}
		})
	}
}

func TestAMergePatchGivesDefaultsToWhatItMakesOnly(t *testing.T) {
	t.Parallel()
	c := codecOf[preset](t)
	into := &preset{Own: size{Unit: "m"}, Pointer: &size{Unit: "m"}}
	decode(t, c, `{"own":{"width":5},"pointer":{"width":5},"unset":{"width":5},"sizes":[{}]}`, into, merge)
	want := &preset{Own: size{5, 0, "m"}, Pointer: &size{5, 0, "m"}, Unset: &size{5, 2, "cm"}, Sizes: []size{{1, 2, "cm"}}}
	if diff := cmp.Diff(want, into); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
}

type wrapped struct {
	Preset *preset `json:"preset"`
}

func TestAStructThatAMergePatchMakesTakesNothingOfADefaultThatItReplaces(t *testing.T) {
	t.Parallel()
	c := codecOf[wrapped](t)
	into := new(wrapped)
	decode(t, c, `{"preset":{"own":{"height":5},"labels":{"b":2},"any":{"b":2},"pointer":{"width":5}}}`, into, merge)
	want := newPreset()
	want.Own, want.Labels, want.Any, want.Pointer = size{1, 5, "cm"}, map[string]int{"b": 2}, map[string]any{"b": number("2")}, &size{5, 2, "cm"}
	if diff := cmp.Diff(want, into.Preset); diff != "" {
		t.Errorf("preset (-want +got):\n%s", diff)
	}
}

type badDefaults struct {
	Price  float64     `json:"price" default:"\"x\""`
	Small  *int8       `json:"small" default:"300"`
	Name   string      `json:"name" default:"fine"`
	At     time.Time   `json:"at" default:"tomorrow"`
	Tags   []string    `json:"tags" default:"[\"a\",7]"`
	Size   size        `json:"size" default:"{\"wide\":1}"`
	Nested nestedWrong `json:"nested"`
	Colour colour      `json:"colour" default:"infrared"`
	Point  [2]int      `json:"point" default:"[1]"`
}

type nestedWrong struct {
	On bool `json:"on" default:"7"`
}

func TestEveryDefaultThatDoesNotFitIsAnErrorOfCompile(t *testing.T) {
	t.Parallel()
	_, err := codec.Compile(typeOf[badDefaults](t))
	want := []string{
		`badDefaults.Price: default "x" must be a number`,
		`badDefaults.Small: default 300 must be an integer between -128 and 127 or null`,
		`badDefaults.At: default "tomorrow" must be a date and time such as 2006-01-02T15:04:05Z`,
		`badDefaults.Tags: default ["a",7] is invalid: [1] must be a string`,
		`badDefaults.Size: default {"wide":1} is invalid: Unknown field "wide"; did you mean "width"?`,
		`nestedWrong.On: default 7 must be true or false`,
		`badDefaults.Colour: default "infrared" has an invalid format`,
		`badDefaults.Point: default [1] must have exactly 2 elements`,
	}
	if err == nil {
		t.Fatal("Compile took them all")
	}
	if diff := cmp.Diff(want, strings.Split(err.Error(), "\n")); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}

type selfDefault struct {
	Name string        `json:"name" default:"x"`
	All  []selfDefault `json:"all" default:"[{}]"`
}

func TestADefaultThatHoldsItsOwnStructEnds(t *testing.T) {
	t.Parallel()
	c := codecOf[selfDefault](t)
	made := c.New().(*selfDefault)
	if len(made.All) != 1 || made.All[0].Name != "x" || made.All[0].All != nil {
		t.Errorf("New is %+v, want one element of which the list is not set", made)
	}
}

func TestValueDecodesOneValueOfATag(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text string
		member     string
		want       any
		err        string
	}{
		{"a number", "7", "count", 7, ""},
		{"a pointer", "7.5", "price", new(7.5), ""},
		{"null", "null", "price", (*float64)(nil), ""},
		{"a struct with defaults", `{"width":5}`, "size", size{5, 2, "cm"}, ""},
		{"a list", `["a"]`, "tags", []string{"a"}, ""},
		{"of the wrong type", `"x"`, "count", nil, "must be an integer"},
		{"null where none may be", "null", "count", nil, "must be an integer"},
		{"wrong inside", `{"width":"x","x":1}`, "size", nil, "is invalid: width must be an integer\nis invalid: Unknown field \"x\"; allowed: width, height, unit"},
		{"wrong elements", `[1]`, "tags", nil, "is invalid: [0] must be a string"},
		{"no JSON", "{", "size", nil, "is not valid JSON"},
		{"two values", "1 2", "count", nil, "is not valid JSON"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			compiled := typeOf[preset](t).Struct.Field(test.member).Type
			got, err := codec.Value(compiled, model.ViewsOf(compiled, nil).View(model.Create), jsontext.Value(test.text))
			if test.err != "" {
				if err == nil || err.Error() != test.err {
					t.Fatalf("Value(%s): %v, want %s", test.text, err, test.err)
				}
				return
			}
			if err != nil || got.Type() != reflect.TypeOf(test.want) || !cmp.Equal(test.want, got.Interface()) {
				t.Errorf("Value(%s) = %v, %v, want %v", test.text, got, err, test.want)
			}
		})
	}
}

func TestAnInvalidDefaultIsAnErrorOfItsOwnFieldAlone(t *testing.T) {
	t.Parallel()
	of := typeOf[nestedWrong](t)
	if _, err := codec.Compile(of); err == nil || err.Error() != "nestedWrong.On: default 7 must be true or false" {
		t.Errorf("Compile: %v", err)
	}
	if got, err := codec.Value(of, model.ViewsOf(of, nil).View(model.Create), jsontext.Value("{}")); err != nil || !cmp.Equal(got.Interface(), nestedWrong{}) {
		t.Errorf("Value: %v, %v", got, err)
	}
}
