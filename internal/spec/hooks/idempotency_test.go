package hooks_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/validation"
)

func TestARequestWithTheSameKeyGetsTheFirstResponse(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, spec.Mugs())
	first := c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, `"k1"`).HasStatus(201).Has("Idempotent-Replayed", "")
	for _, key := range []string{`"k1"`, `k1`, ` k1 `} { // quoted as the draft has it, or bare
		again := c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, key).Is(201, first.Body).Has("Idempotent-Replayed", "true")
		for _, field := range []string{"Location", "ETag", "Content-Type", "Vary", "Content-Length", "X-Content-Type-Options"} {
			again.Has(field, first.Header.Get(field))
		}
	}
	c.Send("PATCH /api/mugs/1", `{"name":"renamed"}`).HasStatus(200)
	c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, "k1").Is(201, first.Body)
	c.Send("GET /api/mugs", "").Is(200, `[{"id":1,"name":"renamed","fills":0}]`)
}

func TestAKeyIsForOneRequest(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, spec.Mugs(), resource.Of[spec.DragonTreasure]{Idempotency: time.Hour, Operations: []operation.Operation{operation.Post{}}})
	c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, "k").HasStatus(201)
	for _, body := range []string{`{"name":"b"}`, `{"name":"a"} `, `{}`, `{`} {
		c.Send("POST /api/mugs", body, spec.KeyField, "k").IsProblem(422).Mentions("Use a new key")
	}
	c.Send("POST /api/dragon_treasures", `{"name":"ab"}`, spec.KeyField, "k").HasStatus(201) // another operation
	c.Send("POST /api/mugs/1/drink", `{"size":1}`, spec.KeyField, "k").HasStatus(200)
	c.Send("POST /api/mugs/1/drink", `{"size":1}`, spec.KeyField, "k").HasStatus(200)
	c.Send("GET /api/mugs/1", "").Is(200, `{"id":1,"name":"a","fills":-1}`)
	c.Send("POST /api/mugs", `{"name":"c"}`, spec.KeyField, "K").HasStatus(201) // another key
}

func TestOnlyResponsesOfSavedRecordsAreStored(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, spec.Mugs())
	c.Send("POST /api/mugs", `{"name":" "}`, spec.KeyField, "k").IsInvalid("name", "name must not be blank")
	c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, "k").HasStatus(201)
	c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, "l").IsProblem(409)
	c.Send("POST /api/mugs/9/drink", `{"size":1}`, spec.KeyField, "m").IsProblem(404)
	c.Send("POST /api/mugs/1/drink", `{"size":1}`, spec.KeyField, "m").HasStatus(200)
}

func TestInvalidKeysAreRejected(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, spec.Mugs())
	for _, key := range []string{"", `""`, " ", "a b", "a\tb", "é", `"a`, `a"`, strings.Repeat("x", 256), "a\x00"} {
		c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, key).IsProblem(400).Mentions(`"name":"Idempotency-Key"`)
	}
	c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, strings.Repeat("x", 255)).HasStatus(201)
	c.Send("GET /api/mugs", "", spec.KeyField, "a b").HasStatus(200)
	plain := spec.NewClient(t, resource.Config{}, resource.Of[spec.Mug]{})
	plain.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, "a b").HasStatus(201)
}

func TestARaceOfOneKeySavesOnce(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, spec.Mugs())
	const racers, keys = 8, 20
	bodies := make([][racers]string, keys)
	var all sync.WaitGroup
	for key := range keys {
		for racer := range racers {
			all.Go(func() {
				bodies[key][racer] = c.Send("POST /api/mugs", fmt.Sprintf(`{"name":"%d"}`, key), spec.KeyField, fmt.Sprint("k", key)).HasStatus(201).Body
			})
		}
	}
	all.Wait()
	for key, answers := range bodies {
		for _, body := range answers {
			if body != answers[0] {
				t.Errorf("key %d is answered %s and %s", key, answers[0], body)
			}
		}
	}
	c.Send("GET /api/mugs", "").Has("X-Total-Count", fmt.Sprint(keys))
}

