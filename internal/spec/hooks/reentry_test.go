package hooks_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// onSQLite returns an empty table in a database of the test's own.
func onSQLite(t *testing.T) *sqlstore.Store[spec.Programmer] {
	t.Helper()
	_, s := database(t)
	return s
}

func database(t *testing.T) (*sqlstore.DB, *sqlstore.Store[spec.Programmer]) {
	t.Helper()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "programmers.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	s := sqlstore.Table[spec.Programmer](db)
	if err := db.Create(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	return db, s
}

// within serves requests whose contexts end, so that a test of what hangs ends too.
func within(limit time.Duration) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithTimeout(r.Context(), limit)
			defer cancel()
			next.ServeHTTP(w, r.WithContext(ctx))
		})
	}
}

// praising changes one record, in a transaction of a store.
func praising(s store.Store[spec.Programmer], nickname string) func(context.Context) error {
	return func(ctx context.Context) error {
		return s.Transact(ctx, func(ctx context.Context, tx store.Tx[spec.Programmer]) error {
			found, err := tx.Get(ctx, nickname)
			if err != nil {
				return err
			}
			found.TagLine += "!"
			return tx.Update(ctx, nickname, found)
		})
	}
}

// hooked declares a resource with a hook that does something with a context.
func hooked(hook string, s store.Store[spec.Programmer], run func(hooks context.Context, request *http.Request) error) resource.Of[spec.Programmer] {
	declared := resource.Of[spec.Programmer]{Store: s}
	switch hook {
	case "Prepare":
		declared.Prepare = func(ctx context.Context, req *operation.Request, _ *spec.Programmer) error {
			return run(ctx, req.HTTP())
		}
	case "Processor":
		declared.Processor = operation.Process(func(ctx context.Context, req *operation.Request, p *spec.Programmer, save operation.Save[spec.Programmer]) error {
			if req.Kind == operation.KindPost {
				return save(ctx, p)
			}
			if err := run(ctx, req.HTTP()); err != nil {
				return err
			}
			return save(ctx, p)
		})
	case "Handler":
		declared.Operations = append(operation.Standard(), operation.Post{
			Name: "wave", URITemplate: "/programmers/{nickname}/wave",
			Handler: operation.Handle(func(ctx context.Context, _ *spec.Programmer, _ struct{}) (struct{}, error) {
				req, _ := operation.RequestFrom(ctx)
				return struct{}{}, run(ctx, req.HTTP())
			}),
		})
	}
	return declared
}

func TestAHookThatTransactsWithTheContextOfItsRequestFailsAtOnce(t *testing.T) {
	t.Parallel()
	requests := map[string]string{
		"Prepare": "PATCH /api/programmers/ada", "Processor": "PATCH /api/programmers/ada", "Handler": "POST /api/programmers/ada/wave",
	}
	for name, made := range map[string]func(*testing.T) store.Store[spec.Programmer]{
		"in memory": func(*testing.T) store.Store[spec.Programmer] { return memory.New[spec.Programmer]() },
		"on SQLite": func(t *testing.T) store.Store[spec.Programmer] {
			t.Helper()
			return onSQLite(t)
		},
	} {
		for hook, request := range requests {
			for _, other := range []string{"ada", "bob"} {
				t.Run(fmt.Sprintf("%s, %s, of %s", name, hook, other), func(t *testing.T) {
					t.Parallel()
					s, log := made(t), &bytes.Buffer{}
					seed(t, s, "ada", "bob")
					runs := 0
					c := spec.NewClient(t, resource.Config{
						Logger:     slog.New(slog.NewTextHandler(log, nil)),
						Middleware: []func(http.Handler) http.Handler{within(20 * time.Second)},
					}, hooked(hook, s, func(hooks context.Context, r *http.Request) error {
						runs++
						if runs == 1 {
							return praising(s, other)(r.Context())
						}
						return praising(s, other)(hooks)
					}))
					body := `{"avatarNumber":1}`
					if hook == "Handler" {
						body = ""
					}
					c.Send(request, body).IsProblem(500)
					if !strings.Contains(log.String(), "pass the context of the hook to Transact") {
						t.Errorf("the log does not say what to do: %s", log)
					}
					if status := c.Send(request, body).Status; status >= 300 {
						t.Errorf("with the hook's own context the status is %d: %s", status, log)
					}
					c.Send("PUT /api/programmers/bob", `{"avatarNumber":2}`)
					if hook == "Handler" || other == "bob" {
						c.Send("GET /api/programmers/"+other, "").HasStatus(200).Mentions(`"tagLine":"!`)
					}
				})
			}
		}
	}
}

