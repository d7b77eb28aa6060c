package execute

import (
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/report"
)

// unmendable is the error of a record that breaks rules which nothing that the client sends
// could mend: the service is at fault, and the client is not told of rules that are not for
// it.
type unmendable struct{ found []report.Violation }

func (u unmendable) Error() string {
	texts := []string{"the record breaks rules that no member of the body can mend; set the member in Prepare, or in the handler"}
	for _, v := range u.found[:min(len(u.found), 10)] {
		texts = append(texts, v.Error()+" ("+v.Code+")")
	}
	return strings.Join(texts, "; ")
}

// blame takes broken rules of members that clients cannot set out of a report, and returns
// them as an error, nil for none. What decoding has found comes first in the report, and
// can always be mended.
// Such a violation would tell a client to mend what it can neither see nor set, and tell it of
// rules that are nobody's business outside.
func (c *Call) blame(found *report.Report) error {
	decoded := len(c.decoded.Violations)
	var faults []report.Violation
	broken := slices.DeleteFunc(found.Violations[decoded:], func(v report.Violation) bool {
		unable := c.isUnmendable(&v)
		if unable {
			faults = append(faults, v)
		}
		return unable
	})
	found.Violations = found.Violations[:decoded+len(broken)]
	if faults == nil {
		return nil
	}
	return unmendable{faults}
}

// isUnmendable reports whether a broken rule is of a member that clients cannot set, and of
// its value alone: what compares members can be mended by the other one.
// In doubt the client is told: a failure without a word costs its author more time than a violation
// that is the service's fault.
func (c *Call) isUnmendable(v *report.Violation) bool {
	if v.Code == "" || v.Code == "invalid" || comparesMembers(v.Code) {
		return false
	}
	id := c.Operation.Resource.ID
	if id.Has(v.Field) && !id.Generated() {
		return c.ID != nil && !c.Created && id.Is(c.Record, c.ID)
	}
	return !v.IsWritable(c.decoded.View)
}

// comparesMembers reports whether a rule looks at another member than its own.
// By the names that validator gives to such rules; there is no list of them to ask.
func comparesMembers(code string) bool {
	return strings.HasSuffix(code, "field") || strings.HasPrefix(code, "field") ||
		strings.HasPrefix(code, "required_") || strings.HasPrefix(code, "excluded_")
}
