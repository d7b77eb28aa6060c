package codec_test

import (
	"errors"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// generated returns a value of a generated type, its codec and a pointer to it.
func generated(t *testing.T, seed uint64, options ...string) (subject, reflect.Value) {
	t.Helper()
	g := newGenerator(seed, options...)
	goType := g.structure(4)
	compiled, err := model.CompileType(goType)
	if err != nil {
		t.Skipf("%v: %v", goType, err)
	}
	c, err := codec.Compile(compiled)
	if err != nil {
		t.Fatalf("%v: %v", goType, err)
	}
	pointer := reflect.New(goType)
	g.fill(pointer.Elem(), 6)
	return subject{c, model.ViewsOf(compiled, nil)}, pointer
}

// omissions are the options of json tags that leave out fields.
var omissions = []string{",omitempty", ",omitzero", ",omitzero,omitempty"}

func TestGeneratedValuesAreWrittenAsJSONWritesThem(t *testing.T) {
	t.Parallel()
	written := 0
	for seed := range uint64(many(4_000)) {
		t.Run("", func(t *testing.T) {
			c, pointer := generated(t, seed, omissions...)
			wantLikeJSON(t, c, pointer.Elem().Type().String(), pointer.Interface())
			wantLikeJSON(t, c, "its clone", c.Clone(pointer.Interface()))
			written++
		})
	}
	if written < many(2_000) {
		t.Errorf("only %d types could be compiled", written)
	}
}

func TestGeneratedValuesComeBackFromTheirJSON(t *testing.T) {
	t.Parallel()
	for seed := range uint64(many(2_000)) {
		t.Run("", func(t *testing.T) {
			c, pointer := generated(t, seed)
			text, err := c.Append(nil, pointer.Interface())
			if err != nil {
				t.Skip(err)
			}
			wantRoundTrip(t, c, text)
		})
	}
}

// wantRoundTrip reports where JSON that a codec wrote is not taken, or not written
// again as it was.
func wantRoundTrip(t *testing.T, c subject, text []byte) {
	t.Helper()
	again := c.New()
	decoded, err := c.Decode(text, again, create)
	if err != nil || len(decoded.Violations) > 0 {
		t.Errorf("%s is rejected: %v, %v", text, err, linesOf(decoded.Violations))
		return
	}
	if got := encode(t, c, again); got != string(text) {
		t.Errorf("%s\nis written again as %s", text, got)
	}
}

type everything struct {
	everyKind

	Node    node     `json:"node"`
	Numbers *numbers `json:"numbers"`
	Colour  colour   `json:"colour"`
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `null`, `[{}]`, `{"name":"a\u0000"}`, `{"nick":null,"count":3.0,"small":1e1,"price":-0}`, `{"x":1,"x":2}`,
		`{"plunderedAt":"2016-12-31T23:59:60Z","photo":"AQID","host":"::1","level":2,"colour":"red"}`,
		`{"address":{"city":"a"},"billing":{"zip":1},"tags":["a"],"lines":[{}],"grid":[[1]],"point":[1,2,3],"labels":{"a":1,"b":null}}`,
		`{"node":{"next":{"next":null,"all":[{"by":{"a":null}}]},"any":{"a":[1,{"b":null}]}},"meta":1e999}`,
		`{"numbers":{"i":1e999999999,"u":-0.0,"f32":1e38,"i16":null,"u64":18446744073709551615.0e0}}`, `{"deletedAt":"0001-01-01t00:00:00z"}`,
		"{\"name\":\"\xff\"}", `{"name":"\ud800"}`, `{"node":{"any":"\\u0000"}}`, `{"labels":{"a.b]":1},"meta":{"":{"":""}}} `,
	} {
		f.Add([]byte(seed), byte(0))
		f.Add([]byte(seed), byte(2))
	}
	c := codecOf[everything](f, "nick", "address.city", "numbers.i")
	f.Fuzz(func(t *testing.T, body []byte, mode byte) {
		into := c.New()
		decoded, err := c.Decode(body, into, modeOf(mode))
		wellFormed := jsontext.Value(body).IsValid() && jsontext.Value(body).Kind() == jsontext.KindBeginObject
		if _, ok := errors.AsType[*codec.SyntaxError](err); wellFormed != (err == nil) || !wellFormed != ok {
			t.Fatalf("well-formed: %v, but the error is %v", wellFormed, err)
		}
		if err != nil {
			return
		}
		text := encode(t, c, c.Clone(into))
		if len(decoded.Violations) == 0 {
			wantLikeUnmarshal(t, body, text)
			wantRoundTrip(t, codecOf[everything](t), []byte(text))
		}
		if decoded.Mistyped && len(decoded.Violations) == 0 {
			t.Error("Mistyped, but without a violation")
		}
	})
}

// wantLikeUnmarshal reports where a body that was taken is not what json.Unmarshal makes
// of it, if it takes it too.
func wantLikeUnmarshal(t *testing.T, body []byte, text string) {
	t.Helper()
	into := new(everything)
	if json.Unmarshal(body, into, json.RejectUnknownMembers(true)) != nil {
		return
	}
	want, err := json.Marshal(into, json.Deterministic(true))
	if err == nil && text != string(want) {
		t.Errorf("%s\nis read as %s\nbut by json as %s", body, text, want)
	}
}

func FuzzEncodeAgainstJSONv2(f *testing.F) {
	f.Add(uint64(0), "", 0.0, int64(0))
	f.Add(uint64(1), "é\x00\u2028<\"\\", 1e21, int64(-62135596800))
	f.Add(uint64(2), "\xff", math.Inf(1), int64(253402300800))
	f.Add(uint64(3), "\xed\xa0\x80", 1e-7, int64(1))
	f.Add(uint64(4), "a", 1.0000000200408773e21, int64(1<<40)) // rounds to 1e21 as float32
	type row struct {
		S   string             `json:"s,omitempty"`
		F   float64            `json:"f"`
		F32 float32            `json:"f32,omitzero"`
		At  time.Time          `json:"at"`
		M   map[string]float64 `json:"m"`
		B   []byte             `json:"b,omitempty"`
		Any any                `json:"any"`
	}
	c := codecOf[row](f)
	f.Fuzz(func(t *testing.T, seed uint64, text string, number float64, unix int64) {
		generatedCodec, pointer := generated(t, seed, omissions...)
		wantLikeJSON(t, generatedCodec, pointer.Elem().Type().String(), pointer.Interface())
		wantLikeJSON(t, c, "row", &row{
			text, number, float32(number), time.Unix(unix, unix%1e9).UTC(), map[string]float64{text: number, "b": 1}, []byte(text), []any{text, number},
		})
	})
}
