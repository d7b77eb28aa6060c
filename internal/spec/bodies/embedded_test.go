package bodies_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Base is what several resources have in common.
type Base struct {
	ID        int64     `json:"id"`
	UpdatedAt time.Time `json:"updatedAt" api:"readonly"`
}

type Ship struct {
	Base
	Name string `json:"name" validate:"notblank"`
}

func TestFieldsOfEmbeddedStructsAreFields(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Ship]{})
	const ship = `{"id":1,"updatedAt":"0001-01-01T00:00:00Z","name":"Argo"}`
	c.Send("POST /api/ships", `{"name":"Argo","updatedAt":"2026-01-01T00:00:00Z"}`).Is(201, ship).Has("Location", "/api/ships/1")
	c.Send("GET /api/ships/1", "").Is(200, ship)
	c.Send("PATCH /api/ships/1", `{"name":" "}`).IsInvalid("name", "name must not be blank")
	c.Send("PATCH /api/ships/1", `{"Base":{}}`).HasStatus(400).Mentions(`"Base":`)
}

// Shapes of embedding. Each has the identifier of its own, so that it can be a resource.
type (
	Hull struct {
		Beam  int    `json:"beam"`
		Draft string `json:"draft,omitempty"`
	}
	sail struct {
		Area int    `json:"area"`
		Name string `json:"name"`
	}
	Rig struct {
		sail `json:",omitzero"`

		Masts int `json:"masts"`
	}
	Label string

	PlainBoat struct {
		ID int64 `json:"id"`
		Hull
	}
	OmittingBoat struct {
		ID   int64 `json:"id"`
		Hull `json:",omitempty"`
	}
	CommaBoat struct {
		ID   int64 `json:"id"`
		Hull `json:","`
	}
	UnexportedBoat struct {
		ID   int64 `json:"id"`
		sail `json:",omitempty"`
	}
	NamedBoat struct {
		ID   int64 `json:"id"`
		Hull `json:"hull,omitzero"`
	}
	SkippedBoat struct {
		ID   int64 `json:"id"`
		Hull `json:"-"`
		Name string `json:"name"`
	}
	DashBoat struct {
		ID   int64 `json:"id"`
		Hull `json:"-,"`
	}
	DeepBoat struct {
		ID  int64 `json:"id"`
		Rig `json:",omitempty,omitzero"`
	}
	ShadowBoat struct {
		ID   int64 `json:"id"`
		Rig  `json:",omitempty"`
		Name string `json:"name"`
	}
	HiddenConflictBoat struct {
		ID int64 `json:"id"`
		Rig
		Twin
		Name string `json:"name"`
	}
	Twin struct {
		sailor `json:",omitempty"`
	}
	sailor struct {
		Name string `json:"name"`
	}
	LabelBoat struct {
		ID    int64 `json:"id"`
		Label `json:",omitempty"`
	}
)

// promotes compares a record in a response with what encoding/json writes.
func promotes[T any](record T) func(t *testing.T) {
	return func(t *testing.T) {
		t.Helper()
		t.Parallel()
		c := spec.NewClient(t, resource.Config{}, resource.Of[T]{ShortName: "Boat", Store: memory.New(record)})
		got := c.Send("GET /api/boats/1", "").HasStatus(http.StatusOK)
		want, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		got.Is(http.StatusOK, string(want))
		var fields map[string]any
		if err := json.Unmarshal(want, &fields); err != nil {
			t.Fatal(err)
		}
		delete(fields, "id")
		body, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		c.Send("PATCH /api/boats/1", string(body)).Is(http.StatusOK, string(want))
	}
}

func TestEmbeddedStructsAreInlinedAsEncodingJSONDoes(t *testing.T) {
	t.Parallel()
	hull, rig := Hull{3, "deep"}, Rig{sail{7, "jib"}, 2}
	for name, check := range map[string]func(t *testing.T){
		"no tag":                      promotes(PlainBoat{1, hull}),
		"an option without a name":    promotes(OmittingBoat{1, hull}),
		"an empty one with an option": promotes(OmittingBoat{1, Hull{}}),
		"a comma alone":               promotes(CommaBoat{1, hull}),
		"an unexported struct":        promotes(UnexportedBoat{1, sail{7, "jib"}}),
		"a name":                      promotes(NamedBoat{1, hull}),
		"a name and nothing to show":  promotes(NamedBoat{1, Hull{}}),
		"a dash":                      promotes(SkippedBoat{1, hull, "Argo"}),
		"the name dash":               promotes(DashBoat{1, hull}),
		"two levels":                  promotes(DeepBoat{1, rig}),
		"a field that hides another":  promotes(ShadowBoat{1, rig, "Argo"}),
		"a field that hides two that have the same name": promotes(HiddenConflictBoat{1, rig, Twin{sailor{"Ann"}}, "Argo"}),
		"a string": promotes(LabelBoat{1, "x"}),
	} {
		t.Run(name, check)
	}
}

func TestEmbeddingThatEncodingJSONAllowsAndTroveDoesNot(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{}, resource.Of[struct {
		ID    int64 `json:"id"`
		*Hull `json:",omitempty"`
	}]{ShortName: "Boat"})
	spec.WantLine(t, err, "embedded pointers are not supported; embed the struct itself or name the field")
	_, err = resource.New(resource.Config{}, resource.Of[struct {
		ID int64 `json:"id"`
		Rig
		Twin `json:",omitempty"`
	}]{ShortName: "Boat"})
	spec.WantLine(t, err, `the JSON name "name" is already used by the field Rig.sail.Name`)
	_, err = resource.New(resource.Config{}, resource.Of[struct {
		ID   int64 `json:"id"`
		Hull `json:",omitemtpy"`
	}]{ShortName: "Boat"})
	spec.WantLine(t, err, `unknown option "omitemtpy" in the json tag; did you mean "omitempty"?`)
	_, err = resource.New(resource.Config{}, resource.Of[struct {
		ID   int64 `json:"id"`
		sail `json:"sail"`
	}]{ShortName: "Boat"})
	spec.WantLine(t, err, "the field has the tag json but is not exported; export it or remove the tag")
}
