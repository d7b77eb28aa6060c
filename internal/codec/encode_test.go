package codec_test

import (
	"math"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

func TestWriteOnlyFieldsAreNotWritten(t *testing.T) {
	t.Parallel()
	c := codecOf[account](t)
	record := account{ID: 7, Name: "Ann", Password: "pw", Profile: profile{Secret: []string{"s"}}, Extra: &profile{Nick: "B", Secret: []string{"s"}}}
	want := `{"id":7,"name":"Ann","created":"","tags":[],"profile":{"nick":"","score":0},"extra":{"nick":"B","score":0}}`
	if got := encode(t, c, record); got != want {
		t.Errorf("Append = %s, want %s", got, want)
	}
}

func TestAStructWithoutReadableFieldsIsAnEmptyObject(t *testing.T) {
	t.Parallel()
	type secret struct {
		A string `json:"a" api:"writeonly"`
	}
	if got := encode(t, codecOf[secret](t), secret{"x"}); got != "{}" {
		t.Errorf("Append = %s, want {}", got)
	}
}

func TestValuesAndPointersAreEncodedTheSameWay(t *testing.T) {
	t.Parallel()
	c := codecOf[place](t)
	value := place{City: "Bree", Zip: new(7)}
	pointer := &value
	for _, form := range []any{value, pointer, &pointer} {
		if got, want := encode(t, c, form), `{"city":"Bree","zip":7}`; got != want {
			t.Errorf("Append(%T) = %s, want %s", form, got, want)
		}
	}
	for _, null := range []any{nil, (*place)(nil), new((*place)(nil))} {
		if got := encode(t, c, null); got != "null" {
			t.Errorf("Append(%T) = %s, want null", null, got)
		}
	}
}

func TestAppendKeepsWhatIsThere(t *testing.T) {
	t.Parallel()
	got, err := codecOf[[]*place](t).Append([]byte("data: "), []*place{{City: "a"}, nil})
	if want := `data: [{"city":"a","zip":null},null]`; err != nil || string(got) != want {
		t.Errorf("Append = %s, %v, want %s", got, err, want)
	}
}

func TestScalarsAndListsHaveCodecsToo(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		codec subject
		value any
		want  string
	}{
		{codecOf[string](t), "a", `"a"`},
		{codecOf[*int](t), new(7), "7"},
		{codecOf[*int](t), (*int)(nil), "null"},
		{codecOf[[]string](t), []string(nil), "[]"},
		{codecOf[map[string]int](t), map[string]int(nil), "{}"},
		{codecOf[map[string]int](t), map[string]int{"b": 1, "a": 2, "á": 3, "": 4}, `{"":4,"a":2,"b":1,"á":3}`},
		{codecOf[time.Time](t), time.Date(2024, 1, 1, 0, 0, 0, 5e6, time.UTC), `"2024-01-01T00:00:00.005Z"`},
		{codecOf[any](t), new(any), "null"},
		{codecOf[any](t), new(any(map[string]any{"b": 1, "a": []int(nil)})), `{"a":[],"b":1}`},
		{codecOf[colour](t), colour{"red"}, `"red"`},
		{codecOf[level](t), level{2}, "2"},
		{codecOf[jsontext.Value](t), jsontext.Value(` {"a" : 1} `), `{"a":1}`},
	} {
		if got := encode(t, test.codec, test.value); got != test.want {
			t.Errorf("Append(%v) = %s, want %s", test.value, got, test.want)
		}
	}
}

type omitting struct {
	Always    string         `json:"always"`
	Empty     string         `json:"empty,omitempty"`
	Number    int            `json:"number,omitempty"`
	Zero      int            `json:"zero,omitzero"`
	Pointer   *string        `json:"pointer,omitempty"`
	List      []int          `json:"list,omitempty"`
	ZeroList  []int          `json:"zeroList,omitzero"`
	Map       map[string]int `json:"map,omitempty"`
	Struct    struct{}       `json:"struct,omitempty"`
	At        time.Time      `json:"at,omitzero"`
	AtEmpty   time.Time      `json:"atEmpty,omitempty"`
	PtrAt     *time.Time     `json:"ptrAt,omitzero"`
	Host      netip.Addr     `json:"host,omitempty"`
	Colour    colour         `json:"colour,omitzero,omitempty"`
	Own       ownZero        `json:"own,omitzero"`
	PtrOwn    *ownZero       `json:"ptrOwn,omitzero"`
	Any       any            `json:"any,omitempty"`
	ZeroAny   any            `json:"zeroAny,omitzero"`
	Raw       jsontext.Value `json:"raw,omitempty"`
	LastEmpty []string       `json:"lastEmpty,omitempty"`
}

