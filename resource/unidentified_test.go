package resource_test

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

func TestAMissingIdentifierHidesNoMistakeOfOperations(t *testing.T) {
	t.Parallel()
	valid := []reflect.StructField{field[int64]("ID", `api:"id"`), field[string]("Name", ``), field[int64]("Whole", `api:"ref=B,filter,through=name"`)}
	lines := func(fields []reflect.StructField, change func(*resource.Of[struct{}])) []string {
		b := []reflect.StructField{field[int64]("ID", `api:"id"`), field[string]("Name", `api:"filter"`)}
		of := resource.Of[struct{}]{ShortName: "A", Operations: operation.Standard()}
		change(&of)
		ofB := resource.Of[struct{}]{ShortName: "B"}
		if of.Access.Read != nil {
			ofB.Access = access.Only(access.Public)
		}
		_, err := resource.New(resource.Config{}, resource.Reflected{Type: reflect.StructOf(fields), Of: of},
			resource.Reflected{Type: reflect.StructOf(b), Of: ofB})
		if err == nil {
			return nil
		}
		all := strings.Split(varying.ReplaceAllString(err.Error(), ""), "\n")
		return slices.DeleteFunc(all, func(line string) bool { return strings.HasSuffix(line, "errors in resource declarations:") })
	}
	changes := map[string]func(*resource.Of[struct{}]){
		"nothing":              func(*resource.Of[struct{}]) {},
		"a view of nothing":    func(of *resource.Of[struct{}]) { of.View = &operation.View{Name: "V", Fields: []string{"nmae"}} },
		"a rule about nothing": func(of *resource.Of[struct{}]) { of.Access = access.Only(access.Where("nmae", "x")) },
		"a rule of a wrong field": func(of *resource.Of[struct{}]) {
			of.Access = access.Only(access.Public)
			of.Access.Fields = map[string]access.Field{"nmae": {Read: access.Public}}
		},
		"a path without a slash":   func(of *resource.Of[struct{}]) { of.Path = "things" },
		"a handler of another one": func(of *resource.Of[struct{}]) { of.Order = []string{"nmae"} },
	}
	for name, o := range mistakesOfOperations() {
		if name == "a generated identifier and Put" { // depends on the identifier
			continue
		}
		changes["operation: "+name] = func(of *resource.Of[struct{}]) {
			of.Operations = append(of.Operations, o)
			if strings.HasPrefix(name, "a rule about") {
				of.Access = access.Only(access.Public)
			}
		}
	}
	for what, id := range map[string]reflect.StructField{
		"no identifier": field[int64]("Number", ``),
		"a pointer":     field[*int64]("ID", ``),
		"a fraction":    field[float64]("ID", `api:"id"`),
		"an object":     field[struct{ A int }]("ID", `api:"id"`),
	} {
		fields := append([]reflect.StructField{id}, valid[1:]...)
		alone := lines(fields, changes["nothing"])
		if len(alone) != 1 {
			t.Errorf("%s: New returns %q", what, alone)
		}
		for name, change := range changes {
			if name == "nothing" {
				continue
			}
			want := append(slices.Clone(alone), lines(valid, change)...)
			if len(want) == 1 {
				t.Errorf("%s: New returns no error", name)
			}
			if got := lines(fields, change); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
				t.Errorf("%s, %s: New returns\n\t%s\nwant\n\t%s", what, name, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
			}
		}
	}
}

type folio struct {
	ISBN   string `json:"isbn"`
	Title  string `json:"title" api:"filter,sort"`
	Sequel *int64 `json:"sequel" api:"ref=scroll"`
}

type scroll struct {
	ID    int64  `json:"id"`
	Folio string `json:"folio" api:"ref=folio,filter,through=title"`
}

// A path with a field, most likely the identifier that lacks its tag, is not an error too.
func TestAMissingIdentifierCausesNoOtherMistake(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "folios.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	for name, folios := range map[string]store.Store[folio]{"memory": nil, "SQLite": sqlstore.Table[folio](db)} {
		_, err := resource.New(resource.Config{},
			resource.Of[folio]{ShortName: "folio", Store: folios, Idempotency: time.Hour, SparseFields: true, Operations: []operation.Operation{
				operation.Get{URITemplate: "/folios/{isbn}{._format}"},
				operation.GetCollection{Order: []string{"title", "isbn"}},
				operation.Post{},
				operation.GetCollection{Name: "card", URITemplate: "/cards", View: &operation.View{Name: "Card", Fields: []string{"isbn", "title"}}},
				operation.Put{URITemplate: "/folios/{isbn}", AllowCreate: true},
				operation.Delete{Name: "burn", URITemplate: "/folios/{isbn}/burn", Status: 404},
			}},
			resource.Of[scroll]{ShortName: "scroll", Operations: append(operation.Standard(),
				operation.GetCollection{Name: "of", URITemplate: "/folios/{folio}/scrolls"})})
		if err == nil {
			t.Fatal("New returns no error")
		}
		lines := strings.Split(err.Error(), "\n")
		if len(lines) != 3 || !strings.Contains(lines[1], "folio: no identifier") || !strings.Contains(lines[2], "Status is 404") {
			t.Errorf("%s: New returns %s", name, err)
		}
	}
}
