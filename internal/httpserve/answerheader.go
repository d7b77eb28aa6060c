package httpserve

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/operation"
)

// fields returns what functions of the user's have set in the header of the answer, nil for nothing.
func (x *exchange) fields() operation.AnswerHeader {
	if x.call.Request == nil {
		return nil
	}
	return x.call.Request.Answer
}

// checkFields refuses fields that are not for functions to set, before anything is saved: net/http
// would leave some of them out without a word.
func checkFields(_ context.Context, x *exchange) error {
	fields := x.fields()
	if fields == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		switch {
		case !compiled.IsFieldName(name):
			return fmt.Errorf("a function has set the field %q of the answer, which is no name of a field", name)
		case x.op.OwnsField(name):
			return fmt.Errorf("a function has set the field %s of the answer, which is Trove's own: see operation.AnswerHeader", name)
		case slices.ContainsFunc(fields[name], func(value string) bool { return !compiled.IsFieldValue(value) }):
			return fmt.Errorf("a function has set the field %s of the answer to a text with a control character", name)
		}
	}
	return nil
}

// setFields writes what functions have set: in place of what a middleware has, but beside it where
// each line stands for itself.
func (x *exchange) setFields(header http.Header) {
	for name, lines := range x.fields() {
		switch name {
		case "Link", "Set-Cookie", "Vary":
			addField(header, name, lines)
		default:
			header[name] = lines
		}
	}
}
