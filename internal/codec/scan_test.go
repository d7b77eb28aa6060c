package codec_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/codec"
)

// wantAsByTokens reports where a body is not taken as the decoder alone takes it, and
// where what the scanner does can be seen in what a record shares.
func wantAsByTokens(t *testing.T, c subject, body []byte, stored any, mode mode) {
	t.Helper()
	before := encode(t, c, stored)
	quick, slow := c.Clone(stored), c.Clone(stored)
	found, err := c.Decode(body, quick, mode)
	want, wantErr := c.DecodeByTokens(body, slow, mode)
	switch {
	case syntaxOf(err) != syntaxOf(wantErr):
		t.Errorf("%s: the error is %v, by tokens %v", body, err, wantErr)
	case !reflect.DeepEqual(found, want):
		t.Errorf("%s: found %+v, by tokens %+v", body, found, want)
	case err == nil && (!reflect.DeepEqual(quick, slow) || encode(t, c, quick) != encode(t, c, slow)):
		t.Errorf("%s:\nbecomes %s\nby tokens %s", body, encode(t, c, quick), encode(t, c, slow))
	}
	assigned := reflect.New(reflect.TypeOf(stored).Elem())
	assigned.Elem().Set(reflect.ValueOf(stored).Elem())
	if scanned := c.Scan(body, assigned.Interface(), mode); !scanned && encode(t, c, assigned.Interface()) != before {
		t.Errorf("%s: the scanner gave up on it, but left %s of %s", body, encode(t, c, assigned.Interface()), before)
	}
	if after := encode(t, c, stored); after != before {
		t.Errorf("%s: a record that shares memory became %s, was %s", body, after, before)
	}
}

// syntaxOf returns what an error says of a body, zero for no error.
func syntaxOf(err error) codec.SyntaxError {
	if said, ok := errors.AsType[*codec.SyntaxError](err); ok {
		return *said
	}
	return codec.SyntaxError{}
}

// scannable has what a scanner knows, and little else.
type scannable struct {
	ID       int64             `json:"id" api:"id,readonly"`
	Name     string            `json:"name" validate:"omitempty,min=2"`
	Nick     *string           `json:"nick"`
	Secret   string            `json:"secret" api:"writeonly"`
	Count    int               `json:"count" validate:"gte=0"`
	Small    int8              `json:"small"`
	Big      *uint64           `json:"big"`
	Price    float64           `json:"price"`
	Rate     float32           `json:"rate"`
	On       bool              `json:"on" validate:"omitempty,required"`
	At       time.Time         `json:"at"`
	Until    *time.Time        `json:"until"`
	Photo    []byte            `json:"photo"`
	Colour   colour            `json:"colour"`
	Address  place             `json:"address" validate:"required"`
	Billing  *place            `json:"billing"`
	Tags     []string          `json:"tags" validate:"omitempty,min=1"`
	Lines    []size            `json:"lines"`
	Pointers []*size           `json:"pointers"`
	Grid     [][]int           `json:"grid"`
	Labels   map[string]string `json:"labels" validate:"omitempty,min=1"`
	Sizes    map[string]size   `json:"sizes"`
	Shared   *[]string         `json:"shared"`
	Merged   *map[string]int   `json:"merged"`
	Own      size              `json:"own" default:"{\"width\":7}"`
	Raw      any               `json:"raw"`
	Point    [2]int            `json:"point" validate:"omitempty,required"`
	Level    level             `json:"level"`
	Levels   []level           `json:"levels"`
	Text     jsontext.Value    `json:"text"`
	Names    [2]string         `json:"names" validate:"omitempty,required"`
}

func newScannable() *scannable {
	return &scannable{
		ID: 7, Name: "old", Nick: new("nick"), Secret: "s", Big: new(uint64(1)), At: time.Unix(0, 0).UTC(), Photo: []byte("p"),
		Address: place{"Bree", new(1)}, Billing: &place{"Shire", new(2)}, Tags: []string{"x", "y"}, Lines: []size{{1, 2, "m"}},
		Pointers: []*size{{3, 4, "m"}}, Grid: [][]int{{1}}, Labels: map[string]string{"a": "b"}, Sizes: map[string]size{"k": {Width: 5}},
		Shared: &[]string{"s"}, Merged: &map[string]int{"m": 1}, Raw: map[string]any{"a": 1.0}, Point: [2]int{1, 2}, Text: jsontext.Value("1"),
	}
}

