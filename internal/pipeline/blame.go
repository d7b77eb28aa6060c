package pipeline

import (
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// unmendable is the error of a record that breaks rules which nothing that the client sends
// could mend: the service is at fault, and the client is not told of rules that are not for
// it.
type unmendable []validation.Violation

func (u unmendable) Error() string {
	texts := []string{"the record breaks rules that no member of the body can mend; set the member in Prepare, or in the handler"}
	for _, v := range u[:min(len(u), 10)] {
		texts = append(texts, v.Error()+" ("+v.Code+")")
	}
	return strings.Join(texts, "; ")
}

// blame tells what is wrong apart: what a client can mend, as it can all that decoding has
// found, which comes first, and broken rules of members that it cannot set.
func (x *exchange) blame(found []validation.Violation) (mendable []validation.Violation, faults error) {
	var unable unmendable
	for i, v := range found {
		if i < len(x.decoded.Violations) || !x.isUnmendable(v) {
			if unable != nil {
				mendable = append(mendable, v)
			}
			continue
		}
		if unable == nil {
			mendable = found[:i:i]
		}
		unable = append(unable, v)
	}
	if unable == nil {
		return found, nil
	}
	return mendable, unable
}

// isUnmendable reports whether a broken rule is of a member that clients cannot set, and of
// its value alone: what compares members can be mended by the other one.
func (x *exchange) isUnmendable(v validation.Violation) bool {
	if v.Code == "" || v.Code == "invalid" || comparesMembers(v.Code) {
		return false
	}
	id := x.op.Resource.ID
	if v.Field == id.Name() && !id.Generated() {
		return x.id != nil && !x.created && id.Is(x.record, x.id)
	}
	return isReadOnly(x.op.Resource.Struct, v.Field)
}

// comparesMembers reports whether a rule looks at another member than its own.
func comparesMembers(code string) bool {
	return strings.HasSuffix(code, "field") || strings.HasPrefix(code, "field") ||
		strings.HasPrefix(code, "required_") || strings.HasPrefix(code, "excluded_")
}

// isReadOnly reports whether a member, or one that it is in, is read-only.
func isReadOnly(s *model.Struct, path string) bool {
	for s != nil {
		f, rest := memberAt(s, path)
		switch {
		case f == nil:
			return false
		case f.ReadOnly:
			return true
		}
		t := f.Type
		for t.Elem != nil && strings.HasPrefix(rest, "[") {
			closing := strings.IndexByte(rest, ']')
			if closing < 0 || t.Kind == model.Map { // whose keys may have brackets
				return false
			}
			t, rest = t.Elem, rest[closing+1:]
		}
		if path = strings.TrimPrefix(rest, "."); path == rest {
			return false
		}
		s = t.Struct
	}
	return false
}

// memberAt finds the member that a path begins with, and what follows it.
func memberAt(s *model.Struct, path string) (*model.Field, string) {
	for _, f := range s.Fields {
		rest, ok := strings.CutPrefix(path, f.Name)
		if ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return f, rest
		}
	}
	return nil, ""
}
