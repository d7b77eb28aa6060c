package openapitest_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

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

// imports are operations whose bodies are lists, of each type of element that reads otherwise.
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
			operation.Post{Name: "count", URITemplate: "/books/count", Handler: operation.Handle(
				func(_ context.Context, _ *book, in []line) (imported, error) { return imported{len(in)}, nil })},
		)},
		resource.Of[member]{Store: members, Operations: append(operation.Standard(),
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

func TestOperationsThatTakeListsConform(t *testing.T) {
	t.Parallel()
	openapitest.Conform(t, compile(t, imports()), openapitest.Requests(1000))
}

func TestWhatComesAfterTheFirstElementIsTried(t *testing.T) {
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
	if all := strings.Join(notes.complaints, "\n"); !strings.Contains(all, "importBook) accepts what the document calls invalid") {
		t.Errorf("elements that nobody reads are not noticed:\n%.2000s", all)
	}
}

func TestExamplesOfListsAreTaken(t *testing.T) {
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
			t.Errorf("%s refuses its example %s: %d %s", path, body, w.Code, w.Body)
		}
	}
}
