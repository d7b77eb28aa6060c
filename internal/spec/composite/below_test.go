package composite_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
)

// Skein is a skein on a trestle: the trestle and the skein's number identify it together.
type Skein struct {
	Trestle int64   `json:"trestle" api:"id,ref=Trestle,expand,filter"`
	Number  int64   `json:"number" api:"id,filter" validate:"gt=0"`
	Ware    string  `json:"ware" validate:"notblank"`
	Marks   []int64 `json:"marks" api:"ref=Sticker" validate:"max=20"`
}

type Trestle struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type Sticker struct {
	ID   int64  `json:"id"`
	Text string `json:"text"`
}

// SkeinKey is what a Winding says of its skein.
type SkeinKey struct {
	Trestle int64 `json:"trestle"`
	Number  int64 `json:"number"`
}

type Winding struct {
	ID    int64    `json:"id"`
	Skein SkeinKey `json:"skein" api:"ref=Skein,filter,expand"`
}

var skeins = resource.Of[Skein]{
	Path: "/trestles/{trestle}/skeins",
	Operations: []operation.Operation{
		operation.Get{},
		operation.GetCollection{},
		operation.Post{},
		operation.Put{AllowCreate: true},
		operation.Patch{},
		operation.Delete{},
		operation.Put{URITemplate: "/trestles/{trestle}/skeins/{number}/marks/{marks}"},
		operation.Delete{URITemplate: "/trestles/{trestle}/skeins/{number}/marks/{marks}"},
	},
}

// onTrestles runs a test on an API of skeins on each sort of store, with the trestles 1, 2 and 3, of which 3 is hidden.
func onTrestles(t *testing.T, config resource.Config, test func(t *testing.T, c spec.Client)) {
	t.Helper()
	run := func(t *testing.T, skeins resource.Of[Skein], trestles resource.Of[Trestle], marks resource.Of[Sticker], scans resource.Of[Winding]) {
		t.Helper()
		trestles.Access = access.Rules{Read: access.Where("name", "first", "second"), Create: access.Public, Update: access.Public, Delete: access.Public}
		skeins.Access = access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
		marks.Access, scans.Access = skeins.Access, skeins.Access
		c := spec.NewClient(t, config, skeins, trestles, marks, scans)
		for _, name := range []string{"first", "second", "secret"} {
			c.Send("POST /api/trestles", `{"name":"`+name+`"}`)
		}
		c.Send("POST /api/stickers", `{"text":"fragile"}`).HasStatus(http.StatusCreated)
		test(t, c)
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		run(t, skeins, resource.Of[Trestle]{}, resource.Of[Sticker]{}, resource.Of[Winding]{})
	})
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			trestles, marks := sqlstore.Table[Trestle](db), sqlstore.Table[Sticker](db)
			kept, scans := sqlstore.Table[Skein](db), sqlstore.Table[Winding](db)
			if err := db.Create(t.Context(), trestles, marks, kept, scans); err != nil {
				t.Fatal(err)
			}
			stored := skeins
			stored.Store = kept
			run(t, stored, resource.Of[Trestle]{Store: trestles}, resource.Of[Sticker]{Store: marks}, resource.Of[Winding]{Store: scans})
		})
	}
}

const skeinOfTea = `{"trestle":"/api/trestles/1","number":7,"ware":"tea","marks":[]}`

func TestARecordBelowAPartOfItsIdentifierHasOnePath(t *testing.T) {
	t.Parallel()
	onTrestles(t, resource.Config{}, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/trestles/1/skeins", `{"number":7,"ware":"tea"}`).Is(http.StatusCreated, skeinOfTea).
			Has("Location", "/api/trestles/1/skeins/7")
		c.Send("POST /api/trestles/1/skeins", `{"number":7,"ware":"rum"}`).HasStatus(http.StatusConflict)
		c.Send("POST /api/trestles/1/skeins", `{"trestle":"/api/trestles/2","number":8,"ware":"rum"}`).HasStatus(http.StatusBadRequest)
		c.Send("GET /api/trestles/1/skeins/7", "").Is(http.StatusOK, skeinOfTea)
		c.Send("GET /api/trestles/2/skeins/7", "").HasStatus(http.StatusNotFound)
		c.Send("GET /api/trestles/1/skeins", "").Is(http.StatusOK, "["+skeinOfTea+"]")
		c.Send("GET /api/trestles/2/skeins", "").Is(http.StatusOK, "[]")
		c.Send("GET /api/trestles/1/skeins?number=8", "").Is(http.StatusOK, "[]")
		c.Send("PUT /api/trestles/2/skeins/7", `{"ware":"rum"}`).HasStatus(http.StatusCreated).Has("Location", "/api/trestles/2/skeins/7")
		c.Send("PATCH /api/trestles/2/skeins/7", `{"ware":"gin"}`).HasStatus(http.StatusOK).
			Has("Content-Location", "/api/trestles/2/skeins/7").Mentions(`"gin"`)
		c.Send("PATCH /api/trestles/2/skeins/7", `{"trestle":"/api/trestles/1"}`).HasStatus(http.StatusBadRequest)
		c.Send("PUT /api/trestles/1/skeins/7/marks/1", "").HasStatus(http.StatusNoContent)
		c.Send("GET /api/trestles/1/skeins/7?expand=trestle", "").Mentions(`"/api/stickers/1"`, `"first"`)
		c.Send("DELETE /api/trestles/1/skeins/7/marks/1", "").HasStatus(http.StatusNoContent)
		c.Send("DELETE /api/trestles/2/skeins/7", "").HasStatus(http.StatusNoContent)
		c.Send("GET /api/trestles/2/skeins/7", "").HasStatus(http.StatusNotFound)
	})
}

