package resource_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

// mug is a resource whose creation may be asked for again.
type mug struct {
	ID    int64  `json:"id"`
	Name  string `json:"name" validate:"notblank" api:"unique"`
	Fills int    `json:"fills"`
}

type sip struct {
	Size int `json:"size"`
}

func mugs() resource.Of[mug] {
	drink := func(_ context.Context, m *mug, in sip) (mug, error) {
		m.Fills -= in.Size
		return *m, nil
	}
	return resource.Of[mug]{
		Idempotency: time.Hour,
		Operations: append(operation.Standard(), operation.Post{
			Name: "drink", URITemplate: "/mugs/{id}/drink", Handler: operation.Handle(drink),
		}),
	}
}

const keyField = "Idempotency-Key"

func TestARequestWithTheSameKeyIsGivenTheFirstAnswerAgain(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, mugs())
	first := c.send("POST /api/mugs", `{"name":"a"}`, keyField, `"k1"`).hasStatus(201).has("Idempotent-Replayed", "")
	for _, key := range []string{`"k1"`, `k1`, ` k1 `} { // quoted as the draft has it, or bare
		again := c.send("POST /api/mugs", `{"name":"a"}`, keyField, key).is(201, first.body).has("Idempotent-Replayed", "true")
		for _, field := range []string{"Location", "ETag", "Content-Type", "Vary", "Content-Length", "X-Content-Type-Options"} {
			again.has(field, first.header.Get(field))
		}
	}
	c.send("PATCH /api/mugs/1", `{"name":"renamed"}`).hasStatus(200)
	c.send("POST /api/mugs", `{"name":"a"}`, keyField, "k1").is(201, first.body)
	c.send("GET /api/mugs", "").is(200, `[{"id":1,"name":"renamed","fills":0}]`)
}

func TestAKeyIsForOneRequest(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, mugs(), resource.Of[DragonTreasure]{Idempotency: time.Hour, Operations: []operation.Operation{operation.Post{}}})
	c.send("POST /api/mugs", `{"name":"a"}`, keyField, "k").hasStatus(201)
	for _, body := range []string{`{"name":"b"}`, `{"name":"a"} `, `{}`, `{`} {
		c.send("POST /api/mugs", body, keyField, "k").isProblem(422).mentions("Use a new key")
	}
	c.send("POST /api/dragon_treasures", `{"name":"ab"}`, keyField, "k").hasStatus(201) // another operation
	c.send("POST /api/mugs/1/drink", `{"size":1}`, keyField, "k").hasStatus(200)
	c.send("POST /api/mugs/1/drink", `{"size":1}`, keyField, "k").hasStatus(200)
	c.send("GET /api/mugs/1", "").is(200, `{"id":1,"name":"a","fills":-1}`)
	c.send("POST /api/mugs", `{"name":"c"}`, keyField, "K").hasStatus(201) // another key
}

func TestOnlyWhatWasSavedIsKept(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, mugs())
	c.send("POST /api/mugs", `{"name":" "}`, keyField, "k").isInvalid("name", "name must not be blank")
	c.send("POST /api/mugs", `{"name":"a"}`, keyField, "k").hasStatus(201)
	c.send("POST /api/mugs", `{"name":"a"}`, keyField, "l").isProblem(409)
	c.send("POST /api/mugs/9/drink", `{"size":1}`, keyField, "m").isProblem(404)
	c.send("POST /api/mugs/1/drink", `{"size":1}`, keyField, "m").hasStatus(200)
}

func TestWhatIsNoKeyIsRefused(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, mugs())
	for _, key := range []string{"", `""`, " ", "a b", "a\tb", "é", `"a`, `a"`, strings.Repeat("x", 256), "a\x00"} {
		c.send("POST /api/mugs", `{"name":"a"}`, keyField, key).isProblem(400).mentions(`"name":"Idempotency-Key"`)
	}
	c.send("POST /api/mugs", `{"name":"a"}`, keyField, strings.Repeat("x", 255)).hasStatus(201)
	c.send("GET /api/mugs", "", keyField, "a b").hasStatus(200)
	plain := newClient(t, resource.Config{}, resource.Of[mug]{})
	plain.send("POST /api/mugs", `{"name":"a"}`, keyField, "a b").hasStatus(201)
}

func TestARaceOfOneKeySavesOnce(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, mugs())
	const racers, keys = 8, 20
	bodies := make([][racers]string, keys)
	var all sync.WaitGroup
	for key := range keys {
		for racer := range racers {
			all.Go(func() {
				bodies[key][racer] = c.send("POST /api/mugs", fmt.Sprintf(`{"name":"%d"}`, key), keyField, fmt.Sprint("k", key)).hasStatus(201).body
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
	c.send("GET /api/mugs", "").has("X-Total-Count", fmt.Sprint(keys))
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
	c := newClient(t, resource.Config{Middleware: []func(http.Handler) http.Handler{who}}, mugs())
	for i, header := range [][]string{{"X-User", "a"}, {"X-User", "b"}, {"Authorization", "a"}, {"Authorization", "b"}, {"Cookie", "a=b"}, nil} {
		body := fmt.Sprintf(`{"name":"%d"}`, i)
		c.send("POST /api/mugs", body, append(header, keyField, "k")...).hasStatus(201).has("Idempotent-Replayed", "")
		c.send("POST /api/mugs", body, append(header, keyField, "k")...).hasStatus(201).has("Idempotent-Replayed", "true")
	}
	c.send("POST /api/mugs", `{"name":"0"}`, "X-User", "a", "Authorization", "new", keyField, "k").has("Idempotent-Replayed", "true")
}

func TestAnAnswerIsForgottenInTime(t *testing.T) {
	t.Parallel()
	of := mugs()
	of.Idempotency = 50 * time.Millisecond
	c := newClient(t, resource.Config{}, of)
	c.send("POST /api/mugs", `{"name":"a"}`, keyField, "k").hasStatus(201)
	time.Sleep(60 * time.Millisecond)
	c.send("POST /api/mugs", `{"name":"b"}`, keyField, "k").hasStatus(201).has("Idempotent-Replayed", "")
}

func TestAFailureAfterTheSaveKeepsNeither(t *testing.T) {
	t.Parallel()
	of, fails := mugs(), true
	of.Processor = operation.Process(func(ctx context.Context, _ *operation.Request, m *mug, save operation.Save[mug]) error {
		if err := save(ctx, m); err != nil || !fails {
			return err
		}
		return errors.New("the mail cannot be sent")
	})
	c := newClient(t, resource.Config{}, of)
	c.send("POST /api/mugs", `{"name":"a"}`, keyField, "k").isProblem(500)
	fails = false
	c.send("POST /api/mugs", `{"name":"a"}`, keyField, "k").hasStatus(201).has("Idempotent-Replayed", "")
	c.send("GET /api/mugs", "").has("X-Total-Count", "1")
}

func TestTheShapeOfProblemsLeavesKeysAlone(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{Errors: validation.Problem}, mugs())
	c.send("POST /api/mugs", `{"name":"a"}`, keyField, "k").hasStatus(201)
	c.send("POST /api/mugs", `{"name":"b"}`, keyField, "k").isProblem(422)
	c.send("POST /api/mugs", `{"name":""}`, keyField, "l").isProblem(422).mentions("violations")
}