// scanBodies are bodies, each with whether a scanner takes it in place of the decoder.
var scanBodies = map[string]bool{
	`{}`: true, ` { } `: true, "\t{\n\"name\" :\r \"a\" , \"count\":1 }\n": true, ``: false, ` `: false, `{`: false, `[]`: false, `null`: false,
	`{} x`: false, `{}{}`: false, `{,}`: false, `{"count":1,}`: false, `{"count":1 "small":1}`: false, `{"count" 1}`: false, `{count:1}`: false, "{}\x00": false,
	`{"small":1,"count":2,"name":"ab"}`: true, `{"count":1,"count":2}`: false, `{"id":1,"id":1}`: false, `{"unknown":1}`: false, `{"co\u0075nt":1}`: false,
	`{"id":9}`: true, `{"id":"a\n\u0041"}`: true, `{"id":-1.5e+7}`: true, `{"id":true}`: true, `{"id":null}`: true, `{"id":[1]}`: false, `{"id":{"a":1,"a":1}}`: false,
	`{"id":1.}`: false, `{"id":.5}`: false, `{"id":1e}`: false, `{"id":01}`: false, `{"id":-}`: false, `{"id":nul}`: false, `{"id":}`: false,

	`{"name":""}`: true, `{"name":"é 日本 😀"}`: true, `{"name":"a\"\\\/\b\f\n\r\tz"}`: true, `{"name":"\ud83d\ude00"}`: true, `{"name":"a\\u0000"}`: true,
	`{"name":"\u0000"}`: false, `{"name":"\ud800"}`: false, `{"name":"\x"}`: false, `{"name":"a`: false, `{"name":"a\`: false, `{"name":"a\"`: false,
	"{\"name\":\"\xff\"}": false, "{\"name\":\"\\n\xff\"}": false, "{\"name\":\"a\n\"}": false, "{\"name\":\"é\n\"}": false, "{\"name\":\"\\\n\"}": false,
	`{"name":null}`: false, `{"name":7}`: false, `{"nick":null}`: true, `{"nick":""}`: true, `{"nick":7}`: false, `{"nick":nil}`: false,
	`{"name":"` + strings.Repeat("long ", 1000) + `"}`:                               true,
	`{"tags":["` + strings.Repeat(`0123456789012345678901234567890","`, 100) + `"]}`: true,

	`{"count":0}`: true, `{"count":-0}`: true, `{"count":9223372036854775807}`: true, `{"count":-9223372036854775807}`: true, `{"small":-128}`: true,
	`{"big":9999999999999999999}`: true, `{"count":9223372036854775808}`: false, `{"small":128}`: false, `{"small":-129}`: false, `{"count":3.0}`: false,
	`{"count":1e1}`: false, `{"count":00}`: false, `{"count":-}`: false, `{"count":"1"}`: false, `{"big":-1}`: false, `{"big":-0}`: false, `{"big":18446744073709551616}`: false,
	`{"price":-0}`: true, `{"price":0.1}`: true, `{"price":1E-7}`: true, `{"price":5e-324}`: true, `{"price":1e999}`: false, `{"rate":0.1}`: true, `{"rate":1e39}`: false,
	`{"price":1.}`: false, `{"price":"1"}`: false, `{"price":123456789012345678901234567890.5}`: true,
	`{"on":true}`: true, `{"on":false}`: true, `{"on":truth}`: false, `{"on":1}`: false, `{"on":t`: false,

	`{"at":"2024-02-29T12:00:00Z"}`: true, `{"at":"2024-02-29T12:00:00.000000001Z"}`: true, `{"at":"2024-02-29T12:00:00.1234567891Z"}`: true,
	`{"at":"2024-02-29T12:00:00+01:00"}`: true, `{"at":"2024-02-29t12:00:00z"}`: true, `{"at":"2016-12-31T23:59:60Z"}`: true, `{"at":"0000-01-01T00:00:00Z"}`: true,
	`{"at":"2023-02-29T12:00:00Z"}`: false, `{"at":"2024-00-01T00:00:00Z"}`: false, `{"at":"2024-13-01T00:00:00Z"}`: false, `{"at":"2024-01-00T00:00:00Z"}`: false,
	`{"at":"2024-01-01T24:00:00Z"}`: false, `{"at":"2024-01-01T00:60:00Z"}`: false, `{"at":"2024-01-01T00:00:61Z"}`: false, `{"at":"2024-01-01T00:00:00"}`: false,
	`{"at":"2024-01-01T00:00:00.Z"}`: false, `{"at":"2024-01-01T00:00:00,5Z"}`: false, `{"at":"2024-01-01T00:00:00.5xZ"}`: false, `{"at":"\u00322024-01-01T00:00:00Z"}`: false,
	`{"until":null}`: true, `{"until":"2024-01-01T00:00:00Z"}`: true, `{"at":"2024-01-01T00:00:0\u0030Z"}`: true, `{"at":""}`: false, `{"at":7}`: false,
	`{"photo":"AQID"}`: true, `{"photo":""}`: true, `{"photo":"AQI"}`: false, `{"photo":"AQ\nID"}`: false, `{"photo":null}`: false,
	`{"colour":"red"}`: true, `{"colour":"infrared"}`: false, `{"colour":7}`: false,

	`{"address":{"city":"a"}}`: true, `{"address":{}}`: true, `{"address":{"zip":null}}`: true, `{"address":{"x":1}}`: false, `{"address":null}`: false, `{"address":[]}`: false,
	`{"billing":null}`: true, `{"billing":{"zip":3}}`: true, `{"billing":{"city":"a","city":"a"}}`: false, `{"billing":{"city":"a"`: false,
	`{"tags":[]}`: true, `{"tags":[ ]}`: true, `{"tags":["a", "]," ,""]}`: true, `{"tags":["a",]}`: false, `{"tags":["a" "b"]}`: false, `{"tags":[null]}`: false, `{"tags":["a"}`: false,
	`{"tags":null}`: false, `{"tags":[`: false, `{"lines":[{},{"width":3,"unit":"}"}]}`: true, `{"lines":[null]}`: false, `{"pointers":[null,{"unit":"km"}]}`: true,
	`{"grid":[[1,2],[],[-3]]}`: true, `{"grid":[1]}`: false, `{"shared":["t"]}`: true, `{"shared":null}`: true,
	`{"point":[1,2]}`: true, `{"point":[ 1 , 2 ]}`: true, `{"point":[1]}`: false, `{"point":[1,2,3]}`: false, `{"point":[]}`: false, `{"point":[1 2]}`: false,
	`{"point":[1,null]}`: false, `{"point":{}}`: false, `{"point":null}`: false, `{"point":[1,2`: false, `{"own":{"width":1}}`: false,
	`{"level":2}`: true, `{"level":9}`: false, `{"level":null}`: false, `{"level":[2]}`: false, `{"levels":[1,2]}`: true, `{"text":{"a":[1]}}`: true, `{"text":{"a":1,"a":1}}`: false,
	`{"text": [1 , {"b" : "]}"} ]}`: true, `{"text":[1}`: false, `{"text":[1}]}`: false, `{"text":{]}`: false, `{"text":[1,]}`: false, `{"text":"\u0000"}`: false, `{"text":["a\u0000"]}`: false,
	`{"text":[01]}`: false, `{"text":["\ud800"]}`: false, `{"text":1e999}`: true, `{"text":`: false, `{"text":}`: false, `{"text":]}`: false, `{"text":,1}`: false, `{"text": }`: false,
	`{"text":` + strings.Repeat("[", 65) + strings.Repeat("]", 65) + `}`: false, `{"text":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`: true,
}

func TestAScannerTakesABodyAsTheDecoderDoesOrGivesUp(t *testing.T) {
	t.Parallel()
	c := codecOf[scannable](t)
	for body, taken := range scanBodies {
		for _, mode := range []mode{create, replace, merge} {
			wantAsByTokens(t, c, []byte(body), newScannable(), mode)
			if got := c.Scan([]byte(body), newScannable(), mode); got != taken {
				t.Errorf("%.200s: scanned: %v, want %v", body, got, taken)
			}
		}
	}
}

func TestMapsAreScannedUnlessAPatchChangesThem(t *testing.T) {
	t.Parallel()
	c := codecOf[scannable](t)
	for body, taken := range map[string]bool{
		`{"labels":{}}`: true, `{"labels":{"b":"c","d":"\n"}}`: true, `{"labels":{"\u0061":"b"}}`: true, `{"sizes":{"a":{"width":2},"b":{}}}`: true,
		`{"merged":{"n":2}}`: true, `{"labels":{"a":"b","a":"c"}}`: false, `{"labels":{"\u0000":"b"}}`: false, `{"labels":{"a":7}}`: false, `{"labels":{"a":null}}`: false,
		`{"labels":{"a":"b",}}`: false, `{"labels":{"a" "b"}}`: false, `{"labels":{a:"b"}}`: false, `{"labels":{"a":"b" "c":"d"}}`: false, `{"labels":[]}`: false, `{"labels":{"a":`: false,
	} {
		wantAsByTokens(t, c, []byte(body), newScannable(), create)
		wantAsByTokens(t, c, []byte(body), newScannable(), merge)
		wantAsByTokens(t, c, []byte(body), &scannable{Text: jsontext.Value("1")}, merge)
		if got := c.Scan([]byte(body), newScannable(), create); got != taken {
			t.Errorf("%s: scanned: %v, want %v", body, got, taken)
		}
		if c.Scan([]byte(body), newScannable(), merge) {
			t.Errorf("%s changes a map of the record, but is scanned", body)
		}
		if got := c.Scan([]byte(body), new(scannable), merge); got != taken {
			t.Errorf("%s onto nothing: scanned: %v, want %v", body, got, taken)
		}
	}
}

func TestAnythingIsScannedUnlessAPatchChangesIt(t *testing.T) {
	t.Parallel()
	c := codecOf[scannable](t)
	for body, taken := range map[string]bool{
		`{"raw":null}`: true, `{"raw":1}`: true, `{"raw":{"a":{"b":null,"c":[null,1]},"d":"\n"}}`: true, `{"raw":1e999}`: false, `{"raw":{"a":1,"a":2}}`: false,
		`{"raw":"\u0000"}`: false, `{"raw":[1,}`: false, `{"raw":tru}`: false, `{"raw":{"a" 1}}`: false, `{"raw":[1 2]}`: false,
	} {
		wantAsByTokens(t, c, []byte(body), newScannable(), create)
		wantAsByTokens(t, c, []byte(body), newScannable(), merge)
		wantAsByTokens(t, c, []byte(body), &scannable{Text: jsontext.Value("1")}, merge)
		if got := c.Scan([]byte(body), newScannable(), create); got != taken {
			t.Errorf("%s: scanned: %v, want %v", body, got, taken)
		}
		if c.Scan([]byte(body), newScannable(), merge) {
			t.Errorf("%s changes what the record has, but is scanned", body)
		}
	}
}

func TestRequiredMembersAreAskedForByTheScannerToo(t *testing.T) {
	t.Parallel()
	c := codecOf[scannable](t, "name", "secret", "nick", "address.city")
	for _, test := range []struct {
		body  string
		mode  mode
		taken bool
	}{
		{`{"name":"a","secret":"b","nick":"c"}`, create, true},
		{`{"name":"a","nick":"c"}`, create, false},
		{`{"name":"a","nick":"c"}`, replace, true},
		{`{"name":"a"}`, replace, false},
		{`{"name":"a"}`, merge, true},
		{`{"nick":null}`, merge, false},
		{`{"address":{}}`, merge, true},
		{`{"billing":{}}`, merge, false},
		{`{"billing":{"city":"x"}}`, merge, true},
		{`{"name":"a","secret":"b","nick":"c","address":{}}`, create, false},
		{`{"name":"","secret":"","nick":"","address":{"city":""}}`, create, true},
	} {
		wantAsByTokens(t, c, []byte(test.body), &scannable{Text: jsontext.Value("1")}, test.mode)
		if got := c.Scan([]byte(test.body), new(scannable), test.mode); got != test.taken {
			t.Errorf("%s: scanned: %v, want %v", test.body, got, test.taken)
		}
	}
}

func TestWhatIsRequiredIsOfTheViewAlone(t *testing.T) {
	t.Parallel()
	free, strict := codecOf[place](t), codecOf[place](t, "city")
	wantTold(t, `{}`, decode(t, free, `{}`, free.New(), create))
	wantTold(t, `{}`, decode(t, strict, `{}`, strict.New(), create), "city: city is required (required)")
	wantTold(t, `{"city":null}`, decode(t, strict, `{"city":null}`, strict.New(), merge), "city: city is required (required)")
}

func TestEmptyValuesAreNotedByTheScannerToo(t *testing.T) {
	t.Parallel()
	type line struct {
		Count int      `json:"count" validate:"omitempty,gte=1"`
		Words []string `json:"words" validate:"omitempty,min=1"`
	}
	type order struct {
		Name  string          `json:"name" validate:"omitempty,min=2"`
		Text  string          `json:"text" validate:"omitempty,min=2" default:"x"`
		Place place           `json:"place" validate:"required"`
		Lines []line          `json:"lines" validate:"omitempty,dive"`
		By    map[string]line `json:"by" validate:"omitempty,min=1"`
		Line  line            `json:"line"`
	}
	c := codecOf[order](t)
	for _, body := range []string{
		`{"name":"","text":"","place":{},"lines":[],"by":{},"line":{"count":0,"words":[]}}`,
		`{"name":"a","text":"a","place":{"city":"a"},"lines":[{"count":0},{"words":[]},{"count":1}],"by":{"k":{"count":0}},"line":{}}`,
		`{"place":{"city":""},"name":""}`,
	} {
		for _, stored := range []*order{{}, {Name: "old", Text: "old", Place: place{"old", new(7)}}} {
			for _, mode := range []mode{create, replace, merge} {
				wantAsByTokens(t, c, []byte(body), stored, mode)
				if !c.Scan([]byte(body), c.Clone(stored), mode) {
					t.Errorf("%s is not scanned", body)
				}
			}
		}
	}
}

func TestDefaultsAreWhatAScannerBeginsWith(t *testing.T) {
	t.Parallel()
	c := codecOf[preset](t)
	for _, body := range []string{
		`{}`, `{"sizes":[{},{"width":3}],"unset":{"unit":"m"},"pointer":{}}`, `{"size":{"width":3},"tags":["z"],"labels":{"z":1}}`, `{"own":{"unit":"m"}}`,
	} {
		for _, mode := range []mode{create, replace, merge} {
			wantAsByTokens(t, c, []byte(body), c.New(), mode)
		}
	}
	if got, want := encode(t, c, c.New()), encode(t, c, newPreset()); got != want {
		t.Errorf("the defaults became %s, were %s", got, want)
	}
}

func TestDeepOrWideBodiesAreForTheDecoder(t *testing.T) {
	t.Parallel()
	c := codecOf[node](t)
	for depth, taken := range map[int]bool{2: true, 60: true, 63: true, 100: false, 10_001: false} {
		body := strings.Repeat(`{"next":`, depth) + "null" + strings.Repeat("}", depth)
		if got := c.Scan([]byte(body), new(node), create); got != taken {
			t.Errorf("%d structs deep: scanned: %v, want %v", depth, got, taken)
		}
		list := strings.Repeat(`{"all":[`, depth/2) + strings.Repeat("]}", depth/2)
		if got := c.Scan([]byte(list), new(node), create); got != taken {
			t.Errorf("%d lists deep: scanned: %v, want %v", depth, got, taken)
		}
	}
	fields := make([]reflect.StructField, 65)
	for i := range fields {
		fields[i] = reflect.StructField{Name: "F" + strings.Repeat("x", i), Type: reflect.TypeFor[int]()}
	}
	for count, taken := range map[int]bool{64: true, 65: false} {
		goType := reflect.StructOf(fields[:count])
		c := codecOfType(t, goType)
		body := `{"F":1,"F` + strings.Repeat("x", count-1) + `":2}`
		wantAsByTokens(t, c, []byte(body), reflect.New(goType).Interface(), create)
		if got := c.Scan([]byte(body), reflect.New(goType).Interface(), create); got != taken {
			t.Errorf("%d members: scanned: %v, want %v", count, got, taken)
		}
	}
}

func TestStringsOfOneBodyShareLittleMemory(t *testing.T) {
	t.Parallel()
	c := codecOf[scannable](t)
	body := `{"name":"ab","nick":"cd","tags":["e","","f"],"address":{"city":"gh"},"labels":{"i":"j"}}`
	into := new(scannable)
	decode(t, c, body, into, create)
	want := &scannable{
		Name: "ab", Nick: new("cd"), Tags: []string{"e", "", "f"}, Address: place{City: "gh"}, Labels: map[string]string{"i": "j"},
	}
	if diff := cmp.Diff(want, into, cmp.AllowUnexported(colour{}, level{})); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
}
