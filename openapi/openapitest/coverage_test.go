package openapitest_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// account has only unique fields, except for the name.
type account struct {
	ID    uuid.UUID `json:"id" api:"id"`
	Name  string    `json:"name" validate:"notblank,max=50"`
	Email string    `json:"email" validate:"required,email" api:"unique"`
	Token string    `json:"token" validate:"len=12,alphanum" api:"unique,writeonly"`
	Code  int       `json:"code" validate:"gte=10,lte=9999" api:"unique"`
}

// transfer refers to two accounts, and is a subresource of one.
type transfer struct {
	ID   int64     `json:"id"`
	From uuid.UUID `json:"from" api:"ref=Account,filter"`
	To   uuid.UUID `json:"to" api:"ref=Account,filter"`
	Tags []int64   `json:"tags" validate:"max=3" api:"ref=Label"`
	Note string    `json:"note"`
}

type label struct {
	ID   int64  `json:"id"`
	Text string `json:"text" validate:"required" api:"unique"`
}

// ledger returns resources with unique fields and references: no Post succeeds twice with its example, or before the
// records that it refers to exist.
func ledger() []resource.Declaration {
	return []resource.Declaration{
		resource.Of[transfer]{ShortName: "Transfer", Operations: append(operation.Standard(),
			operation.Put{Name: "tag", URITemplate: "/transfers/{id}/tags/{tags}"},
			operation.Delete{Name: "untag", URITemplate: "/transfers/{id}/tags/{tags}"},
			operation.GetCollection{URITemplate: "/accounts/{from}/transfers"},
			operation.Post{URITemplate: "/accounts/{from}/transfers"},
			operation.Get{URITemplate: "/accounts/{from}/transfers/{id}"},
			operation.Post{Name: "repeat", URITemplate: "/transfers/{id}/repeat", Handler: operation.Handle(
				func(_ context.Context, t *transfer, in receipt) (receipt, error) {
					return receipt{t.Note + in.Text}, nil
				})},
		)},
		resource.Of[account]{ShortName: "Account"},
		resource.Of[label]{ShortName: "Label"},
	}
}

func TestUniqueFieldsAndReferencesAreTested(t *testing.T) {
	t.Parallel()
	for _, form := range []resource.References{resource.Paths, resource.Identifiers} {
		api, err := resource.New(resource.Config{References: form}, ledger()...)
		if err != nil {
			t.Fatal(err)
		}
		notes := &recorder{TB: t}
		openapitest.Conform(notes, api, inFull(30))
		if len(notes.complaints) > 0 {
			t.Errorf("want no errors, got\n%s", strings.Join(notes.complaints, "\n"))
		}
	}
}

// TestAListOfReferencesIsSent has a list that must not be empty: without a record to refer to, no Post succeeds.
func TestAListOfReferencesIsSent(t *testing.T) {
	t.Parallel()
	type parcel struct {
		ID   int64   `json:"id"`
		Tags []int64 `json:"tags" validate:"min=1,max=3" api:"ref=Label"`
	}
	for _, form := range []resource.References{resource.Paths, resource.Identifiers} {
		api, err := resource.New(resource.Config{References: form}, resource.Of[parcel]{ShortName: "Parcel"}, resource.Of[label]{ShortName: "Label"})
		if err != nil {
			t.Fatal(err)
		}
		openapitest.Conform(t, api)
	}
}

