package command_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/command"
	"github.com/trove-api/trove/resource"
)

type Book struct {
	ID    int64  `json:"id"`
	Title string `json:"title"`
}

var documentation = openapi.Config{Title: "Bookshop", Version: "1.0.0"}

// program is a program with an API and the common flags.
func program(ctx context.Context, t *testing.T, prefix string, out, logs io.Writer, args ...string) error {
	t.Helper()
	flags := flag.NewFlagSet("program", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	common := command.Define(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	api, err := resource.New(resource.Config{Prefix: prefix, Observers: common.Observers(logs)}, resource.Of[Book]{})
	if err != nil {
		t.Fatal(err)
	}
	if err := openapi.Mount(api, documentation); err != nil {
		t.Fatal(err)
	}
	return common.Run(ctx, out, api, documentation)
}

func TestWhatFlagsSay(t *testing.T) {
	t.Parallel()
	flags := flag.NewFlagSet("program", flag.ContinueOnError)
	common := command.Define(flags)
	if common.Addr != "127.0.0.1:8000" || common.Rate != 6000 || common.Origins != nil || common.Prints() || common.Observers(io.Discard) != nil {
		t.Errorf("the defaults are %+v", common)
	}
	if err := flags.Parse([]string{"-addr", ":9", "-rate", "0", "-origins", "https://a.example,https://b.example", "-log", "-routes"}); err != nil {
		t.Fatal(err)
	}
	if common.Addr != ":9" || common.Rate != 0 || strings.Join(common.Origins, " ") != "https://a.example https://b.example" || !common.Prints() || len(common.Observers(io.Discard)) != 1 {
		t.Errorf("the flags are %+v", common)
	}
}

func TestWhatIsPrinted(t *testing.T) {
	t.Parallel()
	var document, routes bytes.Buffer
	if err := program(t.Context(), t, "", &document, io.Discard, "-openapi"); err != nil || !json.Valid(document.Bytes()) || !strings.Contains(document.String(), "Bookshop") {
		t.Errorf("-openapi: %v: %s", err, &document)
	}
	if err := program(t.Context(), t, "", &routes, io.Discard, "-routes"); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(routes.String(), "\n")
	if len(lines) != 8 || strings.Join(strings.Fields(lines[0]), " ") != "METHOD PATH OPERATION STATUS" ||
		strings.Join(strings.Fields(lines[3]), " ") != "POST /api/books createBook 201" {
		t.Errorf("-routes: %s", &routes)
	}
	broken := errors.New("the paper is out")
	if err := program(t.Context(), t, "", failing{broken}, io.Discard, "-routes"); !errors.Is(err, broken) {
		t.Errorf("the error of the writer is %v", err)
	}
	if err := program(t.Context(), t, "", io.Discard, io.Discard, "-addr", "127.0.0.1:nothing"); err == nil {
		t.Error("an address that is none is served at")
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// lines hands on what is written.
type lines chan string

func (l lines) Write(p []byte) (int, error) { l <- string(p); return len(p), nil }

func TestAProgramServesUntilItsContextEnds(t *testing.T) {
	t.Parallel()
	for prefix, shown := range map[string]string{"": "/api", "/": "", "/shop/v1": "/shop/v1"} {
		t.Run("prefix "+prefix, func(t *testing.T) {
			t.Parallel()
			ctx, end := context.WithCancel(t.Context())
			defer end()
			out, logs, ended := make(lines, 4), make(lines, 8), make(chan error, 1)
			go func() { ended <- program(ctx, t, prefix, out, logs, "-addr", "127.0.0.1:0", "-log") }()
			var printed string
			select {
			case printed = <-out:
			case err := <-ended:
				t.Fatal(err)
			}
			address, docs, _ := strings.Cut(strings.TrimPrefix(printed, "API:           "), "\n")
			if !strings.HasSuffix(address, shown) || docs != "Documentation: "+address+"/docs\n" {
				t.Fatalf("printed is %q", printed)
			}
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/books", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := http.DefaultTransport.RoundTrip(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = answer.Body.Close()
			if line := <-logs; answer.StatusCode != http.StatusOK || !strings.Contains(line, "operation=listBooks") {
				t.Errorf("answered %d, and logged %s", answer.StatusCode, line)
			}
			end()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}
