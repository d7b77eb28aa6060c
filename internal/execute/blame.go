package execute

import (
	"context"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/model"
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
func (c *Call) blame(ctx context.Context, found *report.Report) (faults, err error) {
	decoded := len(c.decoded.Violations)
	if len(found.Violations) == decoded {
		return nil, nil
	}
	kept, err := c.keptFrom(ctx)
	if err != nil {
		return nil, err
	}
	return takeOut(found, decoded, func(i int) bool { return c.isUnmendable(&found.Violations[i], kept) }), nil
}

// blameOthers is blame where a path changes one member alone, and nothing else can be mended.
func blameOthers(found *report.Report, changed *model.Field) error {
	faults := takeOut(found, 0, func(i int) bool {
		v := &found.Violations[i]
		return v.Top() != nil && v.Top() != changed && v.Code != "" && v.Code != "invalid" && !comparesMembers(v.Code)
	})
	if !found.IsEmpty() {
		return nil
	}
	return faults
}

// takeOut takes broken rules out of a report, behind its first ones, and returns them as an error, nil for none.
// They are asked about by their places, so that they need no memory of their own.
func takeOut(found *report.Report, from int, isFault func(i int) bool) error {
	var faults []report.Violation
	left := from
	for i := from; i < len(found.Violations); i++ {
		if isFault(i) {
			faults = append(faults, found.Violations[i])
			continue
		}
		found.Violations[left] = found.Violations[i]
		left++
	}
	found.Violations = found.Violations[:left]
	if faults == nil {
		return nil
	}
	return unmendable{faults}
}

// keptFrom lists the members of a record that is there which the caller may not write, and those that he
// neither sees nor sends.
func (c *Call) keptFrom(ctx context.Context) ([]*model.Field, error) {
	members := c.Operation.Resource.Gate
	if members == nil || c.previous == nil {
		return nil, nil
	}
	hidden, err := members.Hidden(ctx, &c.caller, c.previous)
	if err != nil {
		return nil, err
	}
	var kept []*model.Field
	for i := range members.List {
		m := &members.List[i]
		mayWrite, err := c.mayWrite(ctx, m)
		if err != nil {
			return nil, err
		}
		if !mayWrite || hidden.Has(i) && !slices.Contains(c.sent(), m.Field.Name) {
			kept = append(kept, m.Field)
		}
	}
	return kept, nil
}

// isUnmendable reports whether a broken rule is of a member that clients cannot set or that is kept from
// this one, and of its value alone: what compares members can be mended by the other one.
// In doubt the client is told: a failure without a word costs its author more time than a violation
// that is the service's fault.
func (c *Call) isUnmendable(v *report.Violation, kept []*model.Field) bool {
	if v.Code == "" || v.Code == "invalid" || comparesMembers(v.Code) {
		return false
	}
	id := c.Operation.Resource.ID
	if f := v.Top(); id.Has(v.Field) && (f == nil || f.Writable()) && !id.Generated() {
		return c.ID != nil && !c.Created && id.Is(c.Record, c.ID)
	}
	return !v.IsWritable(c.decoded.View) || slices.Contains(kept, v.Top())
}

// comparesMembers reports whether a rule looks at another member than its own.
// By the names that validator gives to such rules; there is no list of them to ask.
func comparesMembers(code string) bool {
	return strings.HasSuffix(code, "field") || strings.HasPrefix(code, "field") ||
		strings.HasPrefix(code, "required_") || strings.HasPrefix(code, "excluded_")
}
