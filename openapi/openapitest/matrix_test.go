package openapitest_test

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// harbour is the target of references from ships.
type harbour struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank,max=50" api:"filter,sort"`
	Tax  int    `json:"tax" api:"sort"`
}

// ship is a record with several representations.
type ship struct {
	ID     int64    `json:"id"`
	Name   string   `json:"name" validate:"notblank,max=50" api:"filter=partial,sort,search"`
	Serial string   `json:"serial" validate:"notblank,max=20" api:"createonly,filter"`
	Guns   int      `json:"guns" validate:"gte=0,lte=99" api:"filter=range,sort"`
	Home   *int64   `json:"home" api:"ref=Harbour,expand,filter,through=name"`
	Visits []int64  `json:"visits" validate:"max=5" api:"ref=Harbour,expand"`
	Tags   []string `json:"tags" validate:"max=3,dive,max=9" api:"filter=contains"`
	Value  int      `json:"value" api:"filter,sort"`
	Log    string   `json:"log" validate:"max=200"`
}

// plate is the representation of a ship for clients.
type plate struct {
	Title string `json:"title" validate:"notblank,max=50"`
	Tons  int    `json:"tons" validate:"gte=0,lte=1000"`
}

var ofShips = []operation.Operation{
	operation.Get{}, operation.GetCollection{}, operation.Post{}, operation.Patch{}, operation.Put{}, operation.Delete{},
}

func toPlate(s *ship) plate { return plate{s.Name, s.Value % 1000} }

func fromPlate(_ context.Context, in plate, s *ship) error {
	if s.Serial == "" {
		s.Serial = "S"
	}
	s.Name, s.Value = in.Title, in.Tons
	return nil
}

// representations returns the representations of a record, alone and combined.
func representations() map[string]func(*resource.Of[ship]) {
	card := &operation.View{Name: "ShipCard", Fields: []string{"id", "name", "home"}}
	port := &operation.View{Name: "ShipPort", Fields: []string{"id", "guns", "home.name", "visits.id"}}
	output := operation.Output(func(_ context.Context, s *ship) (plate, error) { return plate{s.Name, max(s.Value%1000, 0)}, nil })
	computed := []operation.Computed{
		operation.Compute("isArmed", "Whether it has guns.", func(_ context.Context, s *ship) (bool, error) { return s.Guns > 0, nil }),
		operation.Compute("plate", "", func(_ context.Context, s *ship) (plate, error) { return toPlate(s), nil }),
	}
	return map[string]func(*resource.Of[ship]){
		"whole":         func(*resource.Of[ship]) {},
		"a view":        func(s *resource.Of[ship]) { s.View = card },
		"a view within": func(s *resource.Of[ship]) { s.View = port },
		"views of reads": func(s *resource.Of[ship]) {
			s.Operations = append(s.Operations[2:], operation.Get{View: port}, operation.GetCollection{View: card})
		},
		"computed": func(s *resource.Of[ship]) { s.Computed = computed },
		"computed in a view": func(s *resource.Of[ship]) {
			s.Computed, s.View = computed, &operation.View{Name: "ShipArms", Fields: []string{"id", "isArmed"}}
		},
		"computed and a view within": func(s *resource.Of[ship]) {
			s.Computed, s.View = computed, &operation.View{Name: "ShipPlace", Fields: []string{"id", "plate", "home.name", "home.isDear"}}
		},
		"output": func(s *resource.Of[ship]) { s.Output = output },
		"output and input": func(s *resource.Of[ship]) {
			s.Output, s.Input = output, operation.InputOf(func(s *ship) plate { return plate{s.Name, max(s.Value%1000, 0)} }, fromPlate)
		},
		"output of reads, input of a post": func(s *resource.Of[ship]) {
			s.Operations = []operation.Operation{
				operation.Get{Output: output},
				operation.GetCollection{Output: output},
				operation.Post{Input: operation.Input(fromPlate)},
				operation.Patch{},
				operation.Put{},
				operation.Delete{},
			}
		},
	}
}

