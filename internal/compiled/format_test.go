package compiled_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/operation"
)

func TestFormatsOfOperations(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule     string
		op       compiled.Operation
		suffixes string
	}{
		{"an item is JSON", compiled.Operation{Kind: operation.KindGet, Suffix: true}, ".json"},
		{"a collection is JSON, or a stream", compiled.Operation{Kind: operation.KindGetCollection, Lists: true, Pages: true, Suffix: true}, ".json .ndjson"},
		{"a template without a format takes no suffix", compiled.Operation{Kind: operation.KindGetCollection, Lists: true, Pages: true}, ""},
		{"a handler's collection is what it answers", compiled.Operation{
			Kind: operation.KindGetCollection, Custom: true, Suffix: true,
		}, ".json"},
	} {
		op := test.op
		standard, err := compiled.Formats(format.Standard(), nil)
		if err := errors.Join(err, op.ChooseFormats(standard)); err != nil {
			t.Errorf("%s: %v", test.rule, err)
		}
		if got := strings.Join(op.Suffixes(), " "); got != test.suffixes {
			t.Errorf("%s: the suffixes are %q, want %q", test.rule, got, test.suffixes)
		}
		if op.DefaultFormat().MediaType != format.JSON || op.Offers()[0] != format.JSON || len(op.Offers()) != len(op.Formats) {
			t.Errorf("%s: the offers are %v", test.rule, op.Offers())
		}
	}
}
