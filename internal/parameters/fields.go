package parameters

import (
	"errors"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/model"
)

// addFields adds the parameter by which clients choose among the members of an answer.
func (s *Set) addFields(of *model.View) {
	s.members, s.inverses = of.Shows(), of.Struct.Inverses
	s.add(&Parameter{Kind: Fields, Name: "fields", Allowed: s.members, read: readFields})
}

// shows reports whether answers have a field.
// A view leaves out what is within a member together with it.
func (s *Set) shows(p model.Path) bool { return s.shown == nil || s.shown.Member(p.Fields[0]) != nil }

// readFields keeps the members that are asked for, in the order of the struct, so that one set
// of members has one form whoever asks for it. The identifier is always among them: without it
// a client cannot tell which record he has.
func readFields(r *reading, p *Parameter, text string) error {
	chosen := strings.Split(text, ",")
	for _, name := range chosen {
		if !slices.Contains(p.Allowed, name) {
			return errors.New("must be a list, with commas, of: " + strings.Join(p.Allowed, ", "))
		}
	}
	r.values.Fields = make([]string, 0, len(chosen)+1)
	for _, name := range p.Allowed {
		if slices.Contains(r.set.id, name) || slices.Contains(chosen, name) {
			r.values.Fields = append(r.values.Fields, name)
		}
	}
	return nil
}

// stored leaves the members that a store keeps.
// Inverse members are computed from other records; a store does not know them.
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