func TestAReferenceToARecordBelowAPartOfItsIdentifierIsItsPath(t *testing.T) {
	t.Parallel()
	onTrestles(t, resource.Config{}, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/trestles/1/skeins", `{"number":7,"ware":"tea"}`).HasStatus(http.StatusCreated)
		c.Send("POST /api/windings", `{"skein":"/api/trestles/1/skeins/7"}`).
			Is(http.StatusCreated, `{"id":1,"skein":"/api/trestles/1/skeins/7"}`)
		c.Send("POST /api/windings", `{"skein":"/api/trestles/1/skeins/8"}`).HasStatus(http.StatusBadRequest)
		c.Send("GET /api/windings/1?expand=skein", "").Mentions(`"tea"`)
		c.Send("GET /api/windings?skein=/api/trestles/1/skeins/7", "").Mentions(`"id":1`)
		c.Send("DELETE /api/trestles/1/skeins/7", "").HasStatus(http.StatusConflict)
	})
}

func TestARecordBelowAHiddenPartOfItsIdentifierIsNotThere(t *testing.T) {
	t.Parallel()
	onTrestles(t, resource.Config{}, func(t *testing.T, c spec.Client) {
		t.Helper()
		for _, request := range []string{"GET ", "PATCH ", "PUT ", "DELETE "} {
			body := ""
			if request[0] == 'P' {
				body = `{"ware":"tea"}`
			}
			c.Send(request+"/api/trestles/3/skeins/7", body).HasStatus(http.StatusNotFound)
			c.Send(request+"/api/trestles/9/skeins/7", body).HasStatus(http.StatusNotFound)
		}
		c.Send("GET /api/trestles/3/skeins", "").HasStatus(http.StatusNotFound)
		c.Send("POST /api/trestles/3/skeins", `{"number":7,"ware":"tea"}`).HasStatus(http.StatusNotFound)
		c.Send("PUT /api/trestles/3/skeins/7/marks/1", "").HasStatus(http.StatusNotFound)
	})
}

// Coffer is named by clients, and so is what is in it.
type Coffer struct {
	Name string `json:"name" api:"id"`
	Lock struct {
		Serial string `json:"serial" api:"id"`
		Turns  int    `json:"turns"`
	} `json:"lock"`
}

func TestAPutThatCreatesNeedsIdentifiersWithinTheRecord(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Coffer]{Operations: []operation.Operation{
		operation.Get{}, operation.Put{AllowCreate: true, ExtraProperties: map[string]any{"standard_put": true}},
	}})
	const put = "PUT /api/coffers/oak"
	c.Send(put, `{"lock":{"turns":1}}`).HasStatus(http.StatusBadRequest).Mentions("lock.serial")
	c.Send(put, `{"lock":{"serial":"a","turns":1}}`).HasStatus(http.StatusCreated)
	c.Send(put, `{"lock":{"turns":1}}`).HasStatus(http.StatusBadRequest).Mentions("lock.serial")
	c.Send(put, `{"lock":{"serial":"b"}}`).Is(http.StatusOK, `{"name":"oak","lock":{"serial":"b","turns":0}}`)
}

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
func onPledges(t *testing.T, pledges resource.Of[Pledge], test func(c spec.Client)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		test(spec.NewClient(t, resource.Config{}, pledges, resource.Of[Payment]{}))
	})
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			kept, payments := sqlstore.Table[Pledge](db), sqlstore.Table[Payment](db)
			if err := db.Create(t.Context(), kept, payments); err != nil {
				t.Fatal(err)
			}
			stored := pledges
			stored.Store = kept
			test(spec.NewClient(t, resource.Config{}, stored, resource.Of[Payment]{Store: payments}))
		})
	}
}

