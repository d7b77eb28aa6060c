package accesstest_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/accesstest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

var _ = flag.Bool("update", false, "write golden files")

func TestMatrix(t *testing.T) {
	t.Parallel()
	accesstest.Matrix(t, newHoard().api(t), "testdata/access.golden", everyone, records)
}

func TestTheTableOfADatabaseIsTheSame(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Open(":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	users, treasures := sqlstore.Table[user](db), sqlstore.Table[treasure](db)
	if err := db.Create(t.Context(), users, treasures); err != nil {
		t.Fatal(err)
	}
	fill(t, users, people)
	fill(t, treasures, hoarded)
	h := newHoard()
	h.users.Store, h.treasures.Store = users, treasures
	accesstest.Matrix(t, h.api(t), "testdata/access.golden", everyone, records)
}

// fill saves records in a store.
func fill[T any](t *testing.T, into store.Store[T], records []T) {
	t.Helper()
	err := into.Transact(t.Context(), func(ctx context.Context, tx store.Tx[T]) error {
		for i := range records {
			if err := tx.Insert(ctx, new(records[i])); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// recorder notes what a test would report.
type recorder struct {
	testing.TB

	complaints []string
}

func (*recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.complaints = append(r.complaints, fmt.Sprintf(format, args...))
}

// complaintsOf returns the errors that Matrix reports for an API.
func complaintsOf(t *testing.T, h *hoard, callers accesstest.Callers, of accesstest.Records) string {
	t.Helper()
	errs := &recorder{TB: t}
	accesstest.Matrix(errs, h.api(t), "testdata/access.golden", callers, of)
	return strings.Join(errs.complaints, "\n")
}

// changing returns a middleware that changes responses.
func changing(change func(r *http.Request, w *httptest.ResponseRecorder)) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			answer := httptest.NewRecorder()
			next.ServeHTTP(answer, r)
			change(r, answer)
			maps.Copy(w.Header(), answer.Header())
			w.WriteHeader(answer.Code)
			_, _ = w.Write(answer.Body.Bytes())
		})
	}
}

func TestDifferencesFailTheTest(t *testing.T) {
	t.Parallel()
	if isUpdating() {
		t.Skip("the table is being written")
	}
	for name, test := range map[string]struct {
		change  func(*hoard)
		callers accesstest.Callers
		records accesstest.Records
		want    []string
	}{
		"a new operation is named": {
			change: func(h *hoard) {
				h.treasures.Operations = append(h.treasures.Operations, operation.Get{Name: "peek", URITemplate: "/peek/{id}"})
			},
			want: []string{"peekTreasure is new: the table does not say who can call it"},
		},
		"a hidden operation is no exception": {
			change: func(h *hoard) {
				h.treasures.Operations = append(h.treasures.Operations, operation.Delete{Name: "burn", URITemplate: "/burn/{id}", Access: access.Public, Hidden: true})
			},
			want: []string{"burnTreasure is new: the table does not say who can call it"},
		},
		"a removed operation": {
			change: func(h *hoard) { h.users.Operations = operation.Standard()[:4] },
			want:   []string{"patchUser no longer exists", "deleteUser no longer exists"},
		},
		"a rule that allows more": {
			change: func(h *hoard) { h.treasures.Access.Read = access.Public },
			want:   []string{"getTreasure draft: bob gets 200, want 404"},
		},
		"a rule that allows less": {
			change: func(h *hoard) { h.treasures.Access.Delete = access.All(admin, owner) },
			want:   []string{"deleteTreasure published: root gets 403, want 204 (admin: yes, owner: no)"},
		},
		"a condition on the state of the record": {
			change: func(h *hoard) { h.treasures.Operations[4] = operation.Patch{When: published} },
			want:   []string{"patchTreasure draft: ann gets 409, want 200 (published: no)"},
		},
		"another caller": {callers: everyone[:3], want: []string{"the callers are anonymous, ann, bob, want anonymous, ann, bob, root, ann-reader"}},
		"another record": {
			records: accesstest.Records{"User": records["User"], "Treasure": {"published": "1", "draft": "2", "third": "3"}},
			want:    []string{"getTreasure third is new", "getTreasure bobs no longer exists"},
		},
		"a missing record": {
			records: accesstest.Records{"User": records["User"], "Treasure": {"published": "9"}},
			want:    []string{`the record "published" of Treasure cannot be read`},
		},
		"an invalid identifier": {
			records: accesstest.Records{"User": records["User"], "Treasure": {"published": "x"}},
			want:    []string{`the record "published" of Treasure: "x" is not a valid identifier`},
		},
		"a resource without records": {
			records: accesstest.Records{"User": records["User"], "Tresure": {"a": "1"}},
			want:    []string{`Records has the resource "Tresure", which does not exist; allowed: User, Treasure`, "Records has no Treasure, but getTreasure needs one"},
		},
		"two callers of one name": {callers: accesstest.Callers{as("ann"), as("ann")}, want: []string{`two callers have the name "ann"`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHoard()
			if test.change != nil {
				test.change(h)
			}
			if test.callers == nil {
				test.callers = everyone
			}
			if test.records == nil {
				test.records = records
			}
			got := complaintsOf(t, h, test.callers, test.records)
			for _, want := range test.want {
				if !strings.Contains(got, want) {
					t.Errorf("the errors lack %q:\n%s", want, got)
				}
			}
		})
	}
}

func TestLeaksFailTheTest(t *testing.T) {
	t.Parallel()
	if isUpdating() {
		t.Skip("the table is being written")
	}
	for name, test := range map[string]struct {
		change func(*hoard)
		want   string
	}{
		"a hidden record with another body": {func(h *hoard) {
			h.config.Middleware = append(h.config.Middleware, changing(func(r *http.Request, w *httptest.ResponseRecorder) {
				if strings.HasSuffix(r.URL.Path, "/2") && w.Code == http.StatusNotFound {
					w.Body.WriteString(" ")
				}
			}))
		}, "reveals a hidden record"},
		"a hidden record with another header field": {func(h *hoard) {
			h.config.Middleware = append(h.config.Middleware, changing(func(r *http.Request, w *httptest.ResponseRecorder) {
				if strings.HasSuffix(r.URL.Path, "/2") {
					w.Header().Set("ETag", `"x"`)
				}
			}))
		}, "getTreasure draft as anonymous reveals a hidden record"},
		"a condition that is checked first": {func(h *hoard) {
			h.config.Middleware = append(h.config.Middleware, changing(func(r *http.Request, w *httptest.ResponseRecorder) {
				if r.Method == http.MethodPatch && strings.HasSuffix(r.URL.Path, "/2") && r.Header.Get("If-Match") != "" {
					w.Code = http.StatusPreconditionFailed
				}
			}))
		}, "patchTreasure draft as anonymous reveals a hidden record: 412"},
		"a failed request that saves": {func(h *hoard) {
			h.config.Middleware = append(h.config.Middleware, changing(func(r *http.Request, w *httptest.ResponseRecorder) {
				if r.Method == http.MethodDelete {
					w.Code = http.StatusForbidden
				}
			}))
		}, "deleteTreasure bobs as root returns 403, but saves 1 changes"},
		"a body that is checked first": {func(h *hoard) {
			h.config.Middleware = append(h.config.Middleware, changing(func(r *http.Request, w *httptest.ResponseRecorder) {
				if r.Method == http.MethodPost && r.ContentLength == 2 && w.Code == http.StatusForbidden && strings.HasSuffix(r.URL.Path, "appraise") {
					w.Code = http.StatusBadRequest
				}
			}))
		}, "appraiseTreasure bobs as ann returns 403, but 400 for an invalid body"},
		"a failure": {func(h *hoard) {
			h.treasures.Prepare = func(context.Context, *operation.Request, *treasure) error { return context.DeadlineExceeded }
		}, "returns 50"},
		"a hook that saves outside the transaction": {func(h *hoard) {
			kept := memory.New(hoarded...)
			people := memory.New(people...)
			h.treasures.Store, h.users.Store = kept, people
			h.treasures.BeforeTransaction = func(context.Context, *operation.Request, *treasure) error {
				return people.Transact(context.Background(), func(ctx context.Context, tx store.Tx[user]) error {
					u, err := tx.Get(ctx, int64(3))
					if err == nil {
						u.Name += "!"
						err = tx.Update(ctx, int64(3), u)
					}
					return err
				})
			}
		}, "the record root of User was changed"},
		"a hidden field that is denied only if it changes": {func(h *hoard) {
			h.users.Access.Fields = map[string]access.Field{"email": {Read: admin, Write: admin}, "admin": {Read: access.Any(self, admin), Write: admin}}
			h.config.Middleware = append(h.config.Middleware, changing(func(r *http.Request, w *httptest.ResponseRecorder) {
				if r.Method == http.MethodPatch && w.Code == http.StatusForbidden && r.ContentLength == int64(len(`{"email":"ann@example.com"}`)) {
					w.Code = http.StatusOK
				}
			}))
		}, "reveals the value of the hidden field email"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHoard()
			test.change(h)
			if got := complaintsOf(t, h, everyone, records); !strings.Contains(got, test.want) {
				t.Errorf("the errors lack %q:\n%s", test.want, got)
			}
		})
	}
}

