package resource_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
)

// Pledge is what someone pledges: the service sets who, and the client chooses the number.
type Pledge struct {
	Donor  string `json:"donor" api:"id,readonly,filter"`
	Number int64  `json:"number" api:"id" validate:"gt=0"`
	Amount int    `json:"amount" validate:"gte=0"`
}

// PledgeKey is how others refer to a Pledge.
type PledgeKey struct {
	Donor  string `json:"donor"`
	Number int64  `json:"number"`
}

// Payment is for a pledge.
type Payment struct {
	ID     int64     `json:"id"`
	Pledge PledgeKey `json:"pledge" api:"ref=Pledge,filter,expand"`
}

// setDonor sets the donor from a header, as a service sets it from the caller.
func setDonor(_ context.Context, req *operation.Request, p *Pledge) error {
	p.Donor = req.HTTP().Header.Get("Donor")
	return nil
}

// onPledges runs a test on pledges and their payments on each sort of store.
func onPledges(t *testing.T, pledges resource.Of[Pledge], test func(c client)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		test(newClient(t, resource.Config{}, pledges, resource.Of[Payment]{}))
	})
	for name, open := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			kept, payments := sqlstore.Table[Pledge](db), sqlstore.Table[Payment](db)
			if err := db.Create(t.Context(), kept, payments); err != nil {
				t.Fatal(err)
			}
			stored := pledges
			stored.Store = kept
			test(newClient(t, resource.Config{}, stored, resource.Of[Payment]{Store: payments}))
		})
	}
}

func TestTheServiceSetsAReadonlyPartOfTheIdentifier(t *testing.T) {
	t.Parallel()
	onPledges(t, resource.Of[Pledge]{Prepare: setDonor}, func(c client) {
		c.t.Helper()
		const pledge = `{"donor":"ann","number":1,"amount":5}`
		c.send("POST /api/pledges", `{"number":1,"amount":5}`, "Donor", "ann").is(http.StatusCreated, pledge).has("Location", "/api/pledges/ann;1")
		c.send("POST /api/pledges", `{"donor":"bob","number":2}`, "Donor", "ann").is(http.StatusCreated, `{"donor":"ann","number":2,"amount":0}`)
		c.send("POST /api/pledges", `{"number":1}`, "Donor", "bob").is(http.StatusCreated, `{"donor":"bob","number":1,"amount":0}`)
		c.send("POST /api/pledges", `{"number":1}`, "Donor", "ann").isProblem(http.StatusConflict)
		c.send("POST /api/pledges", `{}`, "Donor", "ann").hasStatus(http.StatusBadRequest)
		c.send("GET /api/pledges/ann;1", "").is(http.StatusOK, pledge)
		c.send("GET /api/pledges?donor=bob", "").is(http.StatusOK, `[{"donor":"bob","number":1,"amount":0}]`)
		c.send("POST /api/payments", `{"pledge":"/api/pledges/ann;1"}`).is(http.StatusCreated, `{"id":1,"pledge":"/api/pledges/ann;1"}`)
		c.send("GET /api/payments?pledge=/api/pledges/ann%3B1&expand=pledge", "").mentions(`"amount":5`)
		c.send("DELETE /api/pledges/ann;1", "").isProblem(http.StatusConflict)
		c.send("DELETE /api/pledges/ann;2", "").hasStatus(http.StatusNoContent)
	})
}

func TestAChangeKeepsTheReadonlyPartOfTheIdentifierInThePath(t *testing.T) {
	t.Parallel()
	onPledges(t, resource.Of[Pledge]{Prepare: setDonor}, func(c client) {
		c.t.Helper()
		c.send("POST /api/pledges", `{"number":1}`, "Donor", "ann").hasStatus(http.StatusCreated)
		for _, donor := range []string{"ann", "bob", ""} {
			c.send("PATCH /api/pledges/ann;1", `{"amount":6}`, "Donor", donor).is(http.StatusOK, `{"donor":"ann","number":1,"amount":6}`)
			c.send("PATCH /api/pledges/ann;1", `{"donor":"cat","amount":7}`, "Donor", donor).is(http.StatusOK, `{"donor":"ann","number":1,"amount":7}`)
			c.send("PUT /api/pledges/ann;1", `{"donor":"cat","amount":8}`, "Donor", donor).is(http.StatusOK, `{"donor":"ann","number":1,"amount":8}`)
		}
		c.send("PATCH /api/pledges/ann;1", `{"number":2}`, "Donor", "bob").isInvalid("number", "number must be the one in the path")
		c.send("GET /api/pledges", "").is(http.StatusOK, `[{"donor":"ann","number":1,"amount":8}]`)
	})
}