func TestTheServiceSetsAReadonlyPartOfTheIdentifier(t *testing.T) {
	t.Parallel()
	onPledges(t, resource.Of[Pledge]{Prepare: setDonor}, func(c spec.Client) {
		c.T.Helper()
		const pledge = `{"donor":"ann","number":1,"amount":5}`
		c.Send("POST /api/pledges", `{"number":1,"amount":5}`, "Donor", "ann").Is(http.StatusCreated, pledge).Has("Location", "/api/pledges/ann;1")
		c.Send("POST /api/pledges", `{"donor":"bob","number":2}`, "Donor", "ann").Is(http.StatusCreated, `{"donor":"ann","number":2,"amount":0}`)
		c.Send("POST /api/pledges", `{"number":1}`, "Donor", "bob").Is(http.StatusCreated, `{"donor":"bob","number":1,"amount":0}`)
		c.Send("POST /api/pledges", `{"number":1}`, "Donor", "ann").IsProblem(http.StatusConflict)
		c.Send("POST /api/pledges", `{}`, "Donor", "ann").HasStatus(http.StatusBadRequest)
		c.Send("GET /api/pledges/ann;1", "").Is(http.StatusOK, pledge)
		c.Send("GET /api/pledges?donor=bob", "").Is(http.StatusOK, `[{"donor":"bob","number":1,"amount":0}]`)
		c.Send("POST /api/payments", `{"pledge":"/api/pledges/ann;1"}`).Is(http.StatusCreated, `{"id":1,"pledge":"/api/pledges/ann;1"}`)
		c.Send("GET /api/payments?pledge=/api/pledges/ann%3B1&expand=pledge", "").Mentions(`"amount":5`)
		c.Send("DELETE /api/pledges/ann;1", "").IsProblem(http.StatusConflict)
		c.Send("DELETE /api/pledges/ann;2", "").HasStatus(http.StatusNoContent)
	})
}