func TestAMissingTableIsWritten(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "new.golden")
	h := newHoard()
	accesstest.Matrix(t, h.api(t), file, everyone, records)
	first, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	api := h.api(t) // of the same stores
	accesstest.Matrix(t, api, file, everyone, records)
	accesstest.Matrix(t, api, file, everyone, records)
	if len(first) == 0 || h.treasures.Store.(*memory.Store[treasure]) == nil {
		t.Error("the table is empty")
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/treasures/1", http.NoBody))
	if got, want := w.Body.String(), `{"id":1,"name":"gold","published":true,"owner":1}`; strings.TrimSpace(got) != want {
		t.Errorf("afterwards the record is %s, want %s", got, want)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodDelete, "/api/treasures/1", http.NoBody)
	r.Header.Set("Authorization", "Bearer root")
	w = httptest.NewRecorder()
	if api.ServeHTTP(w, r); w.Code != http.StatusNoContent {
		t.Fatalf("a delete afterwards returns %d", w.Code)
	}
	r = httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/treasures/1", http.NoBody)
	w = httptest.NewRecorder()
	if api.ServeHTTP(w, r); w.Code != http.StatusNotFound {
		t.Errorf("a record deleted afterwards returns %d: the dry run has not ended", w.Code)
	}
}

func TestAChangeOfWhoMayReadOrWriteAFieldFailsTheTest(t *testing.T) {
	t.Parallel()
	if isUpdating() {
		t.Skip("the table is being written")
	}
	for name, test := range map[string]struct {
		email, admin access.Field
		want         []string
	}{
		"more may read it": {
			email: access.Field{Read: access.Public}, admin: access.Field{Read: access.Any(self, admin), Write: admin},
			want: []string{"User.email read root: anonymous gets yes, want no", "User.email read ann: bob gets yes, want no"},
		},
		"fewer may read it": {
			email: access.Field{Read: admin}, admin: access.Field{Read: access.Any(self, admin), Write: admin},
			want: []string{"User.email read ann: ann gets no, want yes"},
		},
		"more may write it": {
			email: access.Field{Read: access.Any(self, admin)}, admin: access.Field{Read: access.Any(self, admin)},
			want: []string{"User.admin write ann: ann gets yes, want no", "User.admin write like ann: bob gets yes, want no"},
		},
		"it has no rule any more": {
			admin: access.Field{Read: access.Any(self, admin), Write: admin},
			want:  []string{"User.email no longer exists"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHoard()
			h.users.Access.Fields = map[string]access.Field{"email": test.email, "admin": test.admin}
			if test.email == (access.Field{}) {
				delete(h.users.Access.Fields, "email")
			}
			got := complaintsOf(t, h, everyone, records)
			for _, want := range test.want {
				if !strings.Contains(got, want) {
					t.Errorf("the errors lack %q:\n%s", want, got)
				}
			}
		})
	}
}

