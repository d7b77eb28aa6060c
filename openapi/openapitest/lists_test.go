package openapitest_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

type imported struct {
	Count int `json:"count"`
}

// imports returns operations whose bodies are lists, with each type of item.
func imports() []resource.Declaration {
	books := memory.New[book]()
	members := memory.New[member]()
	return []resource.Declaration{
		resource.Of[book]{Store: books, Operations: append(operation.Standard(),
			operation.Post{Name: "import", URITemplate: "/books/import", Handler: operation.Handle(
				func(ctx context.Context, _ *book, in []operation.CreateOf[book]) (imported, error) {
					return imported{len(in)}, books.Transact(ctx, func(ctx context.Context, tx store.Tx[book]) error {
						for _, each := range in {
							if err := tx.Insert(ctx, each.Record); err != nil {
								return err
							}
						}
						return nil
					})
				})},
			operation.Patch{Name: "change", URITemplate: "/books", Handler: operation.Handle(
				func(ctx context.Context, _ *book, in []operation.PatchOf[book]) (imported, error) {
					return imported{len(in)}, changeAll(ctx, in)
				})},
			operation.Post{Name: "adjust", URITemplate: "/books/{id}/adjust", Handler: operation.Handle(
				func(ctx context.Context, _ *book, in operation.PatchOf[book]) (*book, error) { return in.Save(ctx) })},
			operation.Post{Name: "count", URITemplate: "/books/count", Handler: operation.Handle(
				func(_ context.Context, _ *book, in []line) (imported, error) { return imported{len(in)}, nil })},
		)},
		resource.Of[member]{Store: members, Operations: append(operation.Standard(),
			operation.Post{Name: "change", URITemplate: "/members/change", Handler: operation.Handle(
				func(ctx context.Context, _ *member, in []operation.PatchOf[member]) (imported, error) {
					return imported{len(in)}, changeAll(ctx, in)
				})},
			operation.Post{Name: "changeOne", URITemplate: "/members/one", Handler: operation.Handle(
				func(ctx context.Context, _ *member, in operation.PatchOf[member]) (*member, error) {
					return in.Save(ctx)
				})},
			operation.Post{Name: "import", URITemplate: "/members/import", Handler: operation.Handle(
				func(_ context.Context, _ *member, in []operation.CreateOf[member]) ([]*member, error) {
					list := []*member{}
					for _, each := range in {
						list = append(list, each.Record)
					}
					return list, nil
				})},
		)},
	}
}

func changeAll[T any](ctx context.Context, in []operation.PatchOf[T]) error {
	for _, each := range in {
		if _, err := each.Save(ctx); err != nil {
			return err
		}
	}
	return nil
}

// TestBulkUpdatesReachRecords checks that some bulk updates refer to existing records.
func TestBulkUpdatesReachRecords(t *testing.T) {
	t.Parallel()
	var changed atomic.Int64
	counts := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			kept := httptest.NewRecorder()
			next.ServeHTTP(kept, r)
			if r.Method == http.MethodPatch && r.URL.Path == "/api/books" && kept.Code == http.StatusOK && !strings.Contains(kept.Body.String(), `"count":0`) {
				changed.Add(1)
			}
			maps.Copy(w.Header(), kept.Header())
			w.WriteHeader(kept.Code)
			_, _ = w.Write(kept.Body.Bytes())
		})
	}
	openapitest.Conform(t, compile(t, imports()), openapitest.Through(counts), openapitest.Requests(300))
	if changed.Load() == 0 {
		t.Error("no bulk update reached a record")
	}
}

func TestOperationsThatTakeListsConform(t *testing.T) {
	t.Parallel()
	openapitest.Conform(t, compile(t, imports()), openapitest.Requests(400))
}

func TestBodiesOfRecordsConformInEachFormat(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{
		Logger:  slog.New(slog.DiscardHandler),
		Formats: append(format.Standard(), csv.Format, hal.Format, jsonld.Format, jsonapi.Format),
	}, imports()...)
	if err != nil {
		t.Fatal(err)
	}
	openapitest.Conform(t, api, openapitest.Requests(300))
}

func TestItemsAfterTheFirstAreTested(t *testing.T) {
	t.Parallel()
	first := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			text, _ := io.ReadAll(r.Body)
			var list []json.RawMessage
			if json.Unmarshal(text, &list) == nil && len(list) > 1 {
				text, _ = json.Marshal(list[:1])
			}
			r.Body = io.NopCloser(strings.NewReader(string(text)))
			next.ServeHTTP(w, r)
		})
	}
	notes := &recorder{TB: t}
	openapitest.Conform(notes, compile(t, imports()), openapitest.Through(first), inFull(1000))
	if all := strings.Join(notes.complaints, "\n"); !strings.Contains(all, "importBook) accepts a request that the document calls invalid") {
		t.Errorf("ignored items are not reported:\n%.2000s", all)
	}
}

func TestExamplesOfListsAreAccepted(t *testing.T) {
	t.Parallel()
	api := compile(t, imports())
	document, err := openapi.Document(api, openapi.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/books/import", "/books/count", "/members/import"} {
		media := document.Paths.Value("/api" + path).Post.RequestBody.Value.Content["application/json"]
		body, err := json.Marshal(media.Example)
		if err != nil || !strings.HasPrefix(string(body), "[{") {
			t.Errorf("%s: the example is %s (%v)", path, body, err)
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api"+path, strings.NewReader(string(body)))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			t.Errorf("%s rejects its example %s: %d %s", path, body, w.Code, w.Body)
		}
	}
}
