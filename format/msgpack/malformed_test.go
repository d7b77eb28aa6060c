package msgpack_test

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"net/http"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/msgpack"
	"github.com/trove-api/trove/resource"
)

// isRefused compares a response with the error for malformed MessagePack.
func isRefused(t *testing.T, what string, got answer) {
	t.Helper()
	var told struct {
		Status int    `json:"status"`
		Detail string `json:"detail"`
	}
	if got.Status != http.StatusBadRequest || len(got.Body) > 1000 || json.Unmarshal([]byte(got.Body), &told) != nil || told.Detail == "" {
		t.Errorf("%s: the answer is %d %.300s, want 400", what, got.Status, got.Body)
	}
}

// No single byte is a record, except those of empty maps, regardless of what follows.
func TestEachFirstByteIsReadOrRejected(t *testing.T) {
	t.Parallel()
	type any1 struct {
		ID  int64 `json:"id"`
		Any any   `json:"any"`
	}
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), msgpack.Format)}, resource.Of[any1]{ShortName: "Gem"})
	if err != nil {
		t.Fatal(err)
	}
	for first := range 256 {
		c := string([]byte{byte(first)})
		whole := first == 0x80
		if got := send(t, api, "POST /api/gems", c); whole && got.Status != http.StatusCreated {
			t.Errorf("an empty record is answered by %d %s", got.Status, got.Body)
		} else if !whole {
			isRefused(t, strconv.Itoa(first)+" alone", got)
		}
		for _, rest := range []string{"\x00", "\xff", "\xc1", strings.Repeat("\xff", 9), strings.Repeat("\x00", 40), strings.Repeat(c, 300)} {
			if first != 0x80 || rest == "\x00" {
				isRefusedOrKept(t, api, c+rest)
			}
			isRefusedOrKept(t, api, "\x81\xa3any"+c+rest)
		}
		if first < 0x80 || first >= 0xe0 || first == 0xc0 || first == 0xc2 || first == 0xc3 || first == 0x80 || first == 0x90 || first == 0xa0 {
			send(t, api, "POST /api/gems", "\x81\xa3any"+c).Mentions(http.StatusCreated)
		} else {
			isRefused(t, strconv.Itoa(first)+" as a value", send(t, api, "POST /api/gems", "\x81\xa3any"+c))
		}
	}
}

// isRefusedOrKept checks that a body is accepted, or rejected as the client's error.
func isRefusedOrKept(t *testing.T, api http.Handler, body string) {
	t.Helper()
	if got := send(t, api, "POST /api/gems", body); got.Status != 201 && got.Status != 400 && got.Status != 413 || len(got.Body) > 2000 {
		t.Errorf("%x: the answer is %d %.300s", body, got.Status, got.Body)
	}
}

// A record that is cut off anywhere is rejected, and so is one with more data after it.
func TestABodyIsOneCompleteValue(t *testing.T) {
	t.Parallel()
	api := newAPI(t, resource.Of[gem]{})
	send(t, api, "POST /api/gems", `{"name":"`+strings.Repeat("a", 40)+`","big":-70000,"real":1.5,"note":"x","tags":["a","b"],"any":{"k":[1,null,true,300]},"more":{"m":70000}}`, "Content-Type", asJSON).Mentions(201)
	whole := send(t, api, "GET /api/gems/1.msgpack", "").Body
	for n := 1; n < len(whole); n++ {
		isRefused(t, "cut off at "+strconv.Itoa(n), send(t, api, "POST /api/gems", whole[:n]))
	}
	for _, rest := range []string{"\x00", "\xc0", "\x80", whole} {
		isRefused(t, "and "+rest, send(t, api, "POST /api/gems", whole+rest))
	}
	send(t, api, "POST /api/gems", whole).Mentions(201)
}

// What a length promises costs nothing: memory is that of the bytes that came.
func TestNoMoreMemoryThanTheBodyAllows(t *testing.T) { //nolint:paralleltest // it measures what is allocated
	for rule, body := range map[string]string{
		"a list":                     "\xdd\xff\xff\xff\xff",
		"a map":                      "\xdf\xff\xff\xff\xff",
		"a text":                     "\xdb\xff\xff\xff\xff",
		"binary":                     "\xc6\xff\xff\xff\xff",
		"an extension":               "\xc9\xff\xff\xff\xff\x01",
		"lists in lists":             strings.Repeat("\xdd\xff\xff\xff\xff", 60),
		"maps in maps":               strings.Repeat("\xdf\xff\xff\xff\xff\xa1a", 60),
		"a list as long as its body": "\xdd\x00\x00\xff\xff" + strings.Repeat("\xdd", 0xffff),
	} {
		of := &format.Body{Bytes: []byte(body)}
		allowed := uint64(64*len(body) + 16<<10)
		var before, after runtime.MemStats
		least := uint64(math.MaxUint64) // the least of several runs, because other goroutines allocate too
		for range 5 {
			runtime.ReadMemStats(&before)
			_, err := msgpack.Format.Read(of)
			if runtime.ReadMemStats(&after); err == nil {
				t.Errorf("%s is read", rule)
			}
			least = min(least, after.TotalAlloc-before.TotalAlloc)
		}
		if got := least; got > allowed {
			t.Errorf("%s: %d bytes are refused by means of %d", rule, len(body), got)
		}
	}
}