// RuledPledge is a Pledge with a rule for the part that the service sets.
type RuledPledge struct {
	Donor  string `json:"donor" api:"id,readonly" validate:"oneof=ann bob"`
	Number int64  `json:"number" api:"id"`
	Amount int    `json:"amount"`
}

func TestARuleOfAReadonlyPartOfTheIdentifierIsCheckedOnTheValueInThePath(t *testing.T) {
	t.Parallel()
	alike(t, resource.Of[RuledPledge]{Prepare: func(_ context.Context, req *operation.Request, v *RuledPledge) error {
		v.Donor = req.HTTP().Header.Get("Donor")
		return nil
	}}, func(c client) {
		c.send("POST /api/things", `{"number":1}`, "Donor", "ann").hasStatus(http.StatusCreated)
		c.send("POST /api/things", `{"number":1}`, "Donor", "cat").isProblem(http.StatusInternalServerError)
		c.send("PATCH /api/things/ann;1", `{"amount":2}`, "Donor", "cat").is(http.StatusOK, `{"donor":"ann","number":1,"amount":2}`)
	})
}

func TestAReplacingPutKeepsTheReadonlyPartOfTheIdentifier(t *testing.T) {
	t.Parallel()
	pledges := resource.Of[Pledge]{Prepare: setDonor, Operations: []operation.Operation{
		operation.Post{}, operation.Get{}, operation.Put{},
	}}
	pledges.ExtraProperties = map[string]any{"standard_put": true}
	onPledges(t, pledges, func(c client) {
		c.t.Helper()
		c.send("POST /api/pledges", `{"number":1}`, "Donor", "ann").hasStatus(http.StatusCreated)
		c.send("PUT /api/pledges/ann;1", `{"donor":"cat","number":1,"amount":8}`, "Donor", "bob").is(http.StatusOK, `{"donor":"ann","number":1,"amount":8}`)
	})
}

func TestAReadonlyPartOfTheIdentifierThatIsNotSetIsAnErrorOfTheService(t *testing.T) {
	t.Parallel()
	onPledges(t, resource.Of[Pledge]{Prepare: setDonor}, func(c client) {
		c.t.Helper()
		for _, donor := range []string{"", " \t"} {
			c.send("POST /api/pledges", `{"donor":"ann","number":1}`, "Donor", donor).isProblem(http.StatusInternalServerError)
		}
		c.send("POST /api/pledges", `{"number":1}`, "Donor", strings.Repeat("a", 256)).isProblem(http.StatusInternalServerError)
		c.send("GET /api/pledges", "").is(http.StatusOK, `[]`)
	})
}

func TestAProcessorSetsAReadonlyPartOfTheIdentifier(t *testing.T) {
	t.Parallel()
	process := func(ctx context.Context, req *operation.Request, p *Pledge, save operation.Save[Pledge]) error {
		p.Donor = req.HTTP().Header.Get("Donor")
		return save(ctx, p)
	}
	onPledges(t, resource.Of[Pledge]{Processor: operation.Process(process)}, func(c client) {
		c.t.Helper()
		c.send("POST /api/pledges", `{"number":1}`, "Donor", "ann").has("Location", "/api/pledges/ann;1")
		c.send("POST /api/pledges", `{"number":2}`).isProblem(http.StatusInternalServerError)
		c.send("GET /api/pledges", "").is(http.StatusOK, `[{"donor":"ann","number":1,"amount":0}]`)
	})
}

