package openapi

import (
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/parameters"
)

// plainMediaType is that of answers in which members of a record stand at the top, so that
// links find them there.
const plainMediaType = "application/json"

// links are what an answer that shows a record leads to: the record that a reference is to, the
// collections below it, and from a new record its own address. A parameter of theirs is a member of
// the answer as it stands there. So there are none to what is told by an address alone, from which
// expressions take no part, nor by what may be null.
func (b *builder) links(op *compiled.Operation, created bool) openapi3.Links {
	r := op.Resource
	if !op.Shows || op.HasOutput || op.DefaultFormat.MediaType != plainMediaType {
		return nil
	}
	links := openapi3.Links{}
	add := func(name string, to *compiled.Operation, variables []string, from ...*model.Field) {
		hidden := func(f *model.Field) bool {
			m := op.Out.View.Member(f)
			return m == nil || !m.Readable || f.Shown() != nil
		}
		if to == nil || to.Hidden || slices.ContainsFunc(from, hidden) || len(to.Template.Variables()) != len(from) || links[name] != nil {
			return
		}
		links[name] = b.link(to, variables, from)
	}
	for _, f := range r.Struct.Fields {
		if f.Reference != nil && f.Reference.Address == nil && f.Refers() {
			to := b.api.ByStruct[f.Reference.Target]
			add(describe.ComponentName(f.Name), to.Item, to.ID.Names(), f)
		}
	}
	for _, below := range b.below(r) {
		add(below.ID, below, []string{below.Parents[0].Variable}, r.ID.Fields()...)
	}
	if created && r.Item != nil {
		add(r.Item.ID, r.Item, r.ID.Names(), r.ID.Fields()...)
	}
	if len(links) == 0 {
		return nil
	}
	return links
}

// below lists the collections right below records of a resource.
func (b *builder) below(of *compiled.Resource) []*compiled.Operation {
	var found []*compiled.Operation
	for _, r := range b.api.Resources {
		for _, op := range r.Operations {
			if op.Pages && len(op.Parents) == 1 && op.Parents[0].Resource == of {
				found = append(found, op)
			}
		}
	}
	return found
}

// jsonPointer escapes what has a meaning in JSON Pointers (RFC 6901).
var jsonPointer = strings.NewReplacer("~", "~0", "/", "~1")

// link leads to an operation whose variables have the values of members.
func (b *builder) link(to *compiled.Operation, variables []string, from []*model.Field) *openapi3.LinkRef {
	link := &openapi3.Link{OperationID: to.ID, Parameters: map[string]any{}}
	for i, name := range variables {
		if slices.ContainsFunc(to.Parameters.List, func(p *parameters.Parameter) bool { return p.Name == name }) {
			name = openapi3.ParameterInPath + "." + name
		}
		link.Parameters[name] = "$response.body#/" + jsonPointer.Replace(from[i].Name)
	}
	b.linked[to] = append(b.linked[to], link)
	return &openapi3.LinkRef{Value: link}
}
