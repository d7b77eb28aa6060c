package observe_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/resource"
)

type Book struct {
	ID    int64  `json:"id"`
	Title string `json:"title" validate:"notblank,max=200"`
}

// send sends a request to an API.
func send(api http.Handler, method, path, body string) {
	r := httptest.NewRequestWithContext(context.Background(), method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	api.ServeHTTP(httptest.NewRecorder(), r)
}

// AccessLog writes one entry for each request. This example omits the attributes that differ each time.
func ExampleAccessLog() {
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey || a.Key == "ms" || a.Key == "client" {
				return slog.Attr{}
			}
			return a
		},
	}))
	api, err := resource.New(resource.Config{Observers: []observe.Observer{observe.AccessLog(logger)}}, resource.Of[Book]{})
	if err != nil {
		fmt.Println(err)
		return
	}
	send(api, "POST", "/api/books", `{"title":"Dune"}`)
	send(api, "GET", "/api/books/7", "")
	send(api, "GET", "/wp-login.php", "")
	// Output:
	// level=INFO msg=request method=POST route=/api/books operation=createBook status=201 bytes=23
	// level=INFO msg=request method=GET route=/api/books/{id} operation=getBook status=404 bytes=91
	// level=INFO msg=request method=GET route="" operation="" status=404 bytes=99
}

// requests counts requests by operation and status.
type requests struct{}

func (requests) Begin(ctx context.Context, _ observe.Operation, _ *http.Request) context.Context {
	return ctx // or a context with what hooks are to find in it
}

func (requests) End(_ context.Context, outcome *observe.Outcome) {
	fmt.Printf("requests{operation=%q,status=\"%d\"} +1\n", outcome.Operation.ID, outcome.Status)
	if outcome.Err != nil {
		fmt.Println("  since", outcome.Err)
	}
}

// Your own observer is a type with two methods.
func ExampleObserver() {
	api, err := resource.New(resource.Config{Observers: []observe.Observer{requests{}}}, resource.Of[Book]{})
	if err != nil {
		fmt.Println(err)
		return
	}
	send(api, "POST", "/api/books", `{"title":"Dune"}`)
	send(api, "POST", "/api/books", `{"title":" "}`)
	send(api, "GET", "/wp-login.php", "")
	// Output:
	// requests{operation="createBook",status="201"} +1
	// requests{operation="createBook",status="400"} +1
	//   since the body is invalid
	// requests{operation="",status="404"} +1
}