// kinds returns options that combine with each representation.
func kinds() map[string]func(*resource.Of[ship]) {
	return map[string]func(*resource.Of[ship]){
		"plain":     func(*resource.Of[ship]) {},
		"sparse":    func(s *resource.Of[ship]) { s.SparseFields = true },
		"replacing": func(s *resource.Of[ship]) { s.ExtraProperties = map[string]any{"standard_put": true} },
	}
}

// TestViewsConform tests each representation of a record with each operation, in all formats, in one form
// of references or the other, with callers who see different fields.
func TestViewsConform(t *testing.T) {
	t.Parallel()
	cases := map[string]func(*resource.Of[ship]){}
	for way, show := range representations() {
		for kind, change := range kinds() {
			cases[way+", "+kind] = func(s *resource.Of[ship]) { show(s); change(s) }
		}
	}
	for name, change := range sampled(cases) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ships := resource.Of[ship]{Operations: append([]operation.Operation{}, ofShips...)}
			change(&ships)
			formats := []format.Format{csv.Format, hal.Format, jsonld.Format, jsonapi.Format}
			openapitest.Conform(t, fleet(t, formOf(name), ships, formats...), bearerOf("ann"), bearerOf("root"), openapitest.Requests(60))
		})
	}
}

// formOf returns one of both forms of references: half of the names have each.
func formOf(name string) resource.References {
	return []resource.References{resource.Paths, resource.Identifiers}[len(name)%2]
}

// fleet returns an API of ships and harbours, in which only captains see and set some fields.
func fleet(t *testing.T, form resource.References, ships resource.Of[ship], formats ...format.Format) *resource.API {
	t.Helper()
	captains := access.Rules{Read: access.Public, Create: access.Authenticated, Update: access.Authenticated, Delete: access.Authenticated}
	ships.Access, captains.Fields = captains, map[string]access.Field{"tax": {Read: isCaptain, Write: isCaptain}}
	ships.Access.Fields = map[string]access.Field{"value": {Read: isCaptain, Write: isCaptain}, "log": {Read: isCaptain}}
	api, err := resource.New(resource.Config{
		Logger:         slog.New(slog.DiscardHandler),
		References:     form,
		Formats:        append(format.Standard(), formats...),
		Authentication: []access.Scheme{access.Bearer("token", pirateOf)},
	}, ships, resource.Of[harbour]{Access: captains, Computed: []operation.Computed{
		operation.Compute("isDear", "Whether its tax is high.", func(_ context.Context, h *harbour) (bool, error) { return h.Tax > 9, nil }),
	}})
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// TestBodiesInEachFormatAreTested accepts every body in one format after the other.
func TestBodiesInEachFormatAreTested(t *testing.T) {
	t.Parallel()
	formats := []format.Format{csv.Format, hal.Format, jsonld.Format, jsonapi.Format}
	patched := resource.Of[ship]{Operations: []operation.Operation{operation.Get{}, operation.Post{}, operation.Patch{}}}
	for _, of := range formats {
		notes := &recorder{TB: t}
		broken := func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Content-Type") == of.MediaType && r.Method == http.MethodPatch {
					w.WriteHeader(http.StatusNoContent)
					return
				}
				next.ServeHTTP(w, r)
			})
		}
		openapitest.Conform(notes, fleet(t, resource.Paths, patched, formats...), bearerOf("root"), openapitest.Through(broken), inFull(120))
		if !slices.ContainsFunc(notes.complaints, func(each string) bool {
			return strings.Contains(each, "PATCH") && strings.Contains(each, "accepts a request that the document calls invalid") && strings.Contains(each, of.MediaType)
		}) {
			t.Errorf("an API that accepts every body in %s is not reported: %d errors", of.MediaType, len(notes.complaints))
		}
	}
}

func TestResponsesInAnotherFormatAreReported(t *testing.T) {
	t.Parallel()
	notes := &recorder{TB: t}
	ignoring := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Header.Del("Accept")
			next.ServeHTTP(w, r)
		})
	}
	openapitest.Conform(notes, fleet(t, resource.Paths, resource.Of[ship]{}, hal.Format), bearerOf("root"), openapitest.Through(ignoring), openapitest.Requests(20))
	for _, each := range notes.complaints {
		if strings.Contains(each, "returns another format than Accept requests") {
			return
		}
	}
	t.Errorf("the format is not reported: %d errors", len(notes.complaints))
}
