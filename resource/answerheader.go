package resource

import (
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/trove-api/trove/internal/compiled"
)

// answerHeader compiles which fields functions are said to set in the answers of an operation.
func (c *compiler) answerHeader(where string, declared map[string]string, op *compiled.Operation) {
	if len(declared) == 0 {
		return
	}
	if !op.Observed {
		c.fail(where, "AnswerHeader is set, but no function of the operation could set a field; give it a Handler, or leave it out")
	}
	op.AnswerHeader = make(map[string]string, len(declared))
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		field := http.CanonicalHeaderKey(name)
		_, twice := op.AnswerHeader[field]
		switch at := fmt.Sprintf("AnswerHeader has %q", name); {
		case !compiled.IsFieldName(name):
			c.fail(where, "%s, which is no name of a field; allowed: letters, digits and -, such as \"Set-Cookie\"", at)
		case op.OwnsField(field):
			c.fail(where, "%s, which is Trove's own to set; leave it out", at)
		case twice:
			c.fail(where, "%s twice: the case of its letters does not count", at)
		}
		op.AnswerHeader[field] = declared[name]
	}
}
