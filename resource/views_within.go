package resource

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/operation"
)

// leadsWithin reports whether a name in a view is of a member of an embedded record, and of which
// reference: "owner.username".
func leadsWithin(r *compiled.Resource, name string) (f *model.Field, inner string, ok bool) {
	head, inner, found := strings.Cut(name, ".")
	if f = r.Struct.Field(head); !found || f == nil || f.Reference == nil || f.WriteOnly {
		return nil, "", false
	}
	return f, inner, true
}

// membersWithin lists the names in a view that are of members of embedded records, in order.
func membersWithin(r *compiled.Resource, declared operation.View) []string {
	var names []string
	for _, name := range declared.Members {
		if _, _, ok := leadsWithin(r, name); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// ownMembers lists the other names in a view.
func ownMembers(r *compiled.Resource, declared operation.View) []string {
	return slices.DeleteFunc(slices.Clone(declared.Members), func(name string) bool {
		_, _, ok := leadsWithin(r, name)
		return ok
	})
}

// within finds what a view embeds: of each record that it names members of, just these.
func (c *compiler) within(where string, declared operation.View, r *compiled.Resource) []*compiled.Expansion {
	known := c.views[declared.Name]
	if known == nil || known.of != r { // a mistake, which is told beside those in what is within
		known = &namedView{view: r.Shown.View, within: membersWithin(r, declared)}
	}
	if known.embeds != nil || len(known.within) == 0 {
		return known.embeds
	}
	of := map[*model.Field][]string{}
	var order []*model.Field
	for _, name := range declared.Members {
		if f, inner, ok := leadsWithin(r, name); ok {
			if of[f] == nil {
				order = append(order, f)
			}
			of[f] = append(of[f], inner)
		}
	}
	for _, f := range order {
		target := c.names[f.Reference.Name]
		if target == nil || target.Embedded == nil {
			c.note(where, fmt.Errorf("View %q has members within %q, whose records are not shown by themselves; leave them out", declared.Name, f.Name))
			continue
		}
		title := declared.Name + naming.Capital(f.Name)
		v, err := target.Embedded.View.Compose(title, of[f])
		if err != nil {
			c.note(where, fmt.Errorf("View %q: within %q: %w", declared.Name, f.Name, err))
			continue
		}
		e := compiled.Expansion{Path: f.Name, Field: f, Resource: target, Shown: target.Source.Value(v), Always: true}
		if answer := r.Source.Answer; known.view.Member(f) == nil {
			e.Alone = answer.Encoder.Narrow(answer.View.Only([]string{f.Name}))
		}
		known.embeds = append(known.embeds, compiled.NewExpansion(e))
	}
	return known.embeds
}