func TestAFieldThatIsNewFailsTheTest(t *testing.T) {
	t.Parallel()
	if isUpdating() {
		t.Skip("the table is being written")
	}
	h := newHoard()
	h.treasures.Access.Fields = map[string]access.Field{"name": {Write: admin}}
	if got, want := complaintsOf(t, h, everyone, records), "Treasure.name is new: the table does not say who can read and write it"; !strings.Contains(got, want) {
		t.Errorf("the errors lack %q:\n%s", want, got)
	}
}

func TestTheFolderOfATableIsCreated(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "testdata", "access", "new.golden")
	accesstest.Matrix(t, newHoard().api(t), file, everyone, records)
	if text, err := os.ReadFile(file); err != nil || len(text) == 0 {
		t.Errorf("the file has %d bytes (%v)", len(text), err)
	}
}

func TestAHandlerOfAListIsSentAList(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "new.golden")
	h := newHoard()
	first := func(_ context.Context, _ *treasure, in []offer) (offer, error) { return in[0], nil }
	h.treasures.Operations = append(h.treasures.Operations, operation.Post{
		Name: "bid", URITemplate: "/treasures/bid", Handler: operation.Handle(first), Access: access.Authenticated,
	})
	accesstest.Matrix(t, h.api(t), file, everyone, records)
	table, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		if fields := strings.Fields(line); len(fields) > 0 && fields[0] == "bidTreasure" {
			if got := strings.Join(fields[1:], " "); got != "- 401 200 200 200 200" {
				t.Errorf("bidTreasure has %s", got)
			}
			return
		}
	}
	t.Errorf("the table has no row for bidTreasure:\n%s", table)
}

func isUpdating() bool { return flag.Lookup("update").Value.String() == "true" }

// A reading that does not exist is a 404 of the handler, about a record that everyone can see.
func TestA404OfAHandlerOnAPublicRecordIsNoLeak(t *testing.T) {
	t.Parallel()
	missing := func(context.Context, *treasure, struct{}) (struct{}, error) {
		return struct{}{}, operation.Error{Status: http.StatusNotFound, Detail: "This treasure has not been appraised."}
	}
	public := access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
	for name, others := range map[string][]operation.Operation{"with a Get": {operation.Get{}}, "without a Get": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api, err := resource.New(resource.Config{}, resource.Of[treasure]{
				Store: memory.New(treasure{Name: "gold"}), Access: public,
				Operations: append(others, operation.Get{Name: "appraisal", URITemplate: "/treasures/{id}/appraisal", Handler: operation.Handle(missing)}),
			})
			if err != nil {
				t.Fatal(err)
			}
			accesstest.Matrix(t, api, filepath.Join(t.TempDir(), "a.golden"), accesstest.Callers{{Name: "anonymous"}}, accesstest.Records{"Treasure": {"gold": "1"}})
		})
	}
}
