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

// namedView is a named view. All operations with that name share it.
type namedView struct {
	of     *compiled.Resource
	where  string // of its first use, for errors
	view   *model.View
	within []string              // fields of embedded records, such as "owner.username", sorted
	embeds []*compiled.Expansion // of these, nil until they are made
}

// view gives an operation that shows records its view: its own, else the resource's.
func (o *operationCompiler) view() {
	if o.metadata.View != nil && (!o.Reads || o.Custom && !o.Pages) {
		return
	}
	declared := o.metadata.View
	if declared == nil {
		declared, o = o.definition.defaults.View, o.at(o.Resource.ShortName)
	}
	if declared == nil || o.Out == nil || o.Out.Codec != o.Resource.Codec {
		return
	}
	v, err := o.c.compose(o.where, *declared, o.Resource)
	o.c.note(o.where, err)
	var embeds []*compiled.Expansion
	if !o.Custom {
		embeds = o.c.within(o.where, *declared, o.Resource) // even after an error, to report its own
	}
	if err == nil {
		source := o.Resource.Source
		o.Out = &compiled.Value{Type: o.Out.Type, View: v, Codec: source.Codec, Encoder: source.Value(v).Encoder, Order: declared.Fields}
		if !o.Custom {
			o.Expansions = slices.Clone(embeds)
		}
	}
}

// embedded decides how other records embed one of this resource: as its View shows it. With an Output it cannot be
// embedded, because clients know another type than the stored one.
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
			r.Embedded.Order = d.defaults.View.Fields
		}
	}
}

// compose makes a named view, once.
func (c *compiler) compose(where string, declared operation.View, r *compiled.Resource) (*model.View, error) {
	at := func(err error) error { return fmt.Errorf("View %q: %w", declared.Name, err) }
	var errs []error
	if !shortName.MatchString(declared.Name) {
		errs = append(errs, at(errors.New("the name must have letters, digits and underscores, beginning with a letter")))
	}
	own, within := fieldsOf(r, declared)
	if len(own) == 0 && len(declared.Fields) > 0 {
		errs = append(errs, at(fmt.Errorf("at least one field of the record itself is needed; allowed: %s", strings.Join(r.Shown.View.Shows(), ", "))))
		return nil, errors.Join(errs...)
	}
	made, err := r.Shown.View.Compose(declared.Name, own)
	for _, mistake := range joined(err) {
		errs = append(errs, at(mistake))
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	known := c.views[declared.Name]
	switch {
	case known == nil:
		c.views[declared.Name] = &namedView{of: r, where: where, view: made, within: within}
		return made, nil
	case known.of != r:
		return nil, at(fmt.Errorf("resource %s has a view of this name; rename one of them", known.of.ShortName))
	case !slices.Equal(known.view.Shows(), made.Shows()) || !slices.Equal(known.within, within):
		return nil, at(fmt.Errorf("differs from the view of this name at %s, which has the fields %s; give them the same fields, or two names",
			known.where, strings.Join(append(known.view.Shows(), known.within...), ", ")))
	}
	return known.view, nil
}

// checkViewNames reports views with the name of another schema of a resource.
func (c *compiler) checkViewNames() {
	for _, name := range slices.Sorted(maps.Keys(c.views)) {
		for _, r := range c.model.Resources {
			suffix, ok := strings.CutPrefix(name, r.ShortName)
			if ok && slices.Contains(model.ViewNames(), suffix) {
				c.fail(c.views[name].where, "View %q: resource %s has a schema of this name; rename the view", name, r.ShortName)
			}
		}
	}
}

// leadsWithin reports whether a name in a view is a field of an embedded record, such as "owner.username". It returns
// the reference and the field's name.
func leadsWithin(r *compiled.Resource, name string) (f *model.Field, inner string, ok bool) {
	head, inner, found := strings.Cut(name, ".")
	if f = r.Struct.Field(head); !found || f == nil || f.Reference == nil || f.WriteOnly {
		return nil, "", false
	}
	return f, inner, true
}

// fieldsOf lists the names in a view: those of the record's own fields, and those of fields of embedded records, sorted.
func fieldsOf(r *compiled.Resource, declared operation.View) (own, within []string) {
	for _, name := range declared.Fields {
		if _, _, ok := leadsWithin(r, name); ok {
			within = append(within, name)
		} else {
			own = append(own, name)
		}
	}
	slices.Sort(within)
	return own, within
}

// within returns the expansions for the fields of embedded records in a view.
func (c *compiler) within(where string, declared operation.View, r *compiled.Resource) []*compiled.Expansion {
	known := c.views[declared.Name]
	if known == nil || known.of != r { // an error, which is already reported
		_, within := fieldsOf(r, declared)
		known = &namedView{view: r.Shown.View, within: within}
	}
	if known.embeds != nil || len(known.within) == 0 {
		return known.embeds
	}
	of := map[*model.Field][]string{}
	var order []*model.Field
	for _, name := range declared.Fields {
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
			c.note(where, fmt.Errorf("View %q: the records of %q cannot be embedded, because their resource has an Output", declared.Name, f.Name))
			continue
		}
		title := declared.Name + naming.Capital(f.Name)
		v, err := target.Embedded.View.Compose(title, of[f])
		if err != nil {
			c.note(where, fmt.Errorf("View %q: fields of %q: %w", declared.Name, f.Name, err))
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

var computedName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// computed compiles the computed fields of a resource, and the view of a record with them.
func (c *compiler) computed(where string, list []operation.Computed, r *compiled.Resource) {
	r.Shown = r.Source.Response
	var members []model.ViewField
	for i, declared := range list {
		at := fmt.Sprintf("%s: Computed %d", where, i+1)
		each, _ := declared.(compiled.Compute)
		if isNil(each) {
			c.fail(at, "must not be nil; make it with operation.Compute")
			continue
		}
		name := each.Name()
		record, value := each.Types()
		same := func(other *compiled.Computed) bool { return other.Field.Name == name }
		at = fmt.Sprintf("%s: Computed %q", where, name)
		switch source, ok := c.sourceOf(at, value); {
		case !ok:
		case !computedName.MatchString(name):
			c.fail(at, "the name must have letters, digits, underscores and hyphens, beginning with a letter")
		case !each.Defined():
			c.fail(at, "the function is nil")
		case record != r.Struct.Go:
			c.fail(at, "the function takes %s, but records are %s", record, r.Struct.Go)
		case r.Struct.Field(name) != nil:
			c.fail(at, "the name is already used by the field %s", model.Declaration{Type: r.Struct.Go, Field: r.Struct.Field(name).GoPath})
		case slices.ContainsFunc(r.Computed, same):
			c.fail(at, "the field is declared twice")
		default:
			f := &model.Field{Name: name, GoPath: name, Type: source.Type, ReadOnly: true, Doc: each.Doc()}
			r.Computed = append(r.Computed, &compiled.Computed{Field: f, Value: source.Response, Compute: each.Call})
			members = append(members, model.ViewField{Field: f, Readable: true, Required: true, Computed: true, Inner: source.Response.View})
		}
	}
	if members != nil {
		r.Source.Response.View.Title = r.ShortName + "Stored" // for records nested in other types of handlers
		r.Shown = r.Source.Value(r.Source.Response.View.With(members))
		r.Source.Views.IgnoreComputed(members)
	}
}
