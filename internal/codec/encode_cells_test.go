package codec_test

import (
	"bytes"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// Cells are the values that the parts of the same record have, of which some are without quotation marks.
func TestCellsAreTheValuesOfParts(t *testing.T) {
	t.Parallel()
	bare, first := 0, 0
	for seed := range uint64(many(4_000)) {
		c, pointer := generated(t, seed, omissions...)
		encoder := c.Encoder(c.views.Answer())
		text, ends, err := encoder.AppendParts(nil, pointer.Interface(), nil)
		cells, at, failed := encoder.AppendCells([]byte("before "), pointer.Interface(), nil)
		if (err == nil) != (failed == nil) {
			t.Fatalf("%d: parts fail with %v, cells with %v", seed, err, failed)
		}
		if err != nil {
			continue
		}
		cells = bytes.TrimPrefix(cells, []byte("before "))
		for i, name := range encoder.Names() {
			part, cell := text[ends[i]:ends[i+1]], cells[at[i]:at[i+1]]
			if len(part) == 0 && len(cell) == 0 {
				continue
			}
			label, _ := jsontext.AppendQuote(nil, name)
			value, got := part[len(label)+2:], bytes.TrimSuffix(cell, []byte(","))
			stripped := len(value) > 1 && string(value) == `"`+string(got)+`"`
			if len(cell) != len(got)+1 || string(value) != string(got) && (!stripped || bytes.IndexByte(value, '\\') >= 0) {
				t.Errorf("%d: the cell of %s is %q, the value %q", seed, name, cell, value)
			}
			if stripped {
				bare++
			}
			if stripped && i == 0 {
				first++
			}
		}
	}
	if bare < many(150) || first < many(40) {
		t.Errorf("only %d cells are without quotation marks, %d of them the first", bare, first)
	}
}