// extremes has fields at the ends of their types.
type extremes struct {
	ID       int64              `json:"id"`
	Int8     int8               `json:"int8"`
	Int16    int16              `json:"int16"`
	Int32    int32              `json:"int32"`
	Int64    int64              `json:"int64"`
	Uint8    uint8              `json:"uint8"`
	Uint16   uint16             `json:"uint16"`
	Uint32   uint32             `json:"uint32"`
	Uint64   uint64             `json:"uint64"`
	Float32  float32            `json:"float32"`
	Float64  float64            `json:"float64"`
	At       time.Time          `json:"at"`
	Maybe    *time.Time         `json:"maybe"`
	Bytes    []byte             `json:"bytes"`
	Nested   [][]map[string]any `json:"nested"`
	Pointers []*int64           `json:"pointers"`
	Any      any                `json:"any"`
}

// MessagePack accepts what JSON accepts, with the same value, and rejects what JSON rejects.
func TestTheSameValueInBoth(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), msgpack.Format)}, resource.Of[extremes]{ShortName: "Gem"})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(7, 7))
	fixed := []string{
		`{"int8":-128,"int16":-32768,"int32":-2147483648,"int64":-9223372036854775808,"uint8":0,"uint64":0,"float32":-3.4028234663852886e38,"float64":-1.7976931348623157e308}`,
		`{"int8":127,"int16":32767,"int32":2147483647,"int64":9223372036854775807,"uint8":255,"uint16":65535,"uint32":4294967295,"float32":3.4028234663852886e38,"float64":5e-324}`,
		`{"uint64":18446744073709551615}`, `{"uint64":9223372036854775807}`, `{"float64":9007199254740993}`, `{"float64":-0.0}`, `{"float32":1e-45}`,
		`{"at":"0001-01-01T00:00:00Z","maybe":"9999-12-31T23:59:59.999999999Z"}`, `{"at":"2026-02-29T00:00:00Z"}`, `{"at":"2024-02-29T12:00:00.5+05:30","maybe":null}`,
		`{"bytes":"AP8="}`, `{"bytes":""}`, `{"bytes":"a"}`, `{"nested":[[],[{"a":null,"b":[1,{"c":-1}]},{}]]}`, `{"nested":null}`, `{"pointers":[1,null,-1]}`,
		`{"int8":128}`, `{"uint8":-1}`, `{"int8":1.5}`, `{"int8":null}`, `{"any":null}`, `{"any":"\u0000"}`, `{"any":1e400}`, `{"bytes":[1]}`, `{"x":1}`,
		`{"any":{"":{"":[]}}}`, `{"any":"` + strings.Repeat("é", 40_000) + `"}`, `{"any":"\ud83d\ude00"}`,
	}
	for i := range 300 {
		body := fixed[i%len(fixed)]
		if i >= len(fixed) {
			text, err := json.Marshal(map[string]any{
				"int64": r.Int64() - r.Int64(), "float64": math.Float64frombits(r.Uint64() &^ (1 << 62)), "any": byChance(r, 4), "uint32": r.Uint32() >> r.IntN(32),
			})
			if err != nil {
				t.Fatal(err)
			}
			body = string(text)
		}
		plain := send(t, api, "POST /api/gems", body, "Content-Type", asJSON)
		packed := send(t, api, "POST /api/gems", string(pack(t, body)))
		_, first, _ := strings.Cut(plain.Body, ",")
		_, second, _ := strings.Cut(packed.Body, ",")
		if strings.Contains(body, "1e400") { // no float has it: MessagePack has no such value
			continue
		}
		if plain.Status != packed.Status || first != second {
			t.Errorf("%.300s is answered by %d %.300s, as MessagePack by %d %.300s", body, plain.Status, plain.Body, packed.Status, packed.Body)
		}
		if plain.Status == http.StatusCreated {
			got := send(t, api, "GET "+plain.Header.Get("Location")+".msgpack", "").json()
			if !reflect.DeepEqual(valueOf(t, got), valueOf(t, plain.Body)) {
				t.Errorf("%.300s is answered as %.300s, want %.300s", body, got, plain.Body)
			}
		}
	}
}