// TestAnOperationThatNeverSucceedsFailsTheTest has each operation always return a documented error.
func TestAnOperationThatNeverSucceedsFailsTheTest(t *testing.T) {
	t.Parallel()
	api := compile(t, ledger())
	for id, match := range map[string]func(*http.Request) bool{
		"getAccount": func(r *http.Request) bool {
			return r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/accounts/")
		},
		"patchAccount": func(r *http.Request) bool {
			return r.Method == http.MethodPatch && strings.Contains(r.URL.Path, "/accounts/")
		},
		"deleteAccount": func(r *http.Request) bool {
			return r.Method == http.MethodDelete && strings.Contains(r.URL.Path, "/accounts/")
		},
		"tagTransfer": func(r *http.Request) bool {
			return r.Method == http.MethodPut && strings.Contains(r.URL.Path, "/tags/")
		},
	} {
		missing := faulty(func(r *http.Request, _ string, w *httptest.ResponseRecorder) {
			if match(r) && w.Code < 300 {
				reject(w)
				w.Code = http.StatusNotFound
				w.Body.Reset()
				w.Body.WriteString(`{"type":"about:blank","title":"Not Found","status":404}`)
			}
		})
		notes := &recorder{TB: t}
		openapitest.Conform(notes, api, openapitest.Through(missing), inFull(15))
		if all := strings.Join(notes.complaints, "\n"); !strings.Contains(all, "("+id+") never succeeded") || !strings.Contains(all, "NeverSucceeds") {
			t.Errorf("%s: no error says that it never succeeded:\n%.2000s", id, all)
		}
		notes = &recorder{TB: t}
		openapitest.Conform(notes, api, openapitest.Through(missing), inFull(15), openapitest.NeverSucceeds(id))
		if all := strings.Join(notes.complaints, "\n"); strings.Contains(all, "("+id+") never succeeded") {
			t.Errorf("%s is an exception, but got:\n%.2000s", id, all)
		}
	}
}

func TestExceptionsNameOperationsOfTheDocument(t *testing.T) {
	t.Parallel()
	notes := &recorder{TB: t}
	openapitest.Conform(notes, compile(t, []resource.Declaration{resource.Of[book]{}}), openapitest.Requests(5), openapitest.NeverSucceeds("getBok"))
	if all := strings.Join(notes.complaints, "\n"); !strings.Contains(all, "NeverSucceeds names the operation \"getBok\", which is not in the document") {
		t.Errorf("got %q", all)
	}
}

// TestAPatchOfAMinimalUniqueRecordIsTested locks records that were created without a note. Their emails are unique.
func TestAPatchOfAMinimalUniqueRecordIsTested(t *testing.T) {
	t.Parallel()
	type reader struct {
		ID    int64  `json:"id"`
		Email string `json:"email" validate:"required,email" api:"unique"`
		Note  string `json:"note"`
	}
	var mu sync.Mutex
	locked := map[string]bool{}
	lock := faulty(func(r *http.Request, body string, w *httptest.ResponseRecorder) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case r.Method == http.MethodPost && w.Code == http.StatusCreated && !strings.Contains(body, `"note"`):
			locked[w.Header().Get("Location")] = true
		case r.Method == http.MethodPatch && w.Code == http.StatusOK && locked[r.URL.Path]:
			reject(w)
		}
	})
	for name, most := range map[string]int{"few requests": 12, "many requests": 200} {
		notes := &recorder{TB: t}
		openapitest.Conform(notes, compile(t, []resource.Declaration{resource.Of[reader]{}}), openapitest.Through(lock), inFull(most))
		if all := strings.Join(notes.complaints, "\n"); !strings.Contains(all, "(patchReader) rejects a request that the document calls valid") {
			t.Errorf("%s: the lock is not reported:\n%.1000s", name, all)
		}
	}
}

// self is a user who may change only their own record.
type self struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank" api:"unique"`
}

// TestRecordsOfCallersAreTested has users who see and change only their own records.
func TestRecordsOfCallersAreTested(t *testing.T) {
	t.Parallel()
	own := access.Equal("id", func(s *self) int64 { return s.ID })
	api, err := resource.New(resource.Config{Authentication: []access.Scheme{
		access.Bearer("token", func(context.Context, string) (*self, access.Scopes, error) {
			return &self{ID: 1, Name: "ann"}, nil, nil
		}),
	}}, resource.Of[self]{
		Store:  memory.New(self{1, "ann"}),
		Access: access.Rules{Read: own, Create: access.Public, Update: own, Delete: own},
	})
	if err != nil {
		t.Fatal(err)
	}
	openapitest.Conform(t, api, bearerOf("ann"), openapitest.Requests(15))
}
