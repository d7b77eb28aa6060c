package access_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/middleware"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// Sailor is a user with a password.
type Sailor struct {
	Name     string `json:"name" api:"id"`
	Rank     int    `json:"rank"`
	Password string `json:"password" api:"password"`
}

// keeper is a store of a program's own, which keeps every record as it is.
type keeper struct {
	mu      sync.Mutex
	sailors map[any]Sailor
}

func (k *keeper) Get(_ context.Context, id any) (*Sailor, error) {
	sailor, ok := k.sailors[id]
	if !ok {
		return nil, store.ErrNotFound
	}
	return &sailor, nil
}

func (k *keeper) List(context.Context, store.Query) (store.Page[Sailor], error) {
	return store.Page[Sailor]{}, errors.ErrUnsupported
}

func (k *keeper) Transact(ctx context.Context, fn func(context.Context, store.Tx[Sailor]) error) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return fn(ctx, k)
}

func (k *keeper) Insert(_ context.Context, s *Sailor) error {
	k.sailors[s.Name] = *s
	return nil
}
func (k *keeper) Update(ctx context.Context, _ any, s *Sailor) error { return k.Insert(ctx, s) }
func (k *keeper) Delete(_ context.Context, id any) error {
	delete(k.sailors, id)
	return nil
}

// sailors declares a resource whose hook forgets to hash, and handlers that write what the client sends.
func sailors(of store.Store[Sailor]) resource.Of[Sailor] {
	type order struct {
		Password string `json:"password"`
	}
	save := func(ctx context.Context, in []operation.CreateOf[Sailor]) error {
		for _, each := range in {
			if _, err := each.Save(ctx); err != nil {
				return err
			}
		}
		return nil
	}
	return resource.Of[Sailor]{
		Store: of, BeforeTransaction: func(context.Context, *operation.Request, *Sailor) error { return nil },
		Operations: append(operation.Standard(),
			operation.Put{Name: "station", URITemplate: "/stations/{name}", AllowCreate: true},
			operation.Post{Name: "enlist", URITemplate: "/enlist", Handler: operation.Handle(func(ctx context.Context, _ *Sailor, in Sailor) (struct{}, error) {
				return struct{}{}, store.Insert(ctx, of, &in)
			})},
			operation.Post{Name: "muster", URITemplate: "/muster", Handler: operation.Handle(
				func(ctx context.Context, _ *Sailor, in []operation.CreateOf[Sailor]) (struct{}, error) {
					return struct{}{}, save(ctx, in)
				})},
			operation.Post{Name: "order", URITemplate: "/sailors/{name}/order", Handler: operation.Handle(
				func(_ context.Context, s *Sailor, in order) (struct{}, error) {
					s.Password = in.Password
					return struct{}{}, nil
				})},
			operation.Post{Name: "press", URITemplate: "/sailors/{name}/press", Handler: operation.Handle(
				func(ctx context.Context, s *Sailor, in order) (struct{}, error) {
					return struct{}{}, store.Update(ctx, of, s.Name, func(s *Sailor) error { s.Password = in.Password; return nil })
				})},
		),
	}
}

