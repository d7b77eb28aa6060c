package resource

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
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
