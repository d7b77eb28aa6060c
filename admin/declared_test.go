package admin_test

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/date"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Loan is a piece that a keeper has.
type Loan struct {
	ID     int64     `json:"id"`
	Keeper int64     `json:"keeper" api:"ref=Keeper,filter"`
	From   date.Date `json:"from" api:"filter=range,sort,group"`
	Status string    `json:"status" validate:"oneof=asked lent back" api:"filter,group"`
	Fee    int64     `json:"fee" api:"filter,aggregate"`
	Secret string    `json:"secret" api:"filter,sort,group"`
	Text   string    `json:"text"`
	Tags   []string  `json:"tags"`
}

func loans(t *testing.T) *resource.API {
	t.Helper()
	load := operation.Handle(func(context.Context, *Loan, []operation.CreateOf[Loan]) (struct{}, error) { return struct{}{}, nil })
	change := operation.Handle(func(context.Context, *Loan, []operation.PatchOf[Loan]) (struct{}, error) { return struct{}{}, nil })
	rules := access.Rules{
		Read: access.Public, Create: access.Authenticated, Update: isAdmin, Delete: isAdmin,
		Fields: map[string]access.Field{"secret": {Read: isAdmin, Write: isAdmin}},
	}
	return newAPI(t, resource.Config{Authentication: []access.Scheme{bearer}},
		resource.Of[Keeper]{Access: access.Rules{Read: isAdmin, Create: isAdmin, Update: isAdmin, Delete: isAdmin}, Store: memory.New(*keepers["ann"])},
		resource.Of[Loan]{Description: "A loan.", Access: rules, Operations: standard(operation.Aggregate{},
			operation.Post{Name: "load", URITemplate: "/loans/load", Handler: load},
			operation.Post{Name: "change", URITemplate: "/loans/change", Access: isAdmin, Handler: change},
		)})
}

func TestAModelHasWhatTheConfigDeclares(t *testing.T) {
	t.Parallel()
	s := serve(t, loans(t), admin.Config{
		Resources: []admin.Resource{{
			Name: "Loan", Title: "Lent", Singular: "Lent piece", Help: "Read me.", RecordTitle: "{keeper.codename}, {from}",
			Groups: []admin.Group{{Title: "When", Fields: []string{"from", "secret"}, Columns: 2}, {Title: "Hidden", Fields: []string{"secret"}[:0:0]}}[:1],
			Fields: map[string]admin.Field{"text": {Label: "Remark", Help: "Short.", Widget: "markdown", Width: 30}, "fee": {Currency: "EUR"}, "status": {Values: map[string]string{"asked": "Asked for"}}},
			Filter: "status=asked&secret=x", Sort: "-from,secret",
			Operations: map[string]admin.Action{"changeLoan": {Title: "Change many"}},
		}},
		Dashboard: []admin.Panel{
			admin.Number{Resource: "Loan", Title: "Asked", Filter: "status=asked"},
			admin.Bars{Resource: "Loan", Group: "secret"},
			admin.Line{Resource: "Loan", Group: "from:month", Sum: "fee", Currency: "EUR"},
			admin.Newest{Resource: "Loan", Sort: "-from"},
			admin.Number{Resource: "Loan", Filter: "secret=x"},
			admin.Newest{Resource: "Loan", Sort: "secret"},
			admin.Newest{Resource: "Keeper"},
		},
	})
	root, ann := s.model("root"), s.model("ann")
	l := root.resource("Loan")
	if l.Plural != "Lent" || l.Singular != "Lent piece" || l.Help != "Read me." || l.Aggregate == nil || l.List.Tree != "filter" {
		t.Errorf("%+v", l)
	}
	if !isJSON(t, l.Composed, `[{"field":"keeper","of":"codename"},{"text":", "},{"field":"from"}]`) || l.Query != "status=asked&secret=x&sort=-from%2Csecret" {
		t.Errorf("title %v, query %q", l.Composed, l.Query)
	}
	if !isJSON(t, l.Groups, `[{"title":"When","fields":["from","secret"],"columns":2}]`) {
		t.Errorf("groups: %v", l.Groups)
	}
	if f := l.field("fee"); f.Currency != "EUR" {
		t.Errorf("fee: %+v", f)
	}
	if f := l.field("text"); f.Title != "Remark" || f.Description != "Short." || f.Widget != "markdown" || f.Width != 30 {
		t.Errorf("text: %+v", f)
	}
	if !maps.Equal(l.field("status").Values, map[string]string{"asked": "Asked for"}) || l.field("from").Values != nil {
		t.Errorf("status: %+v", l.field("status"))
	}
	if many := l.many(); len(many) != 2 || many[0].Effect != "create" || many[1].Effect != "change" || many[1].Title != "Change many" || !many[0].InputIsList {
		t.Errorf("many: %v", many)
	}
	if len(root.Dashboard) != 7 || !isJSON(t, root.Dashboard[2:4], `[
		{"kind":"line","resource":"Loan","title":"","query":"","group":"from:month","sum":"fee","currency":"EUR","count":0},
		{"kind":"newest","resource":"Loan","title":"","query":"sort=-from","group":"","sum":"","currency":"","count":5}]`) {
		t.Errorf("dashboard: %v", root.Dashboard)
	}
	// She may not see secret, nor a Keeper.
	l = ann.resource("Loan")
	if l.Composed != nil || l.Query != "status=asked&sort=-from" || len(l.many()) != 1 || !isJSON(t, l.Groups, `[{"title":"When","fields":["from"],"columns":2}]`) {
		t.Errorf("%+v", l)
	}
	var kinds []string
	for _, p := range ann.Dashboard {
		kinds = append(kinds, p["kind"].(string))
	}
	if !slices.Equal(kinds, []string{"number", "line", "newest"}) || strings.Contains(s.get("ann", "/admin/model"), "secret") {
		t.Errorf("%v", kinds)
	}
	plain := serve(t, loans(t), admin.Config{}).model("root").resource("Loan")
	if plain.Help != "A loan." || plain.Query != "" || plain.Composed != nil || plain.Groups == nil || len(plain.Groups) != 0 || !reflect.DeepEqual(plain.field("text").Values, map[string]string(nil)) {
		t.Errorf("without a config: %+v", plain)
	}
}

