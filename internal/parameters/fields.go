package parameters

import (
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// shows reports whether responses have a field. A view omits a field with everything in it.
func (s *Set) shows(p model.Path) bool { return s.shown == nil || s.shown.Field(p.Fields[0]) != nil }

// readFields keeps the selected fields in the order of the struct, so that every selection has one form. The
// identifier is always included, because it distinguishes records.
func readFields(r *reading, p *Parameter, text string) error {
	chosen := strings.Split(text, ",")
	r.values.Fields = make([]string, 0, len(chosen)+1)
	for _, name := range p.Allowed {
		if slices.Contains(r.set.id, name) || slices.Contains(chosen, name) {
			r.values.Fields = append(r.values.Fields, name)
		}
	}
	return nil
}

// stored returns the fields that a store has to read, nil for all. Inverse fields are computed from other records.
func (s *Set) stored(names []string) []string {
	switch {
	case s.whole:
		return nil
	case s.inverses == nil || names == nil:
		return names
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.ContainsFunc(s.inverses, func(f *model.Field) bool { return f.Name == name })
	})
}

// readDeleted keeps which records are read, of those in the trash and the living ones.
func readDeleted(r *reading, p *Parameter, text string) error {
	_, err := p.listed(text, nil)
	r.values.Query.Deleted = store.Deleted(text)
	return err
}

// readExpand keeps the references to expand.
func readExpand(r *reading, _ *Parameter, text string) error {
	r.values.Expand = strings.Split(text, ",")
	return nil
}

// deepest is the maximum number of references in a path.
const deepest = 2

// unlisted reports whether a list has a name that the parameter does not allow, and what to add to the error.
func (p *Parameter) unlisted(list string) (is bool, note string) {
	for name := range strings.SplitSeq(list, ",") {
		switch {
		case slices.Contains(p.Allowed, name):
		case p.Kind == Expand && strings.Count(name, ".") >= deepest:
			return true, "; a path has at most two steps"
		default:
			return true, ""
		}
	}
	return false, ""
}
