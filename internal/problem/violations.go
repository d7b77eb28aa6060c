package problem

import (
	"strconv"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// The type and title of validation errors.
const (
	ValidationType  = "validation_error"
	ValidationTitle = "There was a validation error"
)

// Longer texts of user code are shortened in the middle, where names differ least, so that responses are not much longer than
// requests.
const (
	maxField   = 1 << 11
	maxMessage = 1 << 14
)

// AppendViolations appends a validation error to b. If it exceeds the budget of a report, it ends with the number of further
// violations.
func AppendViolations(b []byte, shape validation.Shape, found *model.Report) []byte {
	w := writer{found: found, more: found.More}
	if shape == validation.Problem {
		problem := Problem{Type: ValidationType, Title: ValidationTitle, Status: validation.Problem.Status()}
		b = problem.Append(b)
		b = append(b[:len(b)-1], `,"violations":[`...)
		b = append(w.append(b), ']')
	} else {
		b = append(b, `{"type":"`+ValidationType+`","title":"`+ValidationTitle+`","errors":{`...)
		w.reported = map[string]bool{}
		b = append(w.append(b), '}')
	}
	if w.more > 0 {
		b = strconv.AppendInt(append(b, `,"more":`...), int64(w.more), 10)
	}
	return append(b, '}')
}

// writer writes the violations of one report.
type writer struct {
	found    *model.Report
	reported map[string]bool // the reported fields, if each can be reported once; else nil
	more     int             // the number of omitted violations
}

// append appends the violations within the budget, and the first in any case.
func (w *writer) append(b []byte) []byte {
	begin, count := len(b), 0
	for i := range w.found.Violations {
		v := w.found.Violations[i]
		v.Field, v.Message = model.Shorten(v.Field, maxField), model.Shorten(v.Message, maxMessage)
		if w.reported[v.Field] {
			if v.IsPlaced() { // another field, whose shortened name is the same
				w.more++
			}
			continue
		}
		before := len(b)
		if count > 0 {
			b = append(b, ',')
		}
		if w.reported != nil {
			b = appendString(append(appendString(b, v.Field), ':'), v.Message)
		} else {
			b = appendItem(b, &v)
		}
		if count > 0 && len(b)-begin > model.MaxBytes {
			b = b[:before]
			w.more++
			continue
		}
		if count++; w.reported != nil {
			w.reported[v.Field] = true
		}
	}
	return b
}

// appendItem appends a violation as an element of the list.
func appendItem(b []byte, v *model.Violation) []byte {
	b = append(b, `{"pointer":`...)
	b = appendString(b, v.Pointer())
	b = append(b, `,"code":`...)
	b = appendString(b, v.Code)
	b = append(b, `,"message":`...)
	b = appendString(b, v.Message)
	if len(v.Params) > 0 {
		b = append(b, `,"params":`...)
		b = appendValue(b, v.Params)
	}
	return append(b, '}')
}

// DescribeViolations sets the violations of an error response for formats that write their own. The report is already limited.
func DescribeViolations(r *format.ErrorResponse, found *model.Report) {
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
