package msgpack_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/formattest"
	"github.com/trove-api/trove/format/msgpack"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

type gem struct {
	ID   int64          `json:"id"`
	Name string         `json:"name" validate:"max=100000"`
	Big  int64          `json:"big"`
	Real float64        `json:"real"`
	Sold bool           `json:"sold"`
	Note *string        `json:"note"`
	Tags []string       `json:"tags"`
	Any  any            `json:"any"`
	More map[string]int `json:"more"`
}

type answer struct{ formattest.Response }

// is compares a body as JSON that reads it again.
func (a answer) is(status int, want string) answer {
	a.T.Helper()
	if got := a.json(); a.Status != status || got != want {
		a.T.Errorf("the answer is %d\n%s\nwant %d\n%s", a.Status, got, status, want)
	}
	return a
}

// json returns the body as JSON, as the reader of bodies reads it.
func (a answer) json() string {
	a.T.Helper()
	text, err := msgpack.Format.Read(&format.Body{Bytes: []byte(a.Body)})
	if err != nil {
		a.T.Fatalf("%x is no MessagePack: %v", a.Body, err)
	}
	return string(text)
}

func (a answer) has(field, value string) answer {
	a.T.Helper()
	a.Has(field, value)
	return a
}

func send(t testing.TB, api http.Handler, request, body string, fields ...string) answer {
	t.Helper()
	return answer{formattest.Client{T: t, API: api, MediaType: msgpack.MediaType}.Send(request, body, fields...)}
}

