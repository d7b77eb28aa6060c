package problem

import (
	"strings"

	"github.com/trove-api/trove/validation"
)

// The texts of an answer to a body that is not valid.
const (
	ValidationType  = "validation_error"
	ValidationTitle = "There was a validation error"
)

// AppendViolations appends the answer to a body that is not valid, in its shape, to b.
func AppendViolations(b []byte, shape validation.Shape, violations []validation.Violation) []byte {
	if shape == validation.Problem {
		return appendProblem(b, violations)
	}
	b = append(b, `{"type":"`+ValidationType+`","title":"`+ValidationTitle+`","errors":{`...)
	told := map[string]bool{}
	for _, v := range violations {
		if told[v.Field] {
			continue
		}
		if len(told) > 0 {
			b = append(b, ',')
		}
		told[v.Field] = true
		b = appendString(b, v.Field)
		b = append(b, ':')
		b = appendString(b, v.Message)
	}
	return append(b, `}}`...)
}

func appendProblem(b []byte, violations []validation.Violation) []byte {
	problem := Problem{Type: ValidationType, Title: ValidationTitle, Status: validation.Problem.Status()}
	b = problem.Append(b)
	b = append(b[:len(b)-1], `,"violations":[`...)
	for i, v := range violations {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"pointer":`...)
		b = appendString(b, Pointer(v.Field))
		b = append(b, `,"code":`...)
		b = appendString(b, v.Code)
		b = append(b, `,"message":`...)
		b = appendString(b, v.Message)
		if len(v.Params) > 0 {
			b = append(b, `,"params":`...)
			b = appendValue(b, v.Params)
		}
		b = append(b, '}')
	}
	return append(b, `]}`...)
}

// Pointer returns the JSON Pointer (RFC 6901) of a field's path: "tags[1].name" gives
// "/tags/1/name".
func Pointer(path string) string {
	var b strings.Builder
	for path != "" {
		var token string
		token, path = cutToken(path)
		b.WriteByte('/')
		b.WriteString(escaper.Replace(token))
	}
	return b.String()
}

var escaper = strings.NewReplacer("~", "~0", "/", "~1")

// cutToken cuts the first name, index or key off a path. A key ends at the first "]"
// after which the path can go on.
func cutToken(path string) (token, rest string) {
	if path[0] != '[' {
		end := strings.IndexAny(path, ".[")
		if end < 0 {
			return path, ""
		}
		return path[:end], strings.TrimPrefix(path[end:], ".")
	}
	for i := 1; i < len(path); i++ {
		if path[i] != ']' {
			continue
		}
		if rest := path[i+1:]; rest == "" || rest[0] == '.' || rest[0] == '[' {
			return path[1:i], strings.TrimPrefix(rest, ".")
		}
	}
	return path[1:], ""
}
