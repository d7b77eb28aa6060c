package parameters

import (
	"errors"
	"slices"
	"strings"
)

// addExpand adds the parameter by which clients ask for what records refer to.
// It lists whole paths, so that how deep a client can go is decided by the tags.
func (s *Set) addExpand(paths []string) {
	s.add(&Parameter{Kind: Expand, Name: "expand", Allowed: paths, read: readExpand})
}

// deepest is how many references lead to what is expanded at most.
const deepest = 2

// readExpand keeps the references that are asked for.
func readExpand(r *reading, p *Parameter, text string) error {
	for path := range strings.SplitSeq(text, ",") {
		if !slices.Contains(p.Allowed, path) {
			says := "must be a list, with commas, of: " + strings.Join(p.Allowed, ", ")
			if strings.Count(path, ".") >= deepest {
				says += "; a path has a depth of two steps at most"
			}
			return errors.New(says)
		}
		r.values.Expand = append(r.values.Expand, path)
	}
	return nil
}
