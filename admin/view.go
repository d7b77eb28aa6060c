package admin

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/internal/look"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/operation"
)

// view makes the model for one caller.
type view struct {
	*admin

	caller *invoke.Caller
	known  map[*invoke.Operation]*invoke.Operation // as the caller may see them, nil for those that they may not call
	shows  map[*invoke.Resource]bool               // of which the caller may do something
	needed []*schema.Definition                    // in the order of first use
}

// shown returns an operation as the caller may see it, nil for nil and for one that they may call in no case.
func (v *view) shown(op *invoke.Operation) *invoke.Operation {
	made, isKnown := v.known[op]
	if !isKnown && op != nil && v.caller.May(op) {
		made = v.caller.Shown(op)
	}
	v.known[op] = made
	return made
}

// permits reports whether the caller may call an operation in some case, false for nil.
func (v *view) permits(op *invoke.Operation) bool { return v.shown(op) != nil }

// first returns the first operation that the caller may call, nil for none.
func (v *view) first(list []*invoke.Operation) *invoke.Operation {
	if i := slices.IndexFunc(list, v.permits); i >= 0 {
		return list[i]
	}
	return nil
}

// model returns the model for the caller.
func (v *view) model() *model {
	title := v.config.title(v.api)
	m := &model{
		Title: title, Logo: v.logo, Initial: look.Initial(title), Home: v.api.HomePath(), Docs: v.text(v.api.Docs),
		SignedIn: !v.caller.IsAnonymous(), Who: v.caller.Who(),
		SignIn: []signIn{}, Texts: map[string]string{}, Resources: []*resourceModel{}, Schemas: map[string]json.RawMessage{},
	}
	if op := v.session.in; v.permits(op) {
		m.SignIn = append(m.SignIn, signIn{Kind: "form", Operation: v.operation(op), Token: op.TokenName()})
	}
	m.SignIn = append(m.SignIn, v.ways...)
	m.SignOut = v.operation(v.session.out)
	for _, l := range v.layouts {
		v.shows[l.Resource] = slices.ContainsFunc(l.used(), v.permits)
	}
	for _, l := range v.layouts {
		if v.shows[l.Resource] {
			m.Resources = append(m.Resources, v.resource(l))
		}
	}
	m.Dashboard = v.dashboard()
	shown := map[string]bool{}
	for done := 0; done != len(v.needed); done++ { // each may need others
		d := v.needed[done]
		m.Schemas[d.Name] = v.schema(d.Schema)
		addFieldTexts(shown, d.Schema)
	}
	for key, text := range v.config.Texts {
		if !strings.HasPrefix(key, ofField) || shown[key] {
			m.Texts[key] = text
		}
	}
	return m
}

// used lists all operations of the resource that the admin may show.
func (l *layout) used() []*invoke.Operation {
	list := slices.Concat(l.lists, l.gets, l.creates, l.updates, l.removes, l.custom, l.history)
	for _, t := range l.tabs {
		list = append(list, t.add, t.remove)
	}
	return list
}

func (v *view) resource(l *layout) *resourceModel {
	list, get, create := v.first(direct(l.lists)), v.first(l.gets), v.first(direct(l.creates))
	m := &resourceModel{
		Name: l.ShortName, Singular: cmp.Or(l.config.Singular, l.Singular()), Plural: l.plural, Identifier: l.ID.Names(),
		Help: cmp.Or(l.config.Help, v.text(l.Description)), Aggregate: v.operation(v.first(direct(l.totals))),
		List: v.operation(list), Get: v.operation(get), Create: v.operation(create),
		Update: v.operation(v.first(l.updates)), Remove: v.operation(v.first(l.removes)), History: v.operation(v.first(l.history)),
		Columns: []string{}, Groups: []groupModel{}, Fields: []fieldModel{}, Custom: []*operationModel{},
		Tabs: []tabModel{}, Takes: []takesModel{},
	}
	m.Import = v.imports.model(create, v.caller)
	if op := cmp.Or(list, create); op != nil {
		m.Path = op.Path()
	}
	if list != nil {
		m.Query, _ = v.shown(list).Usable(l.config.Filter, l.config.Sort)
	}
	if one := v.first(slices.Concat(l.gets, l.updates, l.removes)); one != nil {
		m.Item, m.Suffixes = one.Path(), one.EndSuffixes()
	}
	for _, op := range l.custom {
		if made := v.operation(op); made != nil {
			m.Custom = append(m.Custom, made)
		}
	}
	v.addFields(m, l)
	v.addColumns(m, l)
	v.addTabs(m, l)
	return m
}

// addColumns sets how records are called, and chooses the columns of their list.
func (v *view) addColumns(m *resourceModel, l *layout) {
	for _, g := range l.config.Groups {
		left := slices.DeleteFunc(slices.Clone(g.Fields), func(name string) bool {
			return !slices.ContainsFunc(m.Fields, func(f fieldModel) bool { return f.Name == name })
		})
		if len(left) > 0 {
			m.Groups = append(m.Groups, groupModel{g.Title, left, cmp.Or(g.Columns, 1)})
		}
	}
	m.Composed = v.composed(m, l)
	if title := l.TitleField(); m.isReadable(title) {
		m.Title = title
	}
	if d := l.Struct.Deleted; d != nil && m.isReadable(d.Name) {
		m.Deleted = d.Name
	}
	if l.config.Columns != nil {
		m.Columns = append(m.Columns, slices.DeleteFunc(slices.Clone(l.config.Columns), func(name string) bool { return !m.isReadable(name) })...)
	} else if list := v.first(slices.Concat(direct(l.lists), l.lists)); list != nil {
		m.chooseColumns(list)
	}
}

