package resource

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/operation"
)

// namedView is a view that the user has named, as all operations with it have it.
type namedView struct {
	of     *compiled.Resource
	where  string // it was met first
	view   *model.View
	within []string              // members of embedded records, "owner.username", in order
	embeds []*compiled.Expansion // of these, once they were asked for
}

// view gives an operation that shows records its view: its own, else the resource's.
func (c *compiler) view(where string, d *definition, m *operation.Metadata, op *compiled.Operation) {
	if m.View != nil && (!op.Reads || op.Custom && !op.Pages) {
		c.fail(where, "View is set; it is for a Get or GetCollection without a Handler; "+
			"a View of the resource holds for the answers of Post, Put and Patch, too")
		return
	}
	declared := m.View
	if declared == nil {
		declared, where = d.defaults.View, "resource "+op.Resource.ShortName
	}
	if declared == nil || op.Out == nil || op.Out.Codec != op.Resource.Codec {
		return
	}
	v, err := c.compose(where, *declared, op.Resource)
	c.note(where, err)
	var embeds []*compiled.Expansion
	if !op.Custom {
		embeds = c.within(where, *declared, op.Resource) // which has mistakes of its own to tell
	}
	if err == nil {
		source := op.Resource.Source
		op.Out = &compiled.Value{Type: op.Out.Type, View: v, Codec: source.Codec, Encoder: source.Value(v).Encoder}
		if !op.Custom {
			op.Expansions = slices.Clone(embeds)
		}
	}
}

// embedded finds how records that refer to one of a resource show it: as its own Get does, by the
// resource's View; not at all, where clients know another type than the stored one.
func (c *compiler) embedded(where string, d *definition, r *compiled.Resource) {
	r.Embedded = r.Shown
	switch {
	case !isNil(d.defaults.Output):
		r.Embedded = nil
	case d.defaults.View != nil:
		v, err := c.compose(where, *d.defaults.View, r)
		c.note(where, err)
		if err == nil {
			r.Embedded = r.Source.Value(v)
		}
	}
}

// compose makes a view that the user has named, once.
func (c *compiler) compose(where string, declared operation.View, r *compiled.Resource) (*model.View, error) {
	at := func(err error) error { return fmt.Errorf("View %q %w", declared.Name, err) }
	if !shortName.MatchString(declared.Name) {
		return nil, fmt.Errorf("View has the Name %q; allowed: letters, digits and underscores, beginning with a letter", declared.Name)
	}
	own := ownMembers(r, declared)
	if len(own) == 0 && len(declared.Members) > 0 {
		return nil, at(fmt.Errorf("has members of other records alone; it needs one of the record itself: %s", strings.Join(r.Shown.View.Shows(), ", ")))
	}
	made, err := r.Shown.View.Compose(declared.Name, own)
	if err != nil {
		var errs []error
		for _, mistake := range err.(interface{ Unwrap() []error }).Unwrap() { //nolint:forcetypeassert // it is joined
			errs = append(errs, at(mistake))
		}
		return nil, errors.Join(errs...)
	}
	known := c.views[declared.Name]
	switch {
	case known == nil:
		c.views[declared.Name] = &namedView{of: r, where: where, view: made, within: membersWithin(r, declared)}
		return made, nil
	case known.of != r:
		return nil, at(fmt.Errorf("has the name of a view of the resource %s; name one of them otherwise", known.of.ShortName))
	case !slices.Equal(known.view.Shows(), made.Shows()) || !slices.Equal(known.within, membersWithin(r, declared)):
		return nil, at(fmt.Errorf("differs from the one of this name of %s, which has %s; give them the same members, or two names",
			known.where, strings.Join(append(known.view.Shows(), known.within...), ", ")))
	}
	return known.view, nil
}

// checkViewNames checks that no view has the name of a schema of a resource.
func (c *compiler) checkViewNames() {
	for _, name := range slices.Sorted(maps.Keys(c.views)) {
		for _, r := range c.model.Resources {
			suffix, ok := strings.CutPrefix(name, r.ShortName)
			if ok && slices.Contains(model.ViewNames(), suffix) {
				c.fail(c.views[name].where, "View has the Name %q, which is that of a schema of the resource %s; name it otherwise", name, r.ShortName)
			}
		}
	}
}

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
		if answer := r.Source.Response; known.view.Field(f) == nil {
			e.Alone = answer.Encoder.Narrow(answer.View.Only([]string{f.Name}))
		}
		known.embeds = append(known.embeds, compiled.NewExpansion(e))
	}
	return known.embeds
}

var memberName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// computed compiles the members that answers have beside those of the struct, and the view of
// a record with them.
func (c *compiler) computed(where string, list []operation.Computed, r *compiled.Resource) {
	r.Shown = r.Source.Response
	var members []model.ViewField
	for i, declared := range list {
		at := fmt.Sprintf("%s: Computed %d", where, i+1)
		each, _ := declared.(compiled.Compute)
		if isNil(each) {
			c.fail(at, "is nil; make it by operation.Compute")
			continue
		}
		name := each.Name()
		record, value := each.Types()
		same := func(other *compiled.Computed) bool { return other.Field.Name == name }
		at = fmt.Sprintf("%s: Computed %q", where, name)
		switch source, ok := c.sourceOf(at, value); {
		case !ok:
		case !memberName.MatchString(name):
			c.fail(at, "has a name that no member can have; allowed: letters, digits, underscores and hyphens, beginning with a letter")
		case !each.Defined():
			c.fail(at, "is made of a nil function")
		case record != r.Struct.Go:
			c.fail(at, "is for %s; this resource's records are %s", record, r.Struct.Go)
		case r.Struct.Field(name) != nil:
			c.fail(at, "has the name of the field %s.%s; name it otherwise", r.Struct.Go, r.Struct.Field(name).GoPath)
		case slices.ContainsFunc(r.Computed, same):
			c.fail(at, "is declared twice")
		default:
			f := &model.Field{Name: name, GoPath: name, Type: source.Type, ReadOnly: true, Doc: each.Doc()}
			r.Computed = append(r.Computed, &compiled.Computed{Field: f, Value: source.Response, Compute: each.Call})
			members = append(members, model.ViewField{Field: f, Readable: true, Required: true, Computed: true, Inner: source.Response.View})
		}
	}
	if members != nil {
		r.Source.Response.View.Title = r.ShortName + "Stored" // what handlers answer within types of their own
		r.Shown = r.Source.Value(r.Source.Response.View.With(members))
		r.Source.Views.IgnoreComputed(members)
	}
}