// valueOf returns what JSON says, integers exactly, and other numbers as floats, which have several forms.
func valueOf(t *testing.T, text string) any {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return exact(value)
}

func exact(value any) any {
	switch v := value.(type) {
	case json.Number:
		if f, err := v.Float64(); err == nil && (f != math.Trunc(f) || math.Abs(f) >= 1<<64) {
			return f
		}
	case []any:
		for i := range v {
			v[i] = exact(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = exact(v[name])
		}
	}
	return value
}

// byChance returns any value of JSON.
func byChance(r *rand.Rand, depth int) any {
	switch n := r.IntN(9); {
	case n == 0:
		return nil
	case n == 1:
		return r.IntN(2) > 0
	case n == 2:
		return strings.Repeat("aé\n", r.IntN(200))
	case n == 3:
		return r.NormFloat64()
	case n < 6 || depth == 0:
		return r.Int64N(1<<53) >> r.IntN(53)
	case n == 6:
		made := map[string]any{}
		for range r.IntN(20) {
			made[strings.Repeat("k", r.IntN(40))] = byChance(r, depth-1)
		}
		return made
	}
	made := make([]any, r.IntN(20))
	for i := range made {
		made[i] = byChance(r, depth-1)
	}
	return made
}

// pack makes MessagePack of JSON in the longest form of each value, which the writer never has: readers must take all.
func pack(t *testing.T, text string) []byte {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return appendPacked(nil, value)
}

func appendPacked(b []byte, value any) []byte {
	long := binary.BigEndian.AppendUint32
	switch v := value.(type) {
	case nil:
		return append(b, 0xc0)
	case bool:
		return append(b, map[bool]byte{false: 0xc2, true: 0xc3}[v])
	case string:
		return append(long(append(b, 0xdb), uint32(len(v))), v...)
	case json.Number:
		if n, err := strconv.ParseInt(string(v), 10, 64); err == nil {
			return binary.BigEndian.AppendUint64(append(b, 0xd3), uint64(n))
		}
		if n, err := strconv.ParseUint(string(v), 10, 64); err == nil {
			return binary.BigEndian.AppendUint64(append(b, 0xcf), n)
		}
		f, _ := v.Float64()
		return binary.BigEndian.AppendUint64(append(b, 0xcb), math.Float64bits(f))
	case []any:
		b = long(append(b, 0xdd), uint32(len(v)))
		for _, element := range v {
			b = appendPacked(b, element)
		}
	case map[string]any:
		b = long(append(b, 0xdf), uint32(len(v)))
		for name, member := range v {
			b = appendPacked(appendPacked(b, name), member)
		}
	}
	return b
}

// Fields come in any order and lengths in any form; a duplicate name is reported as in JSON.
func TestNamesAreThoseOfJSON(t *testing.T) {
	t.Parallel()
	api := newAPI(t, resource.Of[gem]{})
	for _, body := range []string{"\x82\xa4name\xa1a\xa4name\xa1b", "\x82\xa4name\xa1a\xd9\x04name\xa1a", "\x82\xa4name\xa1a\xa4more\x82\xa1k\x01\xa1k\x02"} {
		got := send(t, api, "POST /api/gems", body)
		isRefused(t, body, got)
		var told map[string]any
		if json.Unmarshal([]byte(got.Body), &told) != nil || reflect.ValueOf(told["pointer"]).IsZero() {
			t.Errorf("%x: there is no place in %s", body, got.Body)
		}
	}
}

// Clients whose numbers are all floats send whole ones so: they are the integers that the floats are, to the last digit.
func TestAFloatWithoutFractionIsAnInteger(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), msgpack.Format)}, resource.Of[extremes]{ShortName: "Gem"})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		member string
		value  float64
		want   string // "" for an error
	}{
		{"int64", 1 << 53, "9007199254740992"},
		{"int64", 1 << 62, "4611686018427387904"},
		{"int64", -1 << 63, "-9223372036854775808"},
		{"int8", -128, "-128"},
		{"int64", 1 << 63, ""},
		{"uint64", 1 << 64, ""},
		{"int8", 0.5, ""},
	} {
		body := append([]byte{0x81, 0xa0 | byte(len(test.member))}, test.member...)
		body = binary.BigEndian.AppendUint64(append(body, 0xcb), math.Float64bits(test.value))
		answer := send(t, api, "POST /api/gems.json", string(body))
		if test.want == "" && answer.Status != http.StatusBadRequest || test.want != "" && !strings.Contains(answer.Body, `"`+test.member+`":`+test.want) {
			t.Errorf("%s of %v is answered by %d %s, want %s", test.member, test.value, answer.Status, answer.Body, test.want)
		}
	}
}
