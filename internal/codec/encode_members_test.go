package codec_test

import (
	"bytes"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// The fields of a value, put together, are its JSON: those of a struct, and those next to it.
func TestFieldsAreThoseOfTheJSON(t *testing.T) {
	t.Parallel()
	written := 0
	for seed := range uint64(many(4_000)) {
		c, pointer := generated(t, seed, omissions...)
		encoder := c.Encoder(c.views.View(model.Response))
		for _, value := range []any{pointer.Interface(), pointer.Elem().Interface(), &codec.Completed{Of: pointer.Interface(), Members: []byte(`,"a\u0062":[1, {}],"c":null`)}} {
			want, err := encoder.Append(nil, value)
			_, members, failed := encoder.AppendMembers([]byte("before "), value, nil)
			if (err == nil) != (failed == nil) {
				t.Fatalf("%d: Append fails with %v, AppendMembers with %v", seed, err, failed)
			}
			if err != nil {
				continue
			}
			got := []byte{'{'}
			for i, m := range members {
				if i > 0 {
					got = append(got, ',')
				}
				got, _ = jsontext.AppendQuote(got, m.Name)
				got = append(append(got, ':'), m.JSON...)
			}
			got = append(got, '}')
			if want = bytes.Replace(want, []byte(`"a\u0062"`), []byte(`"ab"`), 1); !bytes.Equal(got, want) {
				t.Errorf("%d: the fields are\n%s, the JSON is\n%s", seed, got, want)
			}
			written++
		}
	}
	if written < many(1_000) {
		t.Errorf("only %d values were written", written)
	}
}
