package access_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// Locker has hidden fields that only the service uses.
type Locker struct {
	ID     int64  `json:"id"`
	Owner  string `json:"owner" validate:"notblank" api:"filter,sort"`
	Digest string `json:"digest" api:"hidden,unique"`
	Tries  int    `json:"tries" api:"hidden"`
	Door   Door   `json:"door"`
}

// Door is a part of a locker.
type Door struct {
	Colour string  `json:"colour"`
	Secret *string `json:"secret" api:"hidden"`
}

// lockers counts changes in a hidden field, and hides another field from all but the owner.
func lockers(kept store.Store[Locker]) resource.Of[Locker] {
	return resource.Of[Locker]{
		Store: kept, SparseFields: true,
		Operations: append(operation.Standard(), operation.Put{
			Name: "replace", URITemplate: "/lockers/{id}/whole", ExtraProperties: map[string]any{"standard_put": true},
		}),
		Prepare: func(_ context.Context, _ *operation.Request, l *Locker) error {
			l.Digest = "digest of " + strings.ToLower(l.Owner)
			l.Door.Secret = &l.Digest
			l.Tries++
			return nil
		},
	}
}

func TestHiddenFieldsAreInNoMessage(t *testing.T) {
	t.Parallel()
	spec.InEachStore(t, func(t *testing.T, kept store.Store[Locker]) {
		t.Helper()
		formats := append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format, csv.Format)
		api, err := resource.New(resource.Config{Formats: formats}, lockers(kept))
		if err == nil {
			err = openapi.Mount(api, openapi.Config{})
		}
		if err != nil {
			t.Fatal(err)
		}
		c := spec.Client{T: t, Handler: api}
		const shown = `{"id":1,"owner":"Ann","door":{"colour":"red"}}`
		c.Send("POST /api/lockers", `{"owner":"Ann","door":{"colour":"red"}}`).Is(201, shown)
		for request, body := range map[string]string{
			"POST /api/lockers":        `{"owner":"Bob","digest":"x","door":{"secret":"x"}}`,
			"PATCH /api/lockers/1":     `{"digest":null,"door":{"secret":null}}`,
			"PUT /api/lockers/1":       `{"digest":"x","door":{"secret":"x"}}`,
			"PUT /api/lockers/1/whole": `{"owner":"Ann","digest":"digest of ann","door":{"secret":"x"}}`,
		} {
			refused := c.Send(request, body).HasStatus(400).Mentions(`"digest":`, `"door.secret":`, "Unknown field")
			if strings.Contains(refused.Body, "did you mean") {
				t.Errorf("%s: %s", request, refused.Body)
			}
		}
		c.Send("GET /api/lockers?fields=digest", "").IsProblem(400)
		c.Send("GET /api/lockers?digest=x", "").IsProblem(400)
		c.Send("GET /api/lockers?sort=tries", "").IsProblem(400)
		c.Send("PATCH /api/lockers/1", `{"door":{"colour":"blue"}}`).Is(200, `{"id":1,"owner":"Ann","door":{"colour":"blue"}}`)
		c.Send("PUT /api/lockers/1/whole", `{"owner":"ANN","door":{"colour":"red"}}`).Is(200, `{"id":1,"owner":"ANN","door":{"colour":"red"}}`)
		if l, err := kept.Get(t.Context(), int64(1)); err != nil || l.Tries != 3 || l.Digest != "digest of ann" || *l.Door.Secret != l.Digest {
			t.Errorf("the record is %+v, %v", l, err)
		}
		for _, path := range []string{
			"/api/lockers", "/api/lockers/1", "/api/lockers.ndjson", "/api/lockers.jsonld", "/api/lockers/1.jsonld", "/api/lockers.jsonhal",
			"/api/lockers/1.jsonapi", "/api/lockers.csv", "/api/docs.json", "/api/docs.jsonld", "/api/contexts/Locker",
		} {
			if got := c.Send("GET "+path, ""); strings.Contains(got.Body, "digest") || strings.Contains(got.Body, "tries") || strings.Contains(got.Body, "secret") {
				t.Errorf("%s has a hidden member: %s", path, got.Body)
			}
		}
		if taken := c.Send("POST /api/lockers", `{"owner":"ann","door":{"colour":"red"}}`).IsProblem(409); strings.Contains(taken.Body, "digest") {
			t.Errorf("a conflict tells of a hidden member: %s", taken.Body)
		}
	})
}

func TestTagsDoNotDiscloseHiddenFields(t *testing.T) {
	t.Parallel()
	tag := func(key string) string {
		c := spec.NewClient(t, resource.Config{CursorKey: []byte(key)}, lockers(nil))
		return c.Send("POST /api/lockers", `{"owner":"Ann","door":{"colour":"red"}}`).HasStatus(201).Header.Get("ETag")
	}
	if one, other := tag("0123456789abcdef"), tag("fedcba9876543210"); one == other || one != tag("0123456789abcdef") {
		t.Errorf("the tags are %s and %s; want keyed ones", one, other)
	}
}

func TestAccessRulesSeeHiddenFields(t *testing.T) {
	t.Parallel()
	declared := lockers(nil)
	declared.Access = access.Rules{Read: access.Where("digest", "digest of ann"), Create: access.Public, Update: access.Public, Delete: access.Public}
	c := spec.NewClient(t, resource.Config{}, declared)
	c.Send("POST /api/lockers", `{"owner":"Ann","door":{"colour":"red"}}`).HasStatus(201)
	c.Send("POST /api/lockers", `{"owner":"Bob","door":{"colour":"red"}}`).HasStatus(201)
	c.Send("GET /api/lockers", "").HasStatus(200).Has("X-Total-Count", "1").Mentions("Ann")
	c.Send("GET /api/lockers/2", "").IsProblem(404)
}

func TestMistakesInHiddenFields(t *testing.T) {
	t.Parallel()
	type secret struct {
		ID   int64  `json:"id" api:"id"`
		A    string `json:"a" api:"hidden,filter,sort"`
		B    string `json:"b" api:"hidden,readonly"`
		C    string `json:"c" api:"hidden,createonly"`
		D    string `json:"d" api:"hidden"`
		Last string `json:"last" api:"hiden"`
	}
	type keyed struct {
		Key string `json:"key" api:"id,hidden"`
	}
	_, err := resource.New(resource.Config{},
		resource.Of[secret]{}, resource.Of[keyed]{},
		resource.Of[Locker]{View: &operation.View{Name: "Card", Fields: []string{"digest"}}, Access: access.Rules{
			Fields: map[string]access.Field{"tries": {Read: access.Public}},
		}})
	for _, want := range []string{
		`secret.A: a hidden field cannot have the word "filter"; allowed: hidden, password, unique, index, ref, ondelete`, `secret.A: a hidden field cannot have the word "sort"; allowed: hidden, password, unique, index, ref, ondelete`,
		`secret.B: a hidden field cannot have the word "readonly"; allowed: hidden, password, unique, index, ref, ondelete`, `secret.C: a hidden field cannot have the word "createonly"; allowed: hidden, password, unique, index, ref, ondelete`,
		`"hiden"`, `did you mean "hidden"?`, `keyed.Key: a hidden field cannot have the word "id"; allowed: hidden, password, unique, index, ref, ondelete`,
		`View "Card": the field "digest" is hidden`, `View "Card": the field "digest" is hidden`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the mistakes are %v, want %s among them", err, want)
		}
	}
}