func TestAChangeKeepsTheReadonlyPartOfTheIdentifierInThePath(t *testing.T) {
	t.Parallel()
	onPledges(t, resource.Of[Pledge]{Prepare: setDonor}, func(c spec.Client) {
		c.T.Helper()
		c.Send("POST /api/pledges", `{"number":1}`, "Donor", "ann").HasStatus(http.StatusCreated)
		for _, donor := range []string{"ann", "bob", ""} {
			c.Send("PATCH /api/pledges/ann;1", `{"amount":6}`, "Donor", donor).Is(http.StatusOK, `{"donor":"ann","number":1,"amount":6}`)
			c.Send("PATCH /api/pledges/ann;1", `{"donor":"cat","amount":7}`, "Donor", donor).Is(http.StatusOK, `{"donor":"ann","number":1,"amount":7}`)
			c.Send("PUT /api/pledges/ann;1", `{"donor":"cat","amount":8}`, "Donor", donor).Is(http.StatusOK, `{"donor":"ann","number":1,"amount":8}`)
		}
		c.Send("PATCH /api/pledges/ann;1", `{"number":2}`, "Donor", "bob").IsInvalid("number", "number must be the one in the path")
		c.Send("GET /api/pledges", "").Is(http.StatusOK, `[{"donor":"ann","number":1,"amount":8}]`)
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
	spec.Alike(t, resource.Of[RuledPledge]{Prepare: func(_ context.Context, req *operation.Request, v *RuledPledge) error {
		v.Donor = req.HTTP().Header.Get("Donor")
		return nil
	}}, func(c spec.Client) {
		c.Send("POST /api/things", `{"number":1}`, "Donor", "ann").HasStatus(http.StatusCreated)
		c.Send("POST /api/things", `{"number":1}`, "Donor", "cat").IsProblem(http.StatusInternalServerError)
		c.Send("PATCH /api/things/ann;1", `{"amount":2}`, "Donor", "cat").Is(http.StatusOK, `{"donor":"ann","number":1,"amount":2}`)
	})
}

func TestAReplacingPutKeepsTheReadonlyPartOfTheIdentifier(t *testing.T) {
	t.Parallel()
	pledges := resource.Of[Pledge]{Prepare: setDonor, Operations: []operation.Operation{
		operation.Post{}, operation.Get{}, operation.Put{},
	}}
	pledges.ExtraProperties = map[string]any{"standard_put": true}
	onPledges(t, pledges, func(c spec.Client) {
		c.T.Helper()
		c.Send("POST /api/pledges", `{"number":1}`, "Donor", "ann").HasStatus(http.StatusCreated)
		c.Send("PUT /api/pledges/ann;1", `{"donor":"cat","number":1,"amount":8}`, "Donor", "bob").Is(http.StatusOK, `{"donor":"ann","number":1,"amount":8}`)
	})
}

func TestAReadonlyPartOfTheIdentifierThatIsNotSetIsAnErrorOfTheService(t *testing.T) {
	t.Parallel()
	onPledges(t, resource.Of[Pledge]{Prepare: setDonor}, func(c spec.Client) {
		c.T.Helper()
		for _, donor := range []string{"", " \t"} {
			c.Send("POST /api/pledges", `{"donor":"ann","number":1}`, "Donor", donor).IsProblem(http.StatusInternalServerError)
		}
		c.Send("POST /api/pledges", `{"number":1}`, "Donor", strings.Repeat("a", 256)).IsProblem(http.StatusInternalServerError)
		c.Send("GET /api/pledges", "").Is(http.StatusOK, `[]`)
	})
}

func TestAProcessorSetsAReadonlyPartOfTheIdentifier(t *testing.T) {
	t.Parallel()
	process := func(ctx context.Context, req *operation.Request, p *Pledge, save operation.Save[Pledge]) error {
		p.Donor = req.HTTP().Header.Get("Donor")
		return save(ctx, p)
	}
	onPledges(t, resource.Of[Pledge]{Processor: operation.Process(process)}, func(c spec.Client) {
		c.T.Helper()
		c.Send("POST /api/pledges", `{"number":1}`, "Donor", "ann").Has("Location", "/api/pledges/ann;1")
		c.Send("POST /api/pledges", `{"number":2}`).IsProblem(http.StatusInternalServerError)
		c.Send("GET /api/pledges", "").Is(http.StatusOK, `[{"donor":"ann","number":1,"amount":0}]`)
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
	)}, func(c spec.Client) {
		c.T.Helper()
		c.Send("POST /api/pledges/import", `[{"number":1},{"donor":"bob","number":2}]`, "Donor", "ann").
			Is(http.StatusOK, `[{"donor":"ann","number":1,"amount":0},{"donor":"ann","number":2,"amount":0}]`)
		c.Send("POST /api/pledges/import", `[{"donor":"bob","number":3}]`).IsProblem(http.StatusInternalServerError)
		c.Send("GET /api/pledges?donor=bob", "").Is(http.StatusOK, `[]`)
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
	test := func(c spec.Client) {
		c.T.Helper()
		c.Send("POST /api/trestles", `{"name":"first"}`).HasStatus(http.StatusCreated)
		c.Send("POST /api/trestles/1/stitches", `{"number":3}`).
			Is(http.StatusCreated, `{"trestle":"/api/trestles/1","number":3,"width":0}`).Has("Location", "/api/trestles/1/stitches/3")
		c.Send("POST /api/trestles/1/stitches", `{"trestle":"/api/trestles/9","number":4}`).
			Is(http.StatusCreated, `{"trestle":"/api/trestles/1","number":4,"width":0}`)
		c.Send("POST /api/trestles/2/stitches", `{"number":3}`).IsProblem(http.StatusNotFound)
		c.Send("PUT /api/trestles/1/stitches/3", `{"trestle":"/api/trestles/9","width":2}`).
			Is(http.StatusOK, `{"trestle":"/api/trestles/1","number":3,"width":2}`)
		c.Send("PATCH /api/trestles/1/stitches/3", `{"trestle":null,"width":3}`).
			Is(http.StatusOK, `{"trestle":"/api/trestles/1","number":3,"width":3}`)
	}
	stitches := resource.Of[Stitch]{Path: "/trestles/{trestle}/stitches"}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		test(spec.NewClient(t, resource.Config{}, stitches, resource.Of[Trestle]{}))
	})
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			kept, trestles := sqlstore.Table[Stitch](db), sqlstore.Table[Trestle](db)
			if err := db.Create(t.Context(), kept, trestles); err != nil {
				t.Fatal(err)
			}
			stored := stitches
			stored.Store = kept
			test(spec.NewClient(t, resource.Config{}, stored, resource.Of[Trestle]{Store: trestles}))
		})
	}
}

func TestNewRejectsAReadonlyPartOfTheIdentifierThatNothingSets(t *testing.T) {
	t.Parallel()
	for want, declared := range map[string]resource.Declaration{
		`nothing sets the readonly part "donor" of the identifier; set it in Prepare, or remove readonly`: resource.Of[Pledge]{
			Store: memory.New[Pledge](),
		},
		`nothing sets the readonly part "trestle" of the identifier; set it in Prepare, use a URITemplate with {trestle}, or remove readonly`: resource.Of[Stitch]{},
		`AllowCreate needs an identifier that the client sets, but its part "donor" is readonly; remove AllowCreate, and create records by Post`: resource.Of[Pledge]{
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
