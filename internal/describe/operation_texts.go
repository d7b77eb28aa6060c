package describe

import (
	"net/http"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/operation"
)

// Summary returns the user's own summary of an operation, or one that begins with a verb.
func (t Texts) Summary(op *compiled.Operation) string {
	switch {
	case op.Summary != "":
		return op.Summary
	case op.Relationship != nil:
		return t.relationship(op, relationshipKind(op)+".summary")
	case op.Name != "":
		return naming.SentenceCase(op.Name)
	case op.Membership != nil:
		return t.membership(op, ".summary")
	}
	summary := t.Text("operation."+kindOf(op)+".summary", t.nouns(op.Resource)...)
	if len(op.Parents) == 0 {
		return summary
	}
	values := append(t.nouns(op.Resource), "summary", summary)
	return t.Text("operation.under", append(values, t.under("parent", op.Parents[len(op.Parents)-1].Resource)...)...)
}

// Description returns an operation's text, with its access rule: schemes and scopes do not show which callers a rule
// allows. A handler without a text has none, because only its author knows what it does.
func (t Texts) Description(op *compiled.Operation) string {
	var parts []string
	switch {
	case op.Description != "":
		parts = append(parts, op.Description)
	case op.Relationship != nil:
		kind := relationshipKind(op)
		if kind == "relationship.replace" {
			kind = "relationship.change"
		}
		parts = append(parts, t.relationship(op, kind+".description"))
	case op.Membership != nil:
		parts = append(parts, t.membership(op, ".description"))
	case !op.Custom:
		parts = append(parts, t.standard(op))
	}
	if op.Access != nil {
		parts = append(parts, t.Text("operation.access", "rule", t.rule(op.Access, op.Resource.Struct)))
	}
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	return strings.Join(parts, "\n\n")
}

// kindOf returns the part of keys that names the kind of a standard operation.
func kindOf(op *compiled.Operation) string {
	if op.Replace {
		return "replace"
	}
	return [...]string{
		operation.KindGet: "get", operation.KindGetCollection: "list", operation.KindPost: "create",
		operation.KindPut: "update", operation.KindPatch: "patch", operation.KindDelete: "delete",
	}[op.Kind]
}

// standard describes an operation that has no function of the user's.
func (t Texts) standard(op *compiled.Operation) string {
	key := "operation." + kindOf(op) + ".description"
	if op.Kind == operation.KindGetCollection {
		if key = "operation.list.all"; op.Pages {
			key = "operation.list.page"
		}
	}
	values := append(t.nouns(op.Resource), "id", t.identifier(op.Resource.ID.Names()))
	sentences := []string{t.Text(key, values...)}
	if op.In != nil && op.In.View.Merges && mergesEntries(op.In.View, map[*model.View]bool{}) {
		sentences = append(sentences, t.Text("operation.entries", values...))
	}
	if op.AllowCreate {
		key, required := "operation.orCreate", Needs(op)
		if len(required) > 0 {
			key = "operation.orCreateWith"
		}
		sentences = append(sentences, t.Text(key, append(values, "fields", t.list(code(required), "and"))...))
	}
	return naming.Sentences(sentences...)
}

// mergesEntries reports whether a merge patch can name entries that are not fields: those of maps and of free JSON.
func mergesEntries(v *model.View, seen map[*model.View]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	return slices.ContainsFunc(v.Fields, func(m model.ViewField) bool {
		t := m.Field.Type
		return m.Writable && (t.Kind == model.Map || t.Kind == model.Any || isRawJSON(t) || t.Kind == model.Object && mergesEntries(m.Inner, seen))
	})
}

// identifier names the fields of an identifier: "ID", "username", "order and line".
func (t Texts) identifier(names []string) string {
	words := make([]string, len(names))
	for i, name := range names {
		if words[i] = naming.Phrase(name); name == "id" {
			words[i] = t.Text("words.id")
		}
	}
	return t.list(words, "and")
}

// membership returns a text of an operation that changes only what one record refers to by a list.
func (t Texts) membership(op *compiled.Operation, part string) string {
	key, m := "operation.add", op.Membership
	if op.Kind == operation.KindDelete {
		key = "operation.remove"
	}
	values := append(t.nouns(op.Resource), t.under("target", m.Resource)...)
	return t.Text(key+part, append(values, "list", naming.Phrase(m.Field.Name), "field", "`"+m.Field.Name+"`")...)
}

// relationshipKind returns the start of the keys of an operation on a reference of a record alone.
func relationshipKind(op *compiled.Operation) string {
	switch of := op.Relationship; {
	case op.Reads:
		return "relationship.get"
	case of.Change == compiled.Adds:
		return "relationship.add"
	case of.Change == compiled.Removes:
		return "relationship.remove"
	case of.Field.Reference.Many:
		return "relationship.replace"
	}
	return "relationship.change"
}

func (t Texts) relationship(op *compiled.Operation, key string) string {
	field := op.Relationship.Field.Name
	return t.Text(key, append(t.nouns(op.Resource), "relation", naming.Phrase(field), "field", "`"+field+"`")...)
}

// Success returns the text of a response with a status below 300.
func (t Texts) Success(op *compiled.Operation, status int) string {
	key := "response.updated"
	switch {
	case !op.HasResponseBody():
		key = "response.empty"
	case op.Custom:
		key = "response.success"
	case op.Relationship != nil:
		return t.relationship(op, "response.relationship")
	case op.Pages:
		key = "response.records"
	case op.Reads:
		key = "response.record"
	case status == http.StatusCreated, op.Creates:
		key = "response.created"
	}
	return t.Text(key, t.nouns(op.Resource)...)
}

// Tag returns the description of a resource's tag: the user's own, or what its operations are about.
func (t Texts) Tag(r *compiled.Resource) string {
	if r.Description != "" {
		return r.Description
	}
	return t.Text("tag.description", t.nouns(r)...)
}

// Location returns the text of the header field with the path of a new record.
func (t Texts) Location(r *compiled.Resource) string { return t.Text("header.location", t.nouns(r)...) }

// Stream returns the text of a body that has one record per line.
func (t Texts) Stream(op *compiled.Operation) string {
	text := t.Text("schema.stream", t.nouns(op.Resource)...)
	if op.HasParameter(parameters.Cursor) {
		text = naming.Sentences(text, t.Text("schema.stream.cursor"))
	}
	return text
}