func TestStoresKeepOnlyHashesOfPasswords(t *testing.T) {
	t.Parallel()
	hasher := &password.Hasher{Memory: 8, Passes: 1}
	hash, err := hasher.Hash(t.Context(), "correct horse")
	if err != nil {
		t.Fatal(err)
	}
	all := spec.Stores[Sailor](t)
	all["a wrapper"] = struct{ store.Store[Sailor] }{spec.Stores[Sailor](t)["memory"]}
	all["a store of the program's"] = &keeper{sailors: map[any]Sailor{}}
	for name, of := range all {
		t.Run(name, func(t *testing.T) {
			c := spec.NewClient(t, resource.Config{}, sailors(of))
			c.Send("POST /api/sailors", `{"name":"ann","password":""}`).HasStatus(201) // no password
			for _, plain := range []string{"correct horse", " ", hash + " ", strings.Replace(hash, "argon2id", "argon2i", 1), "$2y$10$abcdefghijklmnopqrstuv"} {
				for _, request := range []string{
					"POST /api/sailors", "POST /api/enlist", "POST /api/muster", "PUT /api/stations/bob",
					"PATCH /api/sailors/ann", "PUT /api/sailors/ann", "POST /api/sailors/ann/order", "POST /api/sailors/ann/press",
				} {
					if _, own := of.(*keeper); own && (request == "POST /api/enlist" || strings.HasSuffix(request, "/press")) {
						continue // the handler writes to its own store
					}
					body := `{"name":"` + map[bool]string{true: "ann", false: "bob"}[strings.Contains(request, "ann")] + `","password":"` + plain + `"}`
					switch {
					case strings.HasSuffix(request, "muster"):
						body = "[" + body + "]"
					case strings.HasSuffix(request, "/order"), strings.HasSuffix(request, "/press"):
						body = `{"password":"` + plain + `"}`
					}
					if got := c.Send(request, body); got.Status != 500 || strings.Contains(got.Body, plain) && plain != " " {
						t.Errorf("%s with the password %q returns %d: %s", request, plain, got.Status, got.Body)
					}
				}
			}
			if _, err := of.Get(t.Context(), "bob"); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("bob is stored: %v", err)
			}
			if ann, err := of.Get(t.Context(), "ann"); err != nil || ann.Password != "" {
				t.Errorf("ann is %+v, %v", ann, err)
			}
			c.Send("POST /api/sailors/ann/order", `{"password":"`+hash+`"}`).HasStatus(204) // what the program writes
			c.Send("PATCH /api/sailors/ann", `{"rank":2}`).HasStatus(200)
		})
	}
}

