package openapitest_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

type event struct {
	ID    int64               `json:"id"`
	Name  string              `json:"name" validate:"required"`
	Notes string              `json:"notes"`
	At    time.Time           `json:"at"`
	Tags  []string            `json:"tags" validate:"omitempty,min=1"`
	More  map[string][]string `json:"more"`
}

// measure is not a record, so its numbers can be larger than those of a database.
type measure struct {
	Size uint64 `json:"size"`
}

// events has an operation whose body is not a record.
func events() []resource.Declaration {
	same := func(_ context.Context, _ *event, in measure) (measure, error) { return in, nil }
	return []resource.Declaration{resource.Of[event]{Operations: append(operation.Standard(),
		operation.Post{Name: "measure", URITemplate: "/measures", Handler: operation.Handle(same)})}}
}

// fault changes the responses to some requests. It gets the request, its body, and the response of the API.
type fault func(r *http.Request, body string, w *httptest.ResponseRecorder)

func faulty(change fault) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			drifting(func(r *http.Request, recorded *httptest.ResponseRecorder) { change(r, string(body), recorded) })(next).ServeHTTP(w, r)
		})
	}
}

// fails changes successful responses to 500, if the request body matches.
func fails(has func(body string) bool) fault {
	return func(_ *http.Request, body string, w *httptest.ResponseRecorder) {
		if w.Code < 300 && has(body) {
			w.Code = http.StatusInternalServerError
		}
	}
}

func TestFaultsThatFewRequestsShowAreReported(t *testing.T) {
	t.Parallel()
	for name, test := range sampled(map[string]struct {
		fault func() fault
		want  string
	}{
		"a time beyond the calendar in UTC cannot be encoded": {func() fault {
			return func(_ *http.Request, body string, w *httptest.ResponseRecorder) {
				if strings.Contains(body, "9999-12-31T23:59:59-23:59") {
					w.Code = http.StatusInternalServerError
				}
			}
		}, "fails"},
		"an integer above 2^63 is too large for a column": {func() fault {
			return fails(func(body string) bool { return strings.Contains(body, `"size":18446744073709551615`) })
		}, "fails"},
		"kilobytes of text are too long for an index": {func() fault {
			return fails(func(body string) bool {
				_, notes, _ := strings.Cut(body, `"notes":"`)
				notes, _, _ = strings.Cut(notes, `"`)
				return len(notes) > 2700
			})
		}, "fails"},
		"a long key of a map breaks a path": {func() fault {
			return fails(func(body string) bool { return strings.Contains(body, `"more":{"long.name[0]long.name[0]`) })
		}, "fails"},
		"a name is repeated for each violation": {func() fault {
			return func(_ *http.Request, body string, w *httptest.ResponseRecorder) {
				if w.Code == http.StatusBadRequest && strings.Contains(body, "long.name") {
					w.Body = bytes.NewBuffer(bytes.Repeat([]byte(body), 100))
				}
			}
		}, "returns a response that is too large for its request"},
		"a record grows when it is read": {func() fault {
			return func(r *http.Request, _ string, w *httptest.ResponseRecorder) {
				if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/events/1") && w.Code == http.StatusOK {
					_, _ = w.Write(bytes.Repeat([]byte(" "), 1<<20))
				}
			}
		}, "returns a response that is too large for its request"},
		"a missing optional field locks the record": {lockOfWhatWasLeftOut, "rejects a request that the document calls valid"},
		"a Get differs from the write": {func() fault {
			return func(r *http.Request, _ string, w *httptest.ResponseRecorder) {
				if r.Method == http.MethodGet {
					replace(`"tags":[]`, `"tags":["a"]`)(r, w)
				}
			}
		}, "returns a body that differs from the next Get"},
		"the ETag of a write differs from the next Get": {func() fault {
			return func(r *http.Request, _ string, w *httptest.ResponseRecorder) {
				if r.Method == http.MethodGet && w.Header().Get("ETag") != "" {
					w.Header().Set("ETag", `"another"`)
				}
			}
		}, "returns an ETag that differs from the next Get"},
		"a saved record is not found": {func() fault {
			return func(r *http.Request, _ string, w *httptest.ResponseRecorder) {
				if r.Method == http.MethodGet && strings.Contains(w.Body.String(), "2024-02-29T12:00:00Z") && !strings.HasSuffix(r.URL.Path, "events") {
					reject(w)
					w.Code = http.StatusNotFound
				}
			}
		}, "succeeds, but the next Get does not return the record"},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			notes := &recorder{TB: t}
			openapitest.Conform(notes, compile(t, events()), openapitest.Through(faulty(test.fault())), inFull(1000))
			if all := strings.Join(notes.complaints, "\n"); !strings.Contains(all, test.want) {
				t.Errorf("no error contains %q; got %d:\n%.2000s", test.want, len(notes.complaints), all)
			}
		})
	}
}

