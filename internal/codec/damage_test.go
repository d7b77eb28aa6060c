package codec_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/codec"
)

// wholeBody has every kind of value, well-formed and of the right type.
const wholeBody = `{"name":"Ærø \"1\"\n😀","nick":null,"isPublished":true,"seen":false,"count":-3.0e0,"byte":255,"price":1.5e3,` +
	`"plunderedAt":"2024-02-29T12:00:00.5+01:00","photo":"AQID","host":"::1","peer":"10.0.0.1","level":2,` +
	`"address":{"city":"Bree","zip":7},"billing":{"city":"Shire"},"tags":["a",""],"notes":[null,"x"],"lines":[{"zip":null}],` +
	`"grid":[[1,2],[]],"point":[1,2,3],"labels":{"b":2},"meta":{"a":[1,"x",null,true]},"unknown":{"a":["b"]}}`

func TestABodyCutOffAnywhereIsASyntaxError(t *testing.T) {
	t.Parallel()
	c := codecOf[everyKind](t)
	for _, mode := range []mode{create, replace, merge} {
		for i := range len(wholeBody) {
			_, err := c.Decode([]byte(wholeBody[:i]), c.New(), mode)
			if _, ok := errors.AsType[*codec.SyntaxError](err); !ok {
				t.Errorf("%s is taken: %v", wholeBody[:i], err)
			}
		}
	}
}

func TestADamagedByteIsFoundOrHarmless(t *testing.T) {
	t.Parallel()
	c := codecOf[everyKind](t)
	for i := range len(wholeBody) {
		for _, damage := range []byte("\x00\xff\"{}[],:x0-\\ ") {
			body := []byte(wholeBody)
			body[i] = damage
			into := c.New()
			_, err := c.Decode(body, into, create)
			wellFormed := jsontext.Value(body).IsValid() && body[0] == '{'
			if wellFormed != (err == nil) {
				t.Errorf("%s: well-formed: %v, but the error is %v", body, wellFormed, err)
			}
			if err == nil {
				encode(t, c, into)
			}
		}
	}
}

func TestSyntaxErrorsSayNothingOfHowBodiesAreRead(t *testing.T) {
	t.Parallel()
	c := codecOf[everyKind](t)
	for i := range len(wholeBody) {
		body := wholeBody[:i] + "\x01" + wholeBody[i:]
		_, err := c.Decode([]byte(body), c.New(), create)
		if err == nil {
			t.Errorf("a control character at byte %d is taken", i+1)
			continue
		}
		for _, word := range []string{"jsontext", "codec", "Go", "offset", "\x01", "Bree"} {
			if strings.Contains(err.Error(), word) {
				t.Errorf("the error %q has the word %q", err, word)
			}
		}
	}
}

func TestViolationsNeverRepeatValues(t *testing.T) {
	t.Parallel()
	c := codecOf[everyKind](t)
	for _, member := range typeOf[everyKind](t).Struct.Fields {
		for _, value := range []string{`"s3cret"`, `"s3cret\u0000"`, `["s3cret"]`, `{"a":"s3cret"}`, `[[{"a":"s3cret"}]]`, `"2024-13-01T00:00:00Zs3cret"`} {
			body := `{"` + member.Name + `":` + value + `}`
			for _, v := range decode(t, c, body, c.New(), merge).Violations {
				if strings.Contains(v.Error(), "s3cret") || v.Params != nil {
					t.Errorf("%s: %v", body, v)
				}
			}
		}
	}
}