func TestClientsCannotSendTheHashOfAPassword(t *testing.T) {
	t.Parallel()
	hash, err := (&password.Hasher{Memory: 8, Passes: 1}).Hash(t.Context(), "correct horse")
	if err != nil {
		t.Fatal(err)
	}
	of := memory.New(Sailor{Name: "ann"})
	declared := sailors(of)
	declared.Operations = append(declared.Operations, operation.Patch{Name: "change", URITemplate: "/sailors", Handler: operation.Handle(
		func(ctx context.Context, _ *Sailor, in []operation.PatchOf[Sailor]) (struct{}, error) {
			for _, each := range in {
				if _, err := each.Save(ctx); err != nil {
					return struct{}{}, err
				}
			}
			return struct{}{}, nil
		})})
	config := resource.Config{Formats: append(format.Standard(), jsonapi.Format, csv.Format), Logger: slog.New(slog.DiscardHandler)}
	api, err := resource.New(config, declared)
	if err == nil {
		err = mcp.Mount(api, mcp.Config{With: []string{"createSailor"}})
	}
	if err != nil {
		t.Fatal(err)
	}
	c := spec.Client{T: t, Handler: api}
	const message = "must be a password, not the hash of one"
	body := `{"name":"ann","password":"` + hash + `"}`
	escaped := strings.ReplaceAll(body, "$", "\u0024")
	for request, bodies := range map[string][]string{
		"POST /api/sailors":      {body, escaped},
		"PUT /api/sailors/ann":   {body, escaped},
		"PUT /api/stations/bob":  {strings.Replace(body, "ann", "bob", 1)},
		"PATCH /api/sailors/ann": {body, escaped},
		"POST /api/enlist":       {body},
		"POST /api/muster":       {"[" + body + "]"},
		"PATCH /api/sailors":     {"[" + body + "]"},
	} {
		for _, body := range bodies {
			c.Send(request, body).HasStatus(400).Mentions("password " + message).Lacks(hash)
		}
	}
	c.Send("POST /api/sailors", `{"data":{"type":"sailors","id":"bob","attributes":{"password":"`+hash+`"}}}`, "Content-Type", "application/vnd.api+json").HasStatus(400).Mentions(message)
	c.Send("POST /api/muster", "name,password\r\nbob,\""+hash+"\"\r\n", "Content-Type", "text/csv").HasStatus(400).Mentions(message)
	c.Send("POST /mcp", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"createSailor","arguments":`+body+`}}`,
		"Accept", "application/json, text/event-stream").Mentions(message)
	page, err := of.List(t.Context(), store.Query{})
	if err != nil || len(page.Items) != 1 || page.Items[0].Password != "" {
		t.Errorf("the store has %+v, %v", page.Items, err)
	}
}

// signIn is the body of a sign-in operation.
type signIn struct {
	Name     string `json:"name"`
	Password string `json:"password"`
}

// A client that must wait learns how long in the fields of middleware.Rate, and the log has what happened: without the
// name and the password.
func TestTheLimitOfGuessesIsToldToClientsAndLogged(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	members := memory.New[Sailor]()
	accounts := &password.Accounts[Sailor]{
		Store: members, Name: "name", Password: func(s *Sailor) *string { return &s.Password }, Hasher: &password.Hasher{Memory: 8, Passes: 1},
	}
	login := operation.Post{Name: "login", URITemplate: "/login", Access: access.Public, Anonymous: true, Handler: operation.Handle(
		func(ctx context.Context, _ *Sailor, in signIn) (int, error) {
			_, err := accounts.Verify(ctx, in.Name, in.Password)
			return 0, err
		})}
	api, err := resource.New(resource.Config{
		Authentication: []access.Scheme{accounts.Basic("login")}, Logger: slog.New(slog.NewTextHandler(&log, nil)),
		Middleware: []func(http.Handler) http.Handler{middleware.Rate(1000)},
	}, resource.Of[Sailor]{Store: members, BeforeTransaction: accounts.Hash, Access: access.Only(access.Public), Operations: append(operation.Standard(), login)})
	if err == nil {
		err = mcp.Mount(api, mcp.Config{})
	}
	if err != nil {
		t.Fatal(err)
	}
	c := spec.Client{T: t, Handler: api}
	credentials := []string{"Authorization", "Basic YW5uOndyb25nIGhvcnNl", "Accept", "application/json, text/event-stream"} // ann:wrong horse
	for range 10 {
		c.Send("GET /api/sailors", "", credentials...).IsProblem(http.StatusUnauthorized)
	}
	for request, body := range map[string]string{
		"GET /api/sailors": "", "POST /mcp": `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "POST /api/login": `{"name":"ann","password":"wrong horse"}`,
	} {
		log.Reset()
		header := credentials
		if strings.HasSuffix(request, "login") {
			header = nil
		}
		before := time.Now()
		got := c.Send(request, body, header...).IsProblem(http.StatusTooManyRequests).Has("X-RateLimit-Remaining", "0")
		wait, err := strconv.ParseInt(got.Header.Get("Retry-After"), 10, 64)
		if err != nil || wait < 1 || wait > 300 {
			t.Errorf("%s: Retry-After is %q", request, got.Header.Get("Retry-After"))
		}
		if reset, err := strconv.ParseInt(got.Header.Get("X-Ratelimit-Reset"), 10, 64); err != nil || reset < before.Unix()+wait || reset > time.Now().Unix()+wait+1 {
			t.Errorf("%s: X-RateLimit-Reset is %q at %d", request, got.Header.Get("X-Ratelimit-Reset"), before.Unix())
		}
		if text := log.String(); !strings.Contains(text, "level=INFO") || !strings.Contains(text, `msg="access denied"`) ||
			!strings.Contains(text, `because="Too many wrong user names or passwords. Try again later."`) || strings.Contains(text, "ann") || strings.Contains(text, "horse") {
			t.Errorf("%s: the log has %s", request, text)
		}
	}
}
