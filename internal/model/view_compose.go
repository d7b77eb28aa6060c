package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/naming"
)

// Compose makes the view of the user's that has those members of an answer, by their JSON
// names, and is called by the title. Its error joins every mistake in the names.
func (v *View) Compose(title string, names []string) (*View, error) {
	var errs []error
	if len(names) == 0 {
		errs = append(errs, errors.New("has no Members"))
	}
	shown := v.Shows()
	for i, name := range names {
		f := v.Struct.Field(name)
		switch {
		case slices.Contains(names[:i], name):
			errs = append(errs, fmt.Errorf("has the member %q twice", name))
		case slices.Contains(shown, name):
		case f != nil && f.Hidden:
			errs = append(errs, fmt.Errorf("has the member %q, which is hidden, so that no message has it", name))
		case f != nil && f.WriteOnly:
			errs = append(errs, fmt.Errorf("has the member %q, which is writeonly, so that no answer shows it", name))
		case strings.Contains(name, "."):
			errs = append(errs, fmt.Errorf("has the member %q, which is within another one; allowed: members of the record itself, %s", name,
				strings.Join(shown, ", ")))
		default:
			errs = append(errs, fmt.Errorf("has the member %q, which %s does not have; allowed: %s%s", name, v.Struct.Go,
				strings.Join(shown, ", "), naming.DidYouMean(name, shown)))
		}
	}
	made := v.Only(names)
	made.Title = title
	made.Sparse = made.sparse()
	return made, errors.Join(errs...)
}

// sparse returns the view of what clients choose of an answer: it requires the identifier alone.
func (v *View) sparse() *View {
	chosen := *v
	chosen.Name, chosen.Members = kinds[sparse].Name, slices.Clone(v.Members)
	for i := range chosen.Members {
		chosen.Members[i].Required = chosen.Members[i].Field.Identifier
	}
	return &chosen
}

// Beside returns the view of an answer that has members beside those of the struct.
func (v *View) Beside(members []Member) *View {
	made := *v
	made.Title, made.Members = "", append(slices.Clone(v.Members), members...)
	made.Sparse = made.sparse()
	return &made
}
