package httpserve

import (
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/report"
)

// tellRefusal writes a refusal in the format that the client asked for. It returns the JSON of
// it where the client has asked for none yet, the format leaves refusals to problem+json, or
// fails: a refusal is told in any case.
// The query is the one that was sent, not its translation: a client knows no other.
func (x *exchange) tellRefusal(status int, refusal *problem.Problem, violations *report.Report, text []byte) (body []byte, types []string) {
	if !x.negotiated && x.op.TellsRefusals { // who asks is refused before, in the format asked for all the same
		_ = negotiateType(x.r.Context(), x) // 406 is not what is told here
	}
	if !x.negotiated || x.format.Refuse == nil {
		return text, nil
	}
	defer func() {
		if cause := recover(); cause != nil {
			x.logPanic(cause, newIncident())
			body, types = text, nil
		}
	}()
	x.lead(x.w.Header())
	told := format.Refusal{
		Status: status, JSON: text, Body: x.op.Told, Resource: x.op.Resource.ShortName, Parameters: x.op.Asked, Query: x.r.URL.RawQuery,
	}
	if x.translated {
		told.Query = x.query
	}
	if refusal != nil {
		refusal.Tell(&told)
	} else {
		problem.TellViolations(&told, violations)
	}
	body, err := x.format.Refuse(nil, &told)
	if err != nil {
		x.log(err, newIncident())
		return text, nil
	}
	return body, x.format.RefusalTypes
}