func newAPI(t testing.TB, of resource.Of[gem]) *resource.API {
	t.Helper()
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), msgpack.Format), Logger: slog.New(slog.DiscardHandler)}, of)
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// bytes returns the bytes of a text of hexadecimal digits.
func bytes(t testing.TB, digits string) string {
	t.Helper()
	raw, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

const (
	asMessagePack = msgpack.MediaType
	asJSON        = "application/json"
)

func TestEverythingIsAsInJSON(t *testing.T) {
	t.Parallel()
	api := newAPI(t, resource.Of[gem]{})
	for i, body := range []string{
		`{"name":"a\"b","big":-9223372036854775808,"real":1.5,"sold":true,"note":null,"tags":["x","é😀"],"any":{"a":[1,-1,-33,-129,-32769,128,256,65536,4294967296,0.1,1e300,null,false]},"more":{"k":1}}`,
		`{"name":"` + strings.Repeat("a", 31) + `","tags":["` + strings.Repeat("b", 32) + `","` + strings.Repeat("\\n", 256) + `"],"any":[` + strings.Repeat("1,", 9000) + `1]}`,
		`{"name":"` + strings.Repeat("é", 40000) + `","big":9223372036854775807,"any":[` + strings.Repeat("[],", 15) + `{}]}`,
	} {
		made := send(t, api, "POST /api/gems.msgpack", body, "Content-Type", asJSON).has("Content-Type", asMessagePack)
		path := fmt.Sprintf("GET /api/gems/%d", i+1)
		plain := send(t, api, path, "")
		made.is(201, plain.Body)
		got := send(t, api, path, "", "Accept", asMessagePack).is(200, plain.Body)
		again := send(t, api, "PUT"+path[3:], got.Body)
		if again.Status != 200 || again.Body != plain.Body {
			t.Errorf("what was answered is taken as %d %.300s", again.Status, again.Body)
		}
	}
	plain := send(t, api, "GET /api/gems", "")
	send(t, api, "GET /api/gems.msgpack", "").is(200, plain.Body).has("X-Total-Count", "3")
	send(t, api, "GET /api", "", "Accept", asMessagePack).is(200, `{"Gem":"/api/gems"}`)
}

func TestPagesOfAllSizes(t *testing.T) {
	t.Parallel()
	api := newAPI(t, resource.Of[gem]{})
	for n := range 31 {
		plain := send(t, api, "GET /api/gems?itemsPerPage=30", "")
		if n == 0 || n == 15 || n == 16 || n == 30 {
			send(t, api, "GET /api/gems.msgpack?itemsPerPage=30", "").is(200, plain.Body)
		}
		send(t, api, "POST /api/gems", `{"name":"a"}`, "Content-Type", asJSON)
	}
}

func TestBytesOfTheSpecification(t *testing.T) {
	t.Parallel()
	type small struct {
		ID  int64 `json:"id"`
		Any any   `json:"any"`
	}
	for value, want := range map[string]string{
		`null`: "c0", `false`: "c2", `true`: "c3", `0`: "00", `127`: "7f", `128`: "cc80", `256`: "cd0100", `65536`: "ce00010000",
		`4294967296`: "cf0000000100000000", `-1`: "ff", `-32`: "e0", `-33`: "d0df", `-128`: "d080", `-129`: "d1ff7f", `-32769`: "d2ffff7fff",
		`-2147483649`: "d3ffffffff7fffffff", `1.5`: "cb3ff8000000000000", `""`: "a0", `"a"`: "a161", `[1,[]]`: "920190", `{"a":1}`: "81a16101",
		`"` + strings.Repeat("a", 32) + `"`: "d920" + strings.Repeat("61", 32),
	} {
		api, err := resource.New(resource.Config{Formats: append(format.Standard(), msgpack.Format)}, resource.Of[small]{})
		if err != nil {
			t.Fatal(err)
		}
		got := send(t, api, "POST /api/smalls.msgpack", `{"any":`+value+`}`, "Content-Type", asJSON)
		if whole := "82a2696401a3616e79" + want; hex.EncodeToString([]byte(got.Body)) != whole {
			t.Errorf("%s is %x, want %s", value, got.Body, whole)
		}
	}
}

func TestErrorsAreTheSameAsInJSON(t *testing.T) {
	t.Parallel()
	for shape, status := range map[validation.Shape]int{validation.Map: 400, validation.Problem: 422} {
		api := newAPI(t, resource.Of[gem]{Errors: shape})
		body := `{"big":"x","colour":1}`
		plain := send(t, api, "POST /api/gems", body, "Content-Type", asJSON)
		send(t, api, "POST /api/gems", body, "Content-Type", asJSON, "Accept", asMessagePack).is(status, plain.Body).has("Content-Type", asMessagePack)
		plain = send(t, api, "GET /api/gems/9", "")
		send(t, api, "GET /api/gems/9.msgpack", "").is(404, plain.Body).has("Content-Type", asMessagePack)
		send(t, api, "POST /api/gems", "x", "Content-Type", "image/png").has("Accept-Post", "application/json, application/vnd.msgpack")
		if got := send(t, api, "GET /api/gems", "", "Accept", "image/png"); got.Status != 406 {
			t.Errorf("the status is %d, want 406", got.Status)
		}
	}
}

func TestATagGuardsARecordInMessagePackToo(t *testing.T) {
	t.Parallel()
	api := newAPI(t, resource.Of[gem]{})
	send(t, api, "POST /api/gems", `{"name":"a"}`, "Content-Type", asJSON)
	plain := send(t, api, "GET /api/gems/1", "").Header.Get("ETag")
	tag := send(t, api, "GET /api/gems/1.msgpack", "").Header.Get("ETag")
	if got := send(t, api, "GET /api/gems/1.msgpack", "", "If-None-Match", tag); got.Status != 304 || tag == plain {
		t.Errorf("the status is %d, want 304 for %s", got.Status, tag)
	}
	change := bytes(t, "81 a3 626967 05")
	if got := send(t, api, "PATCH /api/gems/1", change, "If-Match", plain); got.Status != 200 {
		t.Errorf("the status is %d, want 200: %s", got.Status, got.Body)
	}
	if got := send(t, api, "PATCH /api/gems/1", change, "If-Match", tag); got.Status != 412 {
		t.Errorf("the status is %d, want 412", got.Status)
	}
}

func TestWrongBodies(t *testing.T) {
	t.Parallel()
	api := newAPI(t, resource.Of[gem]{})
	name := "82 a4 6e616d65 a161 " // {"name":"a", and one more
	free := name + "a3 616e79 "
	for rule, test := range map[string]struct {
		digits string
		status int
		says   string
	}{
		"a list that promises 4 billion":   {"dd ffffffff", 400, "ends before it is complete"},
		"a map that promises 4 billion":    {"df ffffffff", 400, "ends before it is complete"},
		"a text that promises 4 billion":   {free + "db ffffffff 61", 400, `"pointer":"/any"`},
		"binary that promises 4 billion":   {free + "c6 ffffffff", 400, `"pointer":"/any"`},
		"a list in a list that lies":       {free + "93 01 dd ffffffff", 400, `"pointer":"/any/1"`},
		"nothing behind a map":             {"81", 400, "ends before it is complete (at byte 1)"},
		"no value behind a name":           {"81 a4 6e616d65", 400, "ends before"},
		"half a number":                    {free + "ce 0000", 400, "ends before"},
		"half a length":                    {free + "da 00", 400, "ends before"},
		"half a float":                     {free + "cb 00", 400, "ends before"},
		"half an integer":                  {free + "d2 00", 400, "ends before"},
		"two values":                       {"81 a4 6e616d65 a161 c0", 400, "data follows the value"},
		"the byte that stands for nothing": {free + "c1", 400, "0xc1"},
		"a fixed extension":                {free + "d6 ff 00000000", 400, "extension types"},
		"an extension":                     {free + "c7 0c ff 000000000000000000000000", 400, "extension types"},
		"binary":                           {free + "c4 01 00", 400, "base64"},
		"no number":                        {free + "cb 7ff8000000000001", 400, "not finite"},
		"an infinite number":               {free + "ca ff800000", 400, "not finite"},
		"a text that is not UTF-8":         {free + "a1 ff", 400, "not valid UTF-8"},
		"a name that is not UTF-8":         {"81 a1 ff 01", 400, "not valid UTF-8"},
		"a name that is a number":          {free + "81 01 01", 400, "not a string"},
		"a name that is a list":            {"81 90 01", 400, "not a string"},
		"a name that is null":              {"81 c0 01", 400, "not a string"},
		"a member twice":                   {name + "a4 6e616d65 a162", 400, "name"},
		"an unknown member":                {name + "a1 78 01", 400, "x"},
		"a wrong type":                     {name + "a3 626967 a161", 400, "big"},
		"a list in place of a record":      {"90", 400, ""},
		"a number in place of a record":    {"01", 400, ""},
		"a value that is nested too deep":  {free + strings.Repeat("91", 100) + "c0", 413, "64 levels deep"},
		"nested as deep as it can":         {free + strings.Repeat("91", 500_000), 413, "64 levels deep"},
		"too many elements":                {free + "dd 00030d40" + strings.Repeat("00", 200_000), 413, "fields and elements"},
	} {
		got := send(t, api, "POST /api/gems", bytes(t, test.digits))
		if got.Status != test.status || !strings.Contains(got.Body, test.says) || len(got.Body) > 1000 {
			t.Errorf("%s: the answer is %d %.300s, want %d that says %q", rule, got.Status, got.Body, test.status, test.says)
		}
	}
	if got := send(t, api, "GET /api/gems", ""); got.Body != "[]" {
		t.Errorf("something was saved: %s", got.Body)
	}
}

func TestFloatsWithoutFractionAreIntegers(t *testing.T) {
	t.Parallel()
	api := newAPI(t, resource.Of[gem]{})
	send(t, api, "POST /api/gems.msgpack", bytes(t, "83 a4 6e616d65 a161 a3 626967 cb 4008000000000000 a4 7265616c ca 3dcccccd")).
		is(201, `{"id":1,"name":"a","big":3,"real":0.1,"sold":false,"note":null,"tags":[],"any":null,"more":{}}`)
}

// FuzzBodies checks that no body causes more than an error, and that an accepted body has one meaning.
func FuzzBodies(f *testing.F) {
	for _, digits := range []string{"dd ffffffff", "81 a4 6e616d65 a161", "82 a4 6e616d65 a161 a3 616e79 93 01 cb 3ff8000000000000 c0"} {
		f.Add([]byte(bytes(f, digits)))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		text, err := msgpack.Format.Read(&format.Body{Bytes: append([]byte(nil), body...)})
		if err == nil && !json.Valid(text) {
			t.Fatalf("%x is read as %s", body, text)
		}
		api := newAPI(t, resource.Of[gem]{})
		made := send(t, api, "POST /api/gems", string(body))
		switch {
		case made.Status == 201 && err == nil:
			var want, got any
			plain := send(t, api, "GET /api/gems/1", "")
			if json.Unmarshal([]byte(plain.Body), &want) != nil || json.Unmarshal([]byte(send(t, api, "GET /api/gems/1.msgpack", "").json()), &got) != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%x is answered as %v, want %v", body, got, want)
			}
		case made.Status < 400 || made.Status > 499:
			t.Errorf("%x: %d %s", body, made.Status, made.Body)
		}
	})
}
