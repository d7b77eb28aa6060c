package collections_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/validation"
)

// Voyage are parameters of an operation.
type Voyage struct {
	Days   int      `json:"days" validate:"gte=1,lte=30" default:"7" doc:"How long."`
	Via    []string `json:"via" validate:"max=2"`
	Dry    bool     `json:"dry"`
	Signal string   `json:"X-Signal" api:"header" validate:"omitempty,len=3"`
}

var voyage operation.Parameters[Voyage]

func TestHooksReadTypedParameters(t *testing.T) {
	t.Parallel()
	of := resource.Of[Frigate]{
		ShortName: "Ship",
		Store:     memory.New(fleet(1)...),
		Operations: []operation.Operation{
			operation.Get{},
			operation.Get{Name: "range", URITemplate: "/ships/{id}/range", Parameters: voyage, Handler: operation.Handle(sail)},
			operation.Post{Parameters: voyage, Processor: operation.Process(dryRun)},
		},
		Prepare: func(_ context.Context, req *operation.Request, s *Frigate) error {
			s.Guns = voyage.Of(req).Days
			return nil
		},
	}
	c := spec.NewClient(t, resource.Config{}, of)
	c.Send("GET /api/ships/1/range", "").Is(200, `"7 days via "`)
	c.Send("GET /api/ships/1/range?days=3&via=Tortuga&via=Port+Royal", "", "X-Signal", "SOS").Is(200, `"3 days via Tortuga, Port Royal SOS"`)
	c.Send("GET /api/ships/1/range?days=31&via=a&via=b&via=c&dry=2", "", "X-Signal", "long").IsProblem(400).
		Mentions(`"message":"days must be at most 30"`, `"name":"via"`, `dry must be true or false`, `{"name":"X-Signal","in":"header"`)
	c.Send("GET /api/ships/1?days=1", "").IsProblem(400).Mentions(`Unknown parameter \"days\"`)
	c.Send("POST /api/ships?days=4", `{"name":"New"}`).HasStatus(201).Mentions(`"guns":4`)
	c.Send("POST /api/ships?dry=1", `{"name":"Newer"}`).IsProblem(400)
	c.Send("POST /api/ships?dry=true", `{"name":"Newer"}`).IsProblem(409)
	c.Send("POST /api/ships?days=0", `{"name":" "}`).IsProblem(400)
	c.Send("GET /api/ships/3", "").IsProblem(404)
}

func sail(ctx context.Context, _ *Frigate, _ struct{}) (string, error) {
	req, _ := operation.RequestFrom(ctx)
	p := voyage.Of(req)
	text := strings.Repeat("", p.Days) + strconv.Itoa(p.Days) + " days via " + strings.Join(p.Via, ", ")
	if p.Signal != "" {
		text += " " + p.Signal
	}
	return text, nil
}

func dryRun(ctx context.Context, req *operation.Request, s *Frigate, save operation.Save[Frigate]) error {
	if voyage.Of(req).Dry {
		return operation.Error{Status: 409, Detail: "A dry run."}
	}
	return save(ctx, s)
}

func TestParametersThatAnOperationDoesNotHaveAreZero(t *testing.T) {
	t.Parallel()
	if p := voyage.Of(nil); p.Days != 0 {
		t.Errorf("of no request: %+v", p)
	}
	if p := voyage.Of(&operation.Request{Parameters: &Frigate{}}); p.Days != 0 {
		t.Errorf("of another operation: %+v", p)
	}
	if p := voyage.Of(&operation.Request{Parameters: &Voyage{Days: 3}}); p.Days != 3 {
		t.Errorf("of a request made for a test: %+v", p)
	}
}

// modest is a store that cannot search.
type modest struct{ *memory.Store[Frigate] }

func (modest) CheckQuery(query store.Query) error {
	for _, c := range query.Where {
		if c.Operator == store.Contains {
			return errors.New("modest: cannot look into " + strings.Join(c.Fields, ", "))
		}
	}
	return nil
}

func TestNewReportsErrorsInCollections(t *testing.T) {
	t.Parallel()
	type key struct {
		Page string `json:"page" api:"id,filter"`
	}
	negative := operation.Pagination{ItemsPerPage: -1, MaxItemsPerPage: -2, MaxPage: -3}
	_, err := resource.New(resource.Config{CursorKey: []byte("short"), Pagination: negative},
		resource.Of[Frigate]{Store: modest{memory.New[Frigate]()}, Pagination: operation.Pagination{ItemsPerPage: 50, MaxItemsPerPage: 20}, Order: []string{"gun"}},
		resource.Of[spec.Sailor]{Operations: []operation.Operation{
			operation.Get{Pagination: operation.Pagination{MaxPage: 1}, Order: []string{"id"}, Parameters: operation.Parameters[int]{}},
			operation.Post{SparseFields: true},
			operation.GetCollection{Pagination: operation.Pagination{MaxPage: -1, Total: "exakt"}},
		}},
		resource.Of[key]{ShortName: "Key"},
	)
	if err == nil {
		t.Fatal("no mistake is found")
	}
	for _, want := range []string{
		"Config: CursorKey has 5 bytes; use at least 16, or none",
		"Config: Pagination.ItemsPerPage is -1; allowed: 1 to 1,000,000, or 0 for the default",
		`Pagination.Total is "exakt"; allowed: capped, exact, estimated, none, or "" for the default; did you mean "exact"?`,
		"Pagination.ItemsPerPage is 50; allowed: at most MaxItemsPerPage, which is 20",
		`Order has "gun"; allowed: id, name, guns, crew, rig, port.city, each with a - before it or not; did you mean "guns"?`,
		"Pagination is only for an Aggregate, or a GetCollection without a Handler",
		"Order is only for a GetCollection without a Handler",
		"Parameters: int must be a struct whose fields are the parameters",
		"SparseFields is only for a Get or GetCollection without a Handler",
		`two parameters have the name "page", of the kinds page and filter`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no mention of %s in:\n%v", want, err)
		}
	}
	_, err = resource.New(resource.Config{}, resource.Of[Frigate]{Store: modest{memory.New[Frigate]()}})
	if err == nil || !strings.Contains(err.Error(), "store: modest: cannot look into name") {
		t.Errorf("what the store cannot answer is not told: %v", err)
	}
}

func TestARuleOverParametersMaySpeakOfAllOfThem(t *testing.T) {
	t.Parallel()
	rule := validation.Struct(func(_ context.Context, v *Voyage) error {
		if v.Dry && v.Days > 7 {
			return validation.Fail("", "a dry voyage has a week at most")
		}
		return nil
	})
	c := spec.NewClient(t, resource.Config{Rules: []validation.Rule{rule}}, resource.Of[Frigate]{
		ShortName:  "Ship",
		Store:      memory.New(fleet(1)...),
		Operations: []operation.Operation{operation.Get{Parameters: voyage}},
	})
	c.Send("GET /api/ships/1?days=9&dry=true", "").IsProblem(400).Mentions("a dry voyage has a week at most.")
}