func TestClientsDoNotShareKeys(t *testing.T) {
	t.Parallel()
	who := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if name := r.Header.Get("X-User"); name != "" {
				r = r.WithContext(operation.WithPrincipal(r.Context(), name))
			}
			next.ServeHTTP(w, r)
		})
	}
	c := spec.NewClient(t, resource.Config{Middleware: []func(http.Handler) http.Handler{who}}, spec.Mugs())
	for i, header := range [][]string{{"X-User", "a"}, {"X-User", "b"}, {"Authorization", "a"}, {"Authorization", "b"}, {"Cookie", "a=b"}, nil} {
		body := fmt.Sprintf(`{"name":"%d"}`, i)
		c.Send("POST /api/mugs", body, append(header, spec.KeyField, "k")...).HasStatus(201).Has("Idempotent-Replayed", "")
		c.Send("POST /api/mugs", body, append(header, spec.KeyField, "k")...).HasStatus(201).Has("Idempotent-Replayed", "true")
	}
	c.Send("POST /api/mugs", `{"name":"0"}`, "X-User", "a", "Authorization", "new", spec.KeyField, "k").Has("Idempotent-Replayed", "true")
}

func TestAStoredResponseExpires(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		of := spec.Mugs()
		of.Idempotency = time.Hour
		c := spec.NewClient(t, resource.Config{}, of)
		c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, "k").HasStatus(201)
		time.Sleep(time.Hour - time.Second)
		c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, "k").HasStatus(201).Has("Idempotent-Replayed", "true")
		time.Sleep(time.Second)
		c.Send("POST /api/mugs", `{"name":"b"}`, spec.KeyField, "k").HasStatus(201).Has("Idempotent-Replayed", "")
	})
}

func TestAFailureAfterTheSaveKeepsNeither(t *testing.T) {
	t.Parallel()
	of, fails := spec.Mugs(), true
	of.Processor = operation.Process(func(ctx context.Context, _ *operation.Request, m *spec.Mug, save operation.Save[spec.Mug]) error {
		if err := save(ctx, m); err != nil || !fails {
			return err
		}
		return errors.New("the mail cannot be sent")
	})
	c := spec.NewClient(t, resource.Config{}, of)
	c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, "k").IsProblem(500)
	fails = false
	c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, "k").HasStatus(201).Has("Idempotent-Replayed", "")
	c.Send("GET /api/mugs", "").Has("X-Total-Count", "1")
}

func TestTheShapeOfProblemsLeavesKeysAlone(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{Errors: validation.Problem}, spec.Mugs())
	c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, "k").HasStatus(201)
	c.Send("POST /api/mugs", `{"name":"b"}`, spec.KeyField, "k").IsProblem(422)
	c.Send("POST /api/mugs", `{"name":""}`, spec.KeyField, "l").IsProblem(422).Mentions("violations")
}

func TestAStoredResponseDoesNotTellWhatItsRequestHad(t *testing.T) {
	t.Parallel()
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			table, mugs := sqlstore.Table[spec.Mug](db), spec.Mugs()
			if mugs.Store = table; db.Create(t.Context(), table, db.Responses()) != nil {
				t.Fatal("the tables cannot be created")
			}
			c := spec.NewClient(t, resource.Config{}, mugs)
			c.Send("POST /api/mugs", `{"name":"a"}`).HasStatus(201)
			for _, key := range []string{"k", "l"} {
				c.Send("POST /api/mugs/1/drink", `{"size":1}`, spec.KeyField, key).HasStatus(200)
			}
			rows, err := db.Query(t.Context(), "SELECT DISTINCT request FROM trove_responses")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = rows.Close() }()
			if rows.Next(); !rows.Next() {
				t.Errorf("equal requests with two keys have one hash, which can be guessed without a key (%v)", rows.Err())
			}
		})
	}
}