func TestACreateOfHasTheRulesOfPostForAReadonlyPartOfTheIdentifier(t *testing.T) {
	t.Parallel()
	each := func(ctx context.Context, _ *Pledge, in []operation.CreateOf[Pledge]) ([]*Pledge, error) {
		all := []*Pledge{}
		for _, one := range in {
			saved, err := one.Save(ctx)
			if err != nil {
				return nil, err
			}
			all = append(all, saved)
		}
		return all, nil
	}
	onPledges(t, resource.Of[Pledge]{Prepare: setDonor, Operations: append(operation.Standard(),
		operation.Post{Name: "import", URITemplate: "/pledges/import", Handler: operation.Handle(each)},
	)}, func(c client) {
		c.t.Helper()
		c.send("POST /api/pledges/import", `[{"number":1},{"donor":"bob","number":2}]`, "Donor", "ann").
			is(http.StatusOK, `[{"donor":"ann","number":1,"amount":0},{"donor":"ann","number":2,"amount":0}]`)
		c.send("POST /api/pledges/import", `[{"donor":"bob","number":3}]`).isProblem(http.StatusInternalServerError)
		c.send("GET /api/pledges?donor=bob", "").is(http.StatusOK, `[]`)
	})
}

// Stitch is a stitch on a trestle, which the path of its Post names.
type Stitch struct {
	Trestle int64 `json:"trestle" api:"id,readonly,ref=Trestle"`
	Number  int64 `json:"number" api:"id"`
	Width   int   `json:"width"`
}

func TestThePathSetsAReadonlyPartOfTheIdentifier(t *testing.T) {
	t.Parallel()
	test := func(c client) {
		c.t.Helper()
		c.send("POST /api/trestles", `{"name":"first"}`).hasStatus(http.StatusCreated)
		c.send("POST /api/trestles/1/stitches", `{"number":3}`).
			is(http.StatusCreated, `{"trestle":"/api/trestles/1","number":3,"width":0}`).has("Location", "/api/trestles/1/stitches/3")
		c.send("POST /api/trestles/1/stitches", `{"trestle":"/api/trestles/9","number":4}`).
			is(http.StatusCreated, `{"trestle":"/api/trestles/1","number":4,"width":0}`)
		c.send("POST /api/trestles/2/stitches", `{"number":3}`).isProblem(http.StatusNotFound)
		c.send("PUT /api/trestles/1/stitches/3", `{"trestle":"/api/trestles/9","width":2}`).
			is(http.StatusOK, `{"trestle":"/api/trestles/1","number":3,"width":2}`)
		c.send("PATCH /api/trestles/1/stitches/3", `{"trestle":null,"width":3}`).
			is(http.StatusOK, `{"trestle":"/api/trestles/1","number":3,"width":3}`)
	}
	stitches := resource.Of[Stitch]{Path: "/trestles/{trestle}/stitches"}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		test(newClient(t, resource.Config{}, stitches, resource.Of[Trestle]{}))
	})
	for name, open := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			kept, trestles := sqlstore.Table[Stitch](db), sqlstore.Table[Trestle](db)
			if err := db.Create(t.Context(), kept, trestles); err != nil {
				t.Fatal(err)
			}
			stored := stitches
			stored.Store = kept
			test(newClient(t, resource.Config{}, stored, resource.Of[Trestle]{Store: trestles}))
		})
	}
}

func TestNewRejectsAReadonlyPartOfTheIdentifierThatNothingSets(t *testing.T) {
	t.Parallel()
	for want, declared := range map[string]resource.Declaration{
		`the part "donor" of the identifier is readonly, and nothing sets it; set it in Prepare, or remove readonly`: resource.Of[Pledge]{
			Store: memory.New[Pledge](),
		},
		`the part "trestle" of the identifier is readonly, and nothing sets it; set it in Prepare, use a URITemplate with {trestle}, or remove readonly`: resource.Of[Stitch]{},
		`AllowCreate is set, but "donor" is a readonly part of the identifier, which a client cannot choose; remove AllowCreate and create by Post`: resource.Of[Pledge]{
			Prepare: setDonor, Operations: []operation.Operation{operation.Put{AllowCreate: true}},
		},
	} {
		_, err := resource.New(resource.Config{}, declared, resource.Of[Trestle]{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New returns %v, want %s", err, want)
		}
	}
	if _, err := resource.New(resource.Config{}, resource.Of[Pledge]{Operations: []operation.Operation{operation.Get{}, operation.Patch{}}}); err != nil {
		t.Error("without a Post New returns", err)
	}
}