func seed(t *testing.T, s store.Store[spec.Programmer], nicknames ...string) {
	t.Helper()
	for _, nickname := range nicknames {
		err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[spec.Programmer]) error {
			return tx.Insert(ctx, &spec.Programmer{Nickname: nickname})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestAHandlerThatHasNoTransactionBeginsAsManyAsItWants(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	seed(t, s, "ada")
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Programmer]{Store: s, Operations: []operation.Operation{
		operation.Get{},
		operation.Get{
			Name: "praise", URITemplate: "/programmers/{nickname}/praise",
			Handler: operation.Handle(func(ctx context.Context, _ *spec.Programmer, _ struct{}) (struct{}, error) {
				req, _ := operation.RequestFrom(ctx)
				first, ended := make(chan struct{}), make(chan error, 1)
				go func() {
					<-first
					ended <- praising(s, "ada")(ctx)
				}()
				err := s.Transact(ctx, func(context.Context, store.Tx[spec.Programmer]) error {
					close(first)
					return nil
				})
				if err == nil {
					err = praising(s, "ada")(req.HTTP().Context())
				}
				if waited := <-ended; err == nil {
					err = waited
				}
				return struct{}{}, err
			}),
		},
	}})
	c.Send("GET /api/programmers/ada/praise", "").HasStatus(204)
	c.Send("GET /api/programmers/ada", "").HasStatus(200).Mentions(`"tagLine":"!!"`)
}

func TestWhatARequestLeftBehindTransactsWhenItHasEnded(t *testing.T) {
	t.Parallel()
	s := memory.New(spec.Programmer{Nickname: "ada"}, spec.Programmer{Nickname: "bob"})
	left := make(chan context.Context, 1)
	c := spec.NewClient(t, resource.Config{}, hooked("Prepare", s, func(_ context.Context, r *http.Request) error {
		left <- context.WithoutCancel(r.Context())
		return nil
	}))
	c.Send("PATCH /api/programmers/ada", `{"avatarNumber":1}`).HasStatus(200)
	later := <-left
	if err := praising(s, "ada")(later); err != nil {
		t.Error(err)
	}
	ended := make(chan error, 1)
	err := s.Transact(later, func(context.Context, store.Tx[spec.Programmer]) error {
		go func() { ended <- praising(s, "bob")(later) }()
		return nil
	})
	if err := errors.Join(err, <-ended); err != nil {
		t.Error(err)
	}
}

func TestAHookThatWritesOutsideItsTransactionOnSQLiteFailsAtOnce(t *testing.T) {
	t.Parallel()
	db, s := database(t)
	seed(t, s, "ada")
	log := &bytes.Buffer{}
	for name, test := range map[string]struct {
		chosen func(hooks context.Context, r *http.Request) context.Context
		advice string
	}{
		"with the context of its request": {func(_ context.Context, r *http.Request) context.Context { return r.Context() }, "pass the context of the hook to Transact"},
		"with its own context":            {func(hooks context.Context, _ *http.Request) context.Context { return hooks }, "use the executor of sqlstore.Tx"},
	} {
		c := spec.NewClient(t, resource.Config{
			Logger:     slog.New(slog.NewTextHandler(log, nil)),
			Middleware: []func(http.Handler) http.Handler{within(20 * time.Second)},
		}, hooked("Prepare", s, func(hooks context.Context, r *http.Request) error {
			_, err := db.Exec(test.chosen(hooks, r), "UPDATE programmers SET tag_line = 'beside'")
			return err
		}))
		c.Send("PATCH /api/programmers/ada", `{"avatarNumber":1}`).IsProblem(500)
		if !strings.Contains(log.String(), test.advice) {
			t.Errorf("%s: the log does not say what to do: %s", name, log)
		}
	}
}

func TestAHookTransactsInOtherStoresAsItWants(t *testing.T) {
	t.Parallel()
	s, other := memory.New(spec.Programmer{Nickname: "ada"}), onSQLite(t)
	seed(t, other, "ada")
	c := spec.NewClient(t, resource.Config{}, hooked("Prepare", s, func(_ context.Context, r *http.Request) error {
		errs := make(chan error, 8)
		for range cap(errs) {
			go func() { errs <- praising(other, "ada")(r.Context()) }()
		}
		for range cap(errs) {
			if err := <-errs; err != nil {
				return err
			}
		}
		return nil
	}))
	c.Send("PATCH /api/programmers/ada", `{"avatarNumber":1}`).HasStatus(200)
	if found, err := other.Get(t.Context(), "ada"); err != nil || found.TagLine != "!!!!!!!!" {
		t.Errorf("%+v, %v", found, err)
	}
}
