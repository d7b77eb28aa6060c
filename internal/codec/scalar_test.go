package codec_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

type word string

// scalarOf makes the codec of a type's single values.
func scalarOf(t testing.TB, of reflect.Type) *codec.Scalar {
	t.Helper()
	typ, err := model.CompileType(of)
	if err != nil {
		t.Fatal(err)
	}
	return codec.CompileScalar(typ, nil)
}

func TestScalarsAreReadFromText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		of   reflect.Type
		text string
		want any // a value, or what is wrong as a string of type wrong
	}{
		{reflect.TypeFor[int](), "7", 7},
		{reflect.TypeFor[*int](), "7", 7},
		{reflect.TypeFor[int8](), "-128", int8(-128)},
		{reflect.TypeFor[int8](), "1e1", int8(10)},
		{reflect.TypeFor[int8](), "3.0", int8(3)},
		{reflect.TypeFor[int8](), "128", wrong("must be")},
		{reflect.TypeFor[int](), "", wrong("must be an integer")},
		{reflect.TypeFor[int](), " 7", wrong("must be an integer")},
		{reflect.TypeFor[int](), "7 ", wrong("must be an integer")},
		{reflect.TypeFor[int](), "+7", wrong("must be an integer")},
		{reflect.TypeFor[int](), "07", wrong("must be an integer")},
		{reflect.TypeFor[int](), `"7"`, wrong("must be an integer")},
		{reflect.TypeFor[int](), "null", wrong("must be an integer")},
		{reflect.TypeFor[int](), "[7]", wrong("must be an integer")},
		{reflect.TypeFor[int](), "7,8", wrong("must be an integer")},
		{reflect.TypeFor[uint8](), "255", uint8(255)},
		{reflect.TypeFor[uint8](), "-1", wrong("must be")},
		{reflect.TypeFor[float64](), "-1.5e3", -1500.0},
		{reflect.TypeFor[float64](), "NaN", wrong("must be a number")},
		{reflect.TypeFor[float64](), ".5", wrong("must be a number")},
		{reflect.TypeFor[bool](), "true", true},
		{reflect.TypeFor[bool](), "True", wrong("must be true or false")},
		{reflect.TypeFor[bool](), "false", false},
		{reflect.TypeFor[bool](), "1", wrong("must be true or false")},
		{reflect.TypeFor[bool](), "0", wrong("must be true or false")},
		{reflect.TypeFor[bool](), "true ", wrong("must be true or false")},
		{reflect.TypeFor[bool](), "yes", wrong("must be true or false")},
		{reflect.TypeFor[string](), "", ""},
		{reflect.TypeFor[string](), "true", "true"},
		{reflect.TypeFor[string](), `a"b\`, `a"b\`},
		{reflect.TypeFor[string](), "a\x00", wrong("must not contain the character U+0000")},
		{reflect.TypeFor[string](), "\xff", wrong("must be UTF-8")},
		{reflect.TypeFor[word](), "x", word("x")},
		{reflect.TypeFor[time.Time](), "2024-02-29T00:00:00Z", time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)},
		{reflect.TypeFor[time.Time](), "2024-02-29", wrong("must be")},
		{reflect.TypeFor[uuid.UUID](), "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b", uuid.MustParse("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")},
		{reflect.TypeFor[uuid.UUID](), "0190", wrong("form")},
		{reflect.TypeFor[uuid.UUID](), "urn:uuid:0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b", wrong("form")},
		{reflect.TypeFor[uuid.UUID](), "{0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b}", wrong("form")},
		{reflect.TypeFor[uuid.UUID](), "0190a1b2c3d47e5f8a9b0c1d2e3f4a5b", wrong("form")},
	} {
		got, err := scalarOf(t, test.of).Parse(test.text)
		if text, isWrong := test.want.(wrong); isWrong {
			if err == nil || !strings.Contains(err.Error(), string(text)) {
				t.Errorf("%q as %s: %v, %v; want the error %s", test.text, test.of, got, err, text)
			}
			continue
		}
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%q as %s: %v (-want +got):\n%s", test.text, test.of, err, diff)
		}
	}
}

// wrong is the message about a text.
type wrong string

func TestScalarsComeBackFromJSON(t *testing.T) {
	t.Parallel()
	for _, value := range []any{
		7, int8(-1), uint64(1<<64 - 1), 0.1, float32(0.1), -1e300, true, false, "", "é\"\\\n", word("x"), time.Date(1850, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600)).UTC(),
		uuid.MustParse("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"),
	} {
		scalar := scalarOf(t, reflect.TypeOf(value))
		text, err := scalar.Append([]byte("before "), value)
		if err != nil {
			t.Errorf("%v: %v", value, err)
			continue
		}
		back, err := scalar.Decode(text[len("before "):])
		if diff := cmp.Diff(value, back); diff != "" || err != nil {
			t.Errorf("%s comes back with %v (-want +got):\n%s", text, err, diff)
		}
	}
	if _, err := scalarOf(t, reflect.TypeFor[int]()).Decode([]byte("{")); err == nil {
		t.Error("what is no JSON is read")
	}
}

func FuzzScalars(f *testing.F) {
	for _, seed := range []string{"7", "-1.5", "true", "null", "2024-02-29T00:00:00Z", "\x00", "\xff", `"`, "1e400", "é"} {
		f.Add(seed)
	}
	var scalars []*codec.Scalar
	for _, of := range []reflect.Type{
		reflect.TypeFor[int8](), reflect.TypeFor[uint64](), reflect.TypeFor[float32](), reflect.TypeFor[bool](), reflect.TypeFor[string](),
		reflect.TypeFor[time.Time](), reflect.TypeFor[uuid.UUID](),
	} {
		scalars = append(scalars, scalarOf(f, of))
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, scalar := range scalars {
			value, err := scalar.Parse(text)
			if err != nil {
				continue
			}
			written, err := scalar.Append(nil, value)
			if err != nil {
				t.Fatalf("%q is read as %v, which is not written: %v", text, value, err)
			}
			if back, err := scalar.Decode(written); err != nil || !reflect.DeepEqual(back, value) {
				t.Errorf("%q is read as %v, written as %s and read as %v (%v)", text, value, written, back, err)
			}
		}
	})
}

func TestASelectionEncodesOnlyItsFields(t *testing.T) {
	t.Parallel()
	type inner struct {
		A int `json:"a"`
	}
	type outer struct {
		Name   string `json:"name"`
		Inner  inner  `json:"inner"`
		Secret string `json:"secret" api:"writeonly"`
		Last   *int   `json:"last"`
	}
	typ, err := model.CompileType(reflect.TypeFor[outer]())
	if err != nil {
		t.Fatal(err)
	}
	whole, err := codec.Compile(typ)
	if err != nil {
		t.Fatal(err)
	}
	for want, names := range map[string][]string{
		`{"name":"x","last":null}`: {"last", "name"},
		`{"inner":{"a":1}}`:        {"inner"},
		`{}`:                       {"secret", "nothing"},
	} {
		got, err := subject{whole, model.ViewsOf(typ, nil)}.Select(names).Append(nil, &outer{Name: "x", Inner: inner{1}, Secret: "s"})
		if string(got) != want || err != nil {
			t.Errorf("%v are %s, want %s (%v)", names, got, want, err)
		}
	}
}
