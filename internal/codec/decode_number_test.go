package codec_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

type numbers struct {
	I   int     `json:"i"`
	I8  int8    `json:"i8"`
	I16 *int16  `json:"i16"`
	I64 int64   `json:"i64"`
	U   uint    `json:"u"`
	U8  uint8   `json:"u8"`
	U64 uint64  `json:"u64"`
	F32 float32 `json:"f32"`
	F64 float64 `json:"f64"`
}

func TestIntegersAreTakenInEveryFormOfJSON(t *testing.T) {
	t.Parallel()
	c := codecOf[numbers](t)
	for text, want := range map[string]int64{
		"0": 0, "-0": 0, "0.0": 0, "-0.0e5": 0, "0e999999999999999999999": 0, "7": 7, "-7": -7,
		"3.0": 3, "1e1": 10, "10E-1": 1, "1.5e1": 15, "-120e-1": -12, "1e+2": 100, "100e-2": 1, "0.01e2": 1,
		"9223372036854775807": math.MaxInt64, "-9223372036854775808": math.MinInt64,
		"9223372036854775807.000": math.MaxInt64, "-9.223372036854775808e18": math.MinInt64, "922337203685477580700e-2": math.MaxInt64,
		"1" + strings.Repeat("0", 5000) + "e-5000": 1, "0." + strings.Repeat("0", 5000) + "1e5001": 1,
	} {
		into := &numbers{I64: 42}
		wantLines(t, text, decode(t, c, `{"i64":`+text+`}`, into, create))
		if into.I64 != want {
			t.Errorf("%.40s is %d, want %d", text, into.I64, want)
		}
	}
}

func TestNumbersThatDoNotFitAreReported(t *testing.T) {
	t.Parallel()
	const (
		int64s  = "must be an integer between -9223372036854775808 and 9223372036854775807"
		uint64s = "must be an integer between 0 and 18446744073709551615"
		doubles = "must be a number between -1.7976931348623157e308 and 1.7976931348623157e308"
		singles = "must be a number between -3.4028234663852886e38 and 3.4028234663852886e38"
	)
	c := codecOf[numbers](t)
	for _, test := range []struct{ member, text, want string }{
		{"i", "1.5", "must be an integer"},
		{"i", "1e-1", "must be an integer"},
		{"i", "1e-999999999999999999999", "must be an integer"},
		{"i", "1e999999999999999999999", int64s},
		{"i", "-1e999999999", int64s},
		{"i64", "9223372036854775808", int64s},
		{"i64", "-9223372036854775809", int64s},
		{"i64", "1e19", int64s},
		{"i64", "99999999999999999999", int64s},
		{"i8", "128", "must be an integer between -128 and 127"},
		{"i8", "-129", "must be an integer between -128 and 127"},
		{"i8", "1e3", "must be an integer between -128 and 127"},
		{"i8", "0.5", "must be an integer"},
		{"i16", "32768", "must be an integer between -32768 and 32767 or null"},
		{"i16", "0.5", "must be an integer or null"},
		{"u", "-1", uint64s},
		{"u64", "18446744073709551616", uint64s},
		{"u64", "1e20", uint64s},
		{"u8", "256", "must be an integer between 0 and 255"},
		{"u8", "-1e0", "must be an integer between 0 and 255"},
		{"u8", "2.5", "must be an integer"},
		{"f64", "1e309", doubles},
		{"f64", "-1e99999999999", doubles},
		{"f32", "3.5e38", singles},
		{"f32", "1e39", singles},
	} {
		body := fmt.Sprintf(`{%q:%s}`, test.member, test.text)
		wantLines(t, body, decode(t, c, body, c.New(), create),
			fmt.Sprintf("%s: %s %s (type)", test.member, test.member, test.want))
	}
}

func TestNumbersAtTheEndsOfTheirRangeAreTaken(t *testing.T) {
	t.Parallel()
	c := codecOf[numbers](t)
	into := new(numbers)
	body := `{"i8":-128,"i16":32767,"u":1,"u8":255.0,"u64":18446744073709551615,"f32":3.4028234663852886e38,"f64":-1.7976931348623157e308,"i":-0}`
	wantLines(t, body, decode(t, c, body, into, create))
	want := numbers{I8: -128, U: 1, U8: 255, U64: math.MaxUint64, F32: math.MaxFloat32, F64: -math.MaxFloat64}
	if *into.I16 != math.MaxInt16 {
		t.Errorf("i16 is %d, want 32767", *into.I16)
	}
	if into.I16 = nil; *into != want {
		t.Errorf("record %+v, want %+v", *into, want)
	}
}

func TestTinyFloatsBecomeZeroAndMinusZeroKeepsItsSign(t *testing.T) {
	t.Parallel()
	c := codecOf[numbers](t)
	into := &numbers{F32: 1}
	wantLines(t, "floats", decode(t, c, `{"f32":1e-99,"f64":-0}`, into, create))
	if into.F32 != 0 || into.F64 != 0 || !math.Signbit(into.F64) {
		t.Errorf("record %+v, want 0 and -0", into)
	}
}

// Integers are what exact arithmetic says they are.
func TestIntegersAgreeWithExactArithmetic(t *testing.T) {
	t.Parallel()
	c := codecOf[numbers](t)
	random := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		text := randomNumber(random)
		exact, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatalf("%s is no number", text)
		}
		into := &numbers{I64: 42, U8: 42}
		decoded := decode(t, c, `{"i64":`+text+`,"u8":`+text+`}`, into, create)
		fits := exact.IsInt() && exact.Num().IsInt64()
		if fits && big.NewInt(into.I64).Cmp(exact.Num()) != 0 || !fits && into.I64 != 42 {
			t.Fatalf("%s as int64 is %d", text, into.I64)
		}
		small := fits && exact.Num().Int64() >= 0 && exact.Num().Int64() <= 255
		if small && int64(into.U8) != exact.Num().Int64() || !small && into.U8 != 42 {
			t.Fatalf("%s as uint8 is %d", text, into.U8)
		}
		if wrong := len(decoded.Violations); (wrong == 0) != (fits && small) {
			t.Fatalf("%s has the violations %v", text, linesOf(decoded.Violations))
		}
	}
}

func randomNumber(random *rand.Rand) string {
	text := []string{"", "-"}[random.IntN(2)] + fmt.Sprint(random.Uint64()>>random.IntN(64))
	if random.IntN(2) == 0 {
		text += "." + strings.Repeat("0", random.IntN(4)) + fmt.Sprint(random.Uint32()>>random.IntN(33))
	}
	if random.IntN(2) == 0 {
		text += fmt.Sprintf("e%+d", random.IntN(45)-22)
	}
	return text
}
