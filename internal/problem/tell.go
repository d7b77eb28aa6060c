package problem

import (
	"cmp"
	"net/http"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/model"
)

// Tell fills in a refusal for formats that tell them in their own way.
func (p *Problem) Tell(r *format.Refusal) {
	r.Type, r.Title, r.Detail = cmp.Or(p.Type, "about:blank"), cmp.Or(p.Title, http.StatusText(p.Status), "Error"), p.Detail
	if p.Incident != "" {
		r.Instance = "urn:uuid:" + p.Incident
	}
	for _, member := range p.Members {
		r.Members = append(r.Members, format.Member{Name: member.Name, JSON: appendValue(nil, member.Value)})
	}
}

// TellViolations fills in a refusal of a body that is not valid. The report has a budget
// already, so that all that it tells is told.
func TellViolations(r *format.Refusal, found *model.Report) {
	r.Type, r.Title, r.More = ValidationType, ValidationTitle, found.More
	r.Violations = make([]format.Violation, 0, len(found.Violations))
	for i := range found.Violations {
		v := &found.Violations[i]
		r.Violations = append(r.Violations, format.Violation{
			Field: model.Shorten(v.Field, maxField), Pointer: v.Pointer(), Code: v.Code,
			Message: model.Shorten(v.Message, maxMessage),
		})
	}
}
