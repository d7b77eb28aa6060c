package scan_test

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format/internal/scan"
)

func FuzzTextsAreReadAsJSONTextReadsThem(f *testing.F) {
	for _, text := range []string{`""`, `"plain"`, `"a\nb\tc\rd\be\ff"`, `"\"\\\/"`, `"\u0041\n"`, `"x\ud83d\ude00y\""`, `"\ud83d"`, `"ä\\ö"`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, quoted []byte) {
		want, err := jsontext.AppendUnquote(nil, quoted)
		if err != nil {
			t.Skip("no JSON string")
		}
		if got := scan.AppendText([]byte("before "), quoted); string(got) != "before "+string(want) {
			t.Errorf("%q is read as %q, want %q", quoted, got[len("before "):], want)
		}
	})
}