// ownZero is zero when it is -1, for a method with a pointer receiver.
type ownZero struct {
	N int `json:"n"`
}

func (o *ownZero) IsZero() bool { return o.N == -1 }

func TestOmittedFieldsAreThoseThatJSONOmits(t *testing.T) {
	t.Parallel()
	c := codecOf[omitting](t)
	for name, record := range map[string]omitting{
		"the zero value": {},
		"empty but not nil": {
			Pointer: new(""), List: []int{}, ZeroList: []int{}, Map: map[string]int{}, PtrAt: new(time.Time{}), PtrOwn: &ownZero{},
			Any: map[string]any{}, ZeroAny: "", Raw: jsontext.Value(" [ ] "), LastEmpty: []string{},
		},
		"by its own IsZero": {Own: ownZero{-1}, PtrOwn: &ownZero{-1}, PtrAt: new(time.Now())},
		"all there": {
			Empty: "a", Number: 1, Zero: 1, Pointer: new("a"), List: []int{0}, Map: map[string]int{"a": 0}, At: time.Now(),
			Host: netip.IPv6Loopback(), Colour: colour{"red"}, Any: 0, ZeroAny: 0, Raw: jsontext.Value("0"), LastEmpty: []string{""},
		},
	} {
		wantLikeJSON(t, c, name, &record)
	}
}

// wantLikeJSON reports where a value is not written as json.Marshal writes it.
func wantLikeJSON(t *testing.T, c subject, name string, pointer any) {
	t.Helper()
	want, wantErr := json.Marshal(pointer, json.Deterministic(true))
	got, err := c.Append(nil, pointer)
	if (err != nil) != (wantErr != nil) {
		t.Errorf("%s: error %v, json.Marshal's is %v", name, err, wantErr)
	}
	if err == nil && string(got) != string(want) {
		t.Errorf("%s:\n got %s\nwant %s", name, got, want)
	}
}

func TestWhatJSONHasNoFormForIsAnErrorThatSaysWhere(t *testing.T) {
	t.Parallel()
	type row struct {
		Rates  []float64      `json:"rates"`
		Small  float32        `json:"small"`
		Names  map[string]any `json:"names"`
		At     *time.Time     `json:"at"`
		Level  level          `json:"level"`
		Colour colour         `json:"colour"`
		Keys   map[string]row `json:"keys"`
		Raw    jsontext.Value `json:"raw"`
		Fails  *failing       `json:"fails"`
	}
	c := codecOf[row](t)
	for name, test := range map[string]struct {
		record row
		want   string
	}{
		"NaN":                      {row{Rates: []float64{0, math.NaN()}}, "codec: rates: [1]: the number is not finite"},
		"infinity":                 {row{Small: float32(math.Inf(-1))}, "codec: small: the number is not finite"},
		"NaN in any":               {row{Names: map[string]any{"a": math.NaN()}}, "codec: names: [a]: "},
		"a function in any":        {row{Names: map[string]any{"a": func() {}}}, "codec: names: [a]: "},
		"no UTF-8":                 {row{Colour: colour{"\xff"}}, "codec: colour: "},
		"a key that is no UTF-8":   {row{Names: map[string]any{"\xff": 1}}, "codec: names: a key: "},
		"a time after the year":    {row{At: new(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))}, "codec: at: "},
		"a marshaler that fails":   {row{Keys: map[string]row{"a": {Level: level{99}}}}, "codec: keys: [a]: level: "},
		"text that fails":          {row{Colour: colour{"infrared"}}, "codec: colour: nobody sees infrared"},
		"an appender that fails":   {row{Fails: &failing{}}, "codec: fails: no text"},
		"raw JSON that is no JSON": {row{Raw: jsontext.Value("{")}, "codec: raw: "},
	} {
		wantLikeJSON(t, c, name, &test.record)
		if _, err := c.Append(nil, test.record); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s…", name, err, test.want)
		}
	}
}

func TestAValueThatContainsItselfIsAnError(t *testing.T) {
	t.Parallel()
	c := codecOf[node](t)
	next, all, by, list := &node{}, &node{All: []node{{}}}, &node{By: map[string]*node{}}, []any{nil}
	next.Next, all.All[0].All, by.By["k"], list[0] = next, all.All, by, list
	for name, loop := range map[string]*node{"a pointer": next, "a list": all, "a map": by, "any": {Any: list}} {
		_, err := c.Append(nil, loop)
		if err == nil || len(err.Error()) > 1_000 {
			t.Errorf("%s: error %v, want a short one", name, err)
		}
	}
}

func TestAValueOfAnotherTypeIsAnError(t *testing.T) {
	t.Parallel()
	_, err := codecOf[place](t).Append(nil, "a")
	if want := "codec: a value of type string cannot be written as codec_test.place"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
