package codec_test

import (
	"math"
	"strings"
	"testing"
)

func TestEachByteIsEscapedAtEveryPosition(t *testing.T) {
	t.Parallel()
	c := codecOf[string](t)
	for character := range 256 {
		for length := range 18 {
			for at := range length {
				text := strings.Repeat("a", at) + string([]byte{byte(character)}) + strings.Repeat("z", length-at-1)
				wantLikeJSON(t, c, text, &text)
			}
		}
	}
}

func TestASpecialByteIsFoundInTextOfAnyLength(t *testing.T) {
	t.Parallel()
	c := codecOf[string](t)
	for length := range 70 {
		plain := strings.Repeat("~ !#[]A", length)[:length]
		wantLikeJSON(t, c, plain, &plain)
		for at := range length {
			for _, special := range []string{"\x00", "\x1f", `"`, `\`, "\x7f", "\x80"} {
				text := plain[:at] + special + plain[at+1:]
				wantLikeJSON(t, c, text, &text)
			}
		}
	}
}

func TestFieldNamesOfAnyLengthAreWritten(t *testing.T) {
	t.Parallel()
	type names struct {
		First  string `json:"a234567890"`
		Second string `json:"b2345678901"`
		Third  string `json:"c23456789012"`
		Fourth bool   `json:"d2345678901"`
		Fifth  bool   `json:"e23456789012"`
		Sixth  bool   `json:"f234567890123"`
		Long   string `json:"aNameThatIsLongerThanMostNamesOfMembersAre"`
		Other  int    `json:"é <&>"`
	}
	c := codecOf[names](t)
	wantLikeJSON(t, c, "set", &names{"1", "2", "3", true, true, true, "4", 5})
	wantLikeJSON(t, c, "zero", &names{})
}

func TestTheFirstFieldIsTheFirstThatIsNotOmitted(t *testing.T) {
	t.Parallel()
	type row struct {
		A string  `json:"a,omitempty"`
		B int     `json:"b,omitzero"`
		C []int   `json:"c,omitempty"`
		D *string `json:"d,omitzero"`
	}
	c := codecOf[[]row](t)
	for set := range 16 {
		all := []row{{}, {}}
		last := &all[1]
		if set&1 != 0 {
			last.A = "a"
		}
		if set&2 != 0 {
			last.B = 1
		}
		if set&4 != 0 {
			last.C = []int{1}
		}
		if set&8 != 0 {
			last.D = new("")
		}
		wantLikeJSON(t, c, "row", &all)
	}
}

func TestTextBehindOtherScriptsIsLookedAtToo(t *testing.T) {
	t.Parallel()
	c := codecOf[string](t)
	for _, text := range []string{
		"日本語", "Ærøskøbing", "😀😀", "é\"", "é\\", "é\x1f", "é\x7f", "é<>&", "é\u2028\u2029", "12345678é\n", "é\xff", "\xed\xa0\x80", "\xc0\x80", "é\xe6\x97",
	} {
		wantLikeJSON(t, c, text, &text)
	}
}

func TestIntegersAreWrittenAsEncodingJSONWritesThem(t *testing.T) {
	t.Parallel()
	type numbers struct {
		F64  float64 `json:"f64"`
		F32  float32 `json:"f32"`
		Back float64 `json:"back"`
	}
	c := codecOf[numbers](t)
	for _, start := range []float64{0, 1, 10, 1 << 23, 1 << 24, 1 << 31, 1 << 52, 1 << 53, 1 << 62, 1 << 63, 1e6, 1e15, 1e16, 1e20, 1e21, math.Copysign(0, -1)} {
		for _, n := range []float64{start, start + 1, start - 1, start + 0.5, start * 3, math.Nextafter(start, 0)} {
			wantLikeJSON(t, c, "number", &numbers{n, float32(n), -n})
		}
	}
}

func TestNamedTypesAreWrittenAsWhatTheyAreMadeOf(t *testing.T) {
	t.Parallel()
	type word string
	type words []word
	type flag bool
	type small int8
	type medium uint16
	type row struct {
		Word    word             `json:"word"`
		Words   words            `json:"words"`
		Pointer *words           `json:"pointer"`
		Flag    flag             `json:"flag"`
		Small   small            `json:"small"`
		Medium  []medium         `json:"medium"`
		Empty   []struct{}       `json:"empty"`
		Pairs   [2]small         `json:"pairs"`
		None    [0]word          `json:"none"`
		Labels  map[word][]small `json:"labels"`
	}
	c := codecOf[row](t)
	wantLikeJSON(t, c, "all set", &row{
		"a", words{"b", "c"}, &words{"d"}, true, -128, []medium{0, 65535}, make([]struct{}, 2), [2]small{1, -1}, [0]word{}, map[word][]small{"b": {1}, "a": {}},
	})
	wantLikeJSON(t, c, "none set", &row{})
}

// innermost and similar types are embedded in outermost, so their fields are outermost's.
type (
	innermost struct {
		Before int8   `json:"before"`
		Word   string `json:"word"`
	}
	between struct {
		Own bool `json:"own"`
		innermost

		Behind []string `json:"behind"`
	}
	outermost struct {
		Lead uint8 `json:"lead"`
		between

		Last float32 `json:"last"`
	}
)

func TestFieldsOfEmbeddedStructsAreFound(t *testing.T) {
	t.Parallel()
	c := codecOf[outermost](t)
	record := outermost{1, between{true, innermost{-2, "w"}, []string{"b"}}, 2.5}
	want := `{"lead":1,"own":true,"before":-2,"word":"w","behind":["b"],"last":2.5}`
	if got := encode(t, c, &record); got != want {
		t.Errorf("Append = %s, want %s", got, want)
	}
}