func TestErrorsInDeclaredLayoutsComeAllAtOnce(t *testing.T) {
	t.Parallel()
	err := admin.Mount(loans(t), admin.Config{
		Resources: []admin.Resource{
			{
				Name: "Loan", Groups: []admin.Group{{Title: "When", Fields: []string{"form", "from"}, Columns: 3}, {Title: "Void"}, {Fields: []string{"from"}}},
				Fields: map[string]admin.Field{
					"txt": {}, "text": {Widget: "markdwon", Width: 300, Currency: "EUR"}, "fee": {Currency: "euro", Widget: "date", Values: map[string]string{"1": "One"}},
					"status": {Values: map[string]string{"askd": "Asked", "lent": "Lent"}},
				},
				RecordTitle: "{keepr} {keeper.cdename} {status.x}", Filter: "status=given&statuss=x&page=2", Sort: "-fron",
				Operations: map[string]admin.Action{"patchLon": {Title: "Change"}},
			},
			{Name: "Keeper", RecordTitle: "{codename", Hidden: true},
		},
		Dashboard: []admin.Panel{
			nil,
			admin.Number{Resource: "Lone"},
			admin.Number{Resource: "Keeper"},
			admin.Bars{Resource: "Loan", Group: "statsu", Sum: "from", Filter: "stats=x"},
			admin.Line{Resource: "Loan", Group: "from", Currency: "EUR"},
			admin.Newest{Resource: "Loan", Sort: "-frm", Count: 21},
		},
	})
	want := []string{
		`Resources: Loan: Fields: fee: the widget "date" does not support the field`,
		`Resources: Loan: Fields: fee: "euro" is not the currency of a number; set it on a number, as "EUR"`,
		`Resources: Loan: Fields: fee: the field is not an enumeration, so it has no titles of values; remove Values`,
		`Resources: Loan: Fields: status: unknown value "askd"; did you mean "asked"?`,
		`Resources: Loan: Fields: text: the widget "markdwon" does not support the field; did you mean "markdown"?`,
		`Resources: Loan: Fields: text: the width 300 is out of range; allowed: 0 to 200`,
		`Resources: Loan: Fields: text: "EUR" is not the currency of a number; set it on a number, as "EUR"`,
		`Resources: Loan: Fields: unknown field "txt"; did you mean "text"?`,
		`Resources: Loan: Groups: the group "When" has 3 columns; allowed: 1, 2`,
		`Resources: Loan: Groups: unknown field "form"; did you mean "from"?`,
		`Resources: Loan: Groups: the group "Void" has no fields`,
		`Resources: Loan: Groups: duplicate field "from"`,
		`Resources: Loan: RecordTitle: unknown field "keepr"; did you mean "keeper"?`,
		`Resources: Loan: RecordTitle: keeper refers to Keeper, which has no field "cdename"; did you mean "codename"?`,
		`Resources: Loan: RecordTitle: status does not refer to one record, so {status.x} has no value`,
		`Resources: Loan: Filter: status must be one of: asked, lent, back`,
		`Resources: Loan: Filter: Unknown parameter "statuss"; did you mean "status"?`,
		`Resources: Loan: Filter: the parameter page does not choose records; allowed: filters and the search`,
		`Resources: Loan: Sort: unknown sort key "-fron"; did you mean "-from"?`,
		`Resources: Loan: Operations: operation "patchLon" does not exist; did you mean "patchLoan"?`,
		`Resources: Keeper: RecordTitle: "{codename" is not a title; write fields in braces, with one dot at most, such as "{name}, {owner.name}"`,
		`Dashboard[0]: the panel is nil`,
		`Dashboard[1]: resource "Lone" does not exist; did you mean "Loan"?`,
		`Dashboard[2]: Keeper: the resource is hidden in the admin`,
		`Dashboard[2]: Keeper: the panel needs an operation.Aggregate; add it to the operations of the resource`,
		`Dashboard[3]: Loan: Filter: Unknown parameter "stats"; did you mean "status"?`,
		`Dashboard[3]: Loan: Group: cannot group by "statsu"; did you mean "status"?`,
		`Dashboard[3]: Loan: Sum: cannot add the values of "from"; allowed: fee`,
		`Dashboard[4]: Loan: Group: cannot group by "from"; allowed: from:year, from:quarter, from:month, from:week, from:day`,
		`Dashboard[4]: Loan: Currency: "EUR" is not the currency of a sum; set Sum, and write it as "EUR"`,
		`Dashboard[5]: Loan: Sort: unknown sort key "-frm"; did you mean "-from"?`,
		`Dashboard[5]: Loan: Count: 21 is out of range; allowed: 1 to 20`,
	}
	if got := lines(err); strings.Join(got, "\n") != "admin: config: "+strings.Join(want, "\nconfig: ") {
		t.Errorf("got:\n%s\nwant:\nadmin: config: %s", strings.Join(got, "\n"), strings.Join(want, "\nconfig: "))
	}
}
