package contender //nolint:testpackage // its encoder and decoder are its own

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/trove-api/trove/bench/catalog"
)

func TestCeilingEncodesAsEncodingJSON(t *testing.T) {
	t.Parallel()
	item := catalog.Seed()[41]
	for _, text := range []string{"", "plain", "long enough for eight", `"`, `a quote at " eight`, `a\b`, "tab\t", "\x1f", "\x7f", "é", "twelve chars\n", "12345678é"} {
		item.Description = text
		want, err := json.Marshal(item)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(appendItem(nil, &item)); got != string(want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestCeilingDecodesAsEncodingJSON(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{}`, ` { } `, `{"name":"a"}`, `{"name" : "a\nb" , "price":-12}`, `{"available":true,"foundAt":"2026-03-14T15:09:26.5Z"}`, `{"name":"é"}`,
		``, `{`, `{"name"`, `{"name":`, `{"name":"`, `{"name":"\`, `{"price":01}`, `{"price":-}`, `{"price":1.5}`, `{"available":1}`,
		`{"unheard":1}`, `{"name":"a"} x`, `{"name":"a" "price":1}`, `[]`, `{"price":1,}`, `{,}`, `{"price":1}}`, `{"price":"1"}`,
	} {
		var got, want catalog.Input
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.DisallowUnknownFields()
		wantErr := decoder.Decode(&want)
		if _, err := decoder.Token(); wantErr == nil && !errors.Is(err, io.EOF) {
			wantErr = errSyntax // something follows the value
		}
		if err := decodeInput(text, &got); (err == nil) != (wantErr == nil) || err == nil && got != want {
			t.Errorf("%s: %+v, %v; want %+v, %v", text, got, err, want, wantErr)
		}
	}
}
