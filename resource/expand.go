package resource

import (
	"slices"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/operation"
)

// expand sets the references whose records an operation's responses can embed: those that clients may request by their
// tags, and those that the operation always embeds. Paths have at most two steps. It returns those that clients may
// request.
func (c *compiler) expand(where string, m *operation.Metadata, op *compiled.Operation) (asked []string) {
	pinned := op.Expansions // by the operation's view
	if !showsRecords(op) {
		if m.Expand != nil {
			c.fail(where, "Expand is only for a Get or GetCollection without a Handler")
		}
		return nil
	}
	var all []*compiled.Expansion
	if op.Output == nil {
		all = c.expansions("", op.Resource.Struct, op.Out.View)
	}
	all = slices.DeleteFunc(all, func(e *compiled.Expansion) bool {
		return slices.ContainsFunc(pinned, func(p *compiled.Expansion) bool { return p.Field == e.Field })
	})
	var known []string
	for _, path := range all {
		known = append(known, path.Path)
		if path.Field.Reference.Expand {
			asked = append(asked, path.Path)
		}
		for _, inner := range path.Inner {
			known = append(known, inner.Path)
			if path.Field.Reference.Expand && inner.Field.Reference.Expand {
				asked = append(asked, inner.Path)
			}
		}
	}
	for i, path := range m.Expand {
		switch {
		case !slices.Contains(known, path):
			c.fail(where, "Expand has the unknown reference %q%s", path, naming.Allowed(path, known))
		case slices.Contains(m.Expand[:i], path):
			c.fail(where, "Expand has %q twice", path)
		}
	}
	op.Expansions = slices.Concat(pinned, chosen(all, asked, m.Expand))
	return asked
}

// expansions lists the references of a struct. For a record's own references it includes those of the referenced
// records.
func (c *compiler) expansions(above string, s *model.Struct, holder *model.View) []*compiled.Expansion {
	var list []*compiled.Expansion
	for _, f := range s.Fields {
		if f.Reference == nil || f.WriteOnly || c.names[f.Reference.Name] == nil {
			continue
		}
		if c.names[f.Reference.Name].Embedded == nil || holder.Field(f) == nil {
			continue // the record cannot be embedded, or the view omits the reference
		}
		e := compiled.NewExpansion(compiled.Expansion{Path: above + f.Name, Field: f, Resource: c.names[f.Reference.Name], Shown: c.names[f.Reference.Name].Embedded})
		if above == "" {
			e.Inner = c.expansions(e.Path+".", f.Reference.Target, e.Resource.Embedded.View)
		}
		list = append(list, e)
	}
	return list
}

// chosen returns the expansions that clients may request or that are always embedded. An expansion is always embedded
// if one inside it is.
func chosen(all []*compiled.Expansion, asked, always []string) []*compiled.Expansion {
	var list []*compiled.Expansion
	for _, e := range all {
		e.Inner = chosen(e.Inner, asked, always)
		e.Always = slices.Contains(always, e.Path) || slices.ContainsFunc(e.Inner, func(inner *compiled.Expansion) bool { return inner.Always })
		if e.Always || slices.Contains(asked, e.Path) {
			list = append(list, e)
		}
	}
	return list
}

// checkEmbedded checks that the default request stays within the budget of embedded records even if all lists have
// their maximum length, because its caller could not request less. Expansions that clients request may exceed it,
// because most lists are much shorter.
func (c *compiler) checkEmbedded(where string, paging *parameters.Paging, op *compiled.Operation) {
	always, records, limit := compiled.AlwaysEmbedded(op.Expansions), 1, c.model.MaxEmbedded
	if paging != nil && paging.Enabled {
		records = paging.ItemsPerPage
	}
	switch {
	case always <= limit/records:
	case records == 1:
		c.fail(where, "the response embeds up to %d records, but Config.MaxEmbedded is %d; "+
			"lower the max of the lists, or raise Config.MaxEmbedded", always, limit)
	default:
		c.fail(where, "the response embeds up to %d records in each of the %d records of a page, but Config.MaxEmbedded is %d; "+
			"lower ItemsPerPage or the max of the lists, or raise Config.MaxEmbedded", always, records, limit)
	}
}