// lockOfWhatWasLeftOut rejects patches of records that were created without tags and notes.
func lockOfWhatWasLeftOut() fault {
	var mu sync.Mutex
	locked := map[string]bool{}
	return func(r *http.Request, body string, w *httptest.ResponseRecorder) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case r.Method == http.MethodPost && w.Code == http.StatusCreated && !strings.Contains(body, `"tags"`) && !strings.Contains(body, `"notes"`):
			locked[w.Header().Get("Location")] = true
		case r.Method == http.MethodPatch && w.Code == http.StatusOK && locked[r.URL.Path]:
			reject(w)
		}
	}
}

func TestAnAPIWithoutThoseFaultsConforms(t *testing.T) {
	t.Parallel()
	openapitest.Conform(t, compile(t, events()), openapitest.Requests(400))
}

func TestDeletesComeLast(t *testing.T) {
	t.Parallel()
	type leaf struct {
		Name string `json:"name"`
	}
	touch := func(_ context.Context, b *book, in leaf) (receipt, error) { return receipt{in.Name + b.Title}, nil }
	var order []string
	note := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if deep := strings.HasSuffix(r.URL.Path, "/leaf"); r.Method != http.MethodGet && (r.Method != http.MethodPost || deep) {
				order = append(order, r.Method+map[bool]string{true: " leaf"}[deep])
			}
			next.ServeHTTP(w, r)
		})
	}
	nested := append(operation.Standard(),
		operation.Put{Name: "leaf", URITemplate: "/books/{id}/leaf", Handler: operation.Handle(touch)},
		operation.Delete{Name: "fell", URITemplate: "/books/{id}/leaf"})
	openapitest.Conform(t, compile(t, []resource.Declaration{resource.Of[book]{Operations: nested}}), openapitest.Through(note))
	all := strings.Join(order, ",") + ","
	first := strings.Index(all, "DELETE")
	if first < 0 || strings.Contains(all[first:], "PUT") || strings.Contains(all[first:], "PATCH") {
		t.Errorf("a Delete at %d of %d comes before other operations", first, len(all))
	}
	if outer := strings.Index(all, "DELETE,"); !strings.Contains(all, "DELETE leaf") || strings.Contains(all[max(outer, 0):], "DELETE leaf") {
		t.Error("a record is deleted before the records below it")
	}
}

// TestAnExampleWithAFormatMayBeRejected has one field with a rule that keywords cannot express and one without. The API
// rejects the examples of both.
func TestAnExampleWithAFormatMayBeRejected(t *testing.T) {
	t.Parallel()
	type crate struct {
		ID      int64  `json:"id"`
		Country string `json:"country" validate:"required,iso3166_1_alpha2"`
	}
	type letter struct {
		ID   int64  `json:"id"`
		Town string `json:"town" validate:"required"`
	}
	notes := &recorder{TB: t}
	openapitest.Conform(notes, compile(t, []resource.Declaration{
		resource.Of[crate]{Idempotency: time.Hour, Prepare: func(context.Context, *operation.Request, *crate) error {
			return validation.Fail("country", "is not served")
		}},
		resource.Of[letter]{Prepare: func(context.Context, *operation.Request, *letter) error {
			return validation.Fail("town", "is not served")
		}},
	}))
	for _, complaint := range notes.complaints {
		if strings.Contains(complaint, "crates") && !strings.Contains(complaint, "never succeeded") {
			t.Errorf("a field with a format may be rejected, but: %.300s", complaint)
		}
	}
	if !strings.Contains(strings.Join(notes.complaints, ""), "POST /api/letters (createLetter) rejects a request that the document calls valid") {
		t.Errorf("a rejected letter is not reported: %.1000q", notes.complaints)
	}
}

// TestARejectionIsExcusedOnlyForAValueWithARule has fields with rules that keywords cannot express, and one without. The
// API rejects all patches, also those without such a value.
func TestARejectionIsExcusedOnlyForAValueWithARule(t *testing.T) {
	t.Parallel()
	type shelf struct {
		ID     int64             `json:"id"`
		Title  string            `json:"title"`
		Code   string            `json:"code" validate:"omitempty,iso3166_1_alpha2"`
		Labels map[string]string `json:"labels" validate:"dive,keys,alpha,endkeys,iso3166_1_alpha2"`
		Paid   bool              `json:"paid"`
		Bill   string            `json:"bill" validate:"required_if=Paid true"`
	}
	api := compile(t, []resource.Declaration{resource.Of[shelf]{}})
	openapitest.Conform(t, api, openapitest.Requests(300))
	for _, body := range []string{"{}", `{"title":`} {
		notes := &recorder{TB: t}
		openapitest.Conform(notes, api, openapitest.Through(faulty(func(r *http.Request, sent string, w *httptest.ResponseRecorder) {
			if r.Method == http.MethodPatch && strings.HasPrefix(sent, body) && !strings.Contains(sent, "code") && !strings.Contains(sent, "labels") {
				reject(w)
			}
		})), openapitest.Requests(300))
		if all := strings.Join(notes.complaints, "\n"); !strings.Contains(all, "(patchShelf) rejects a request that the document calls valid") {
			t.Errorf("a rejected patch %s… is not reported; got %d:\n%.1500s", body, len(notes.complaints), all)
		}
	}
}