// isReadable reports whether the caller may see a field.
func (m *resourceModel) isReadable(name string) bool {
	return slices.ContainsFunc(m.Fields, func(f fieldModel) bool { return f.Name == name && f.Readable })
}

// chooseColumns sets the columns of a list without columns in the config: the title, and other fields with short values.
// Identifiers that the service chooses mean nothing to people, if there is a title.
func (m *resourceModel) chooseColumns(list *invoke.Operation) {
	if m.Title != "" {
		m.Columns = append(m.Columns, m.Title)
	}
	for _, f := range m.Fields {
		isID := (m.Title != "" || m.Composed != nil) && !f.Create && slices.Contains(m.Identifier, f.Name)
		if isID || f.Name == m.Title || f.Name == m.Deleted || !f.Readable || len(m.Columns) == most {
			continue
		}
		of := list.Record().Property(f.Name)
		isLink := f.Reference != nil && !f.Reference.Many
		if of != nil && (isLink || isShort(of)) && (f.field == nil || !f.field.Inverse) {
			m.Columns = append(m.Columns, f.Name)
		}
	}
}

// addTabs adds the lists of other records, and what a delete does to them.
func (v *view) addTabs(m *resourceModel, l *layout) {
	for _, t := range l.tabs {
		if v.shows[t.resource.Resource] && v.caller.Sees(t.field) {
			if made, ok := v.tab(t, m.Item); ok {
				m.Tabs = append(m.Tabs, made)
			}
		}
	}
	distinguish(m.Tabs, v.config.isEnglish())
	if m.Remove == nil {
		return
	}
	for _, t := range l.takes {
		effect := map[string]string{"cascade": "delete", "null": "clear", "restrict": "restrict"}[string(t.field.Reference.OnDelete)]
		if v.first(t.resource.lists) != nil && v.caller.Sees(t.field) {
			m.Takes = append(m.Takes, takesModel{t.resource.ShortName, t.field.Name, effect})
		}
	}
}

// distinguish adds the names of references to the titles that several tabs would have.
func distinguish(tabs []tabModel, isEnglish bool) {
	count := map[string]int{}
	for _, t := range tabs {
		count[t.Title]++
	}
	for i, t := range tabs {
		if isEnglish {
			t.label = strings.ToLower(t.label)
		}
		if t.Kind != "membership" && count[t.Title] > 1 {
			tabs[i].Title += " (" + t.label + ")"
		}
	}
}

func (v *view) tab(t tab, item string) (tabModel, bool) {
	m := tabModel{Kind: t.kind, Title: t.resource.plural, Resource: t.resource.ShortName, Field: t.field.Name, label: t.label}
	switch t.kind {
	case "membership":
		op := v.first([]*invoke.Operation{t.remove, t.add})
		if op == nil || !v.caller.Sets(t.field) {
			return m, false
		}
		m.Title, m.Path, m.Add, m.Remove = m.label, op.Path(), v.operation(t.add), v.operation(t.remove)
		return m, true
	case "subresource":
		isElsewhere := func(op *invoke.Operation) bool { return op.PathBelow(item) == "" }
		list := v.first(slices.DeleteFunc(slices.Clone(t.lists), isElsewhere))
		if list == nil {
			return m, false
		}
		m.Path, m.List = list.PathBelow(item), v.operation(list)
		m.Create = v.operation(v.first(slices.DeleteFunc(slices.Clone(t.creates), isElsewhere)))
	default:
		m.List = v.operation(v.first(t.lists))
	}
	return m, m.List != nil
}

// operation returns the model of an operation, nil for nil or one that the caller may not call.
func (v *view) operation(op *invoke.Operation) *operationModel {
	if op = v.shown(op); op == nil {
		return nil
	}
	declared := v.actions[op.ID]
	m := &operationModel{
		ID: op.ID, Method: op.Method, Path: op.Path(), Title: op.Summary, Description: v.text(op.Operation.Description), Item: op.Item, InputIsList: op.BodyIsList(),
		Types: []string{}, IfMatch: op.Item && (op.Custom && !op.Reads || op.TakesBody() || op.Deletes()), IdempotencyKey: op.Idempotency > 0,
		Destructive: op.Destroys(), Danger: op.Destroys() || declared.Danger,
		Parameters: []parameterModel{}, Suffixes: op.EndSuffixes(),
	}
	if op.Response != nil {
		m.Types = op.Offers()
	}
	if op.OfTrash() && op.Operation.Summary == "" { // the page names the record
		m.Title = naming.SentenceCase(op.Name)
	}
	m.Title = cmp.Or(declared.Title, m.Title)
	if op.Body != nil {
		m.Input = v.schema(op.Body)
		m.Merges = !op.Custom && !op.Replace && op.Kind != operation.KindPost
		m.ContentType = "application/json"
		if types := op.MediaTypes; len(types) > 0 {
			m.ContentType = types[0]
		}
	}
	if op.Custom && op.Response != nil {
		m.Output = v.schema(op.Alone())
	}
	if op.BodyIsList() && op.Bodies() == op.Resource.Resource {
		m.Effect = map[bool]string{true: "create", false: "change"}[op.Creating != nil]
	}
	for _, p := range op.Parameters {
		if p.Kind == "tree" { // the page has an input for each filter
			m.Tree = p.Name
			continue
		}
		m.Parameters = append(m.Parameters, parameterModel{
			Name: p.Name, Kind: p.Kind, Field: p.Field, Operator: p.Operator, Many: p.Many, Schema: v.schema(p.Schema),
		})
	}
	return m
}
