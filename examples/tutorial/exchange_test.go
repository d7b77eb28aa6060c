package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/examples/tutorial/step01"
	"github.com/trove-api/trove/examples/tutorial/step02"
	"github.com/trove-api/trove/examples/tutorial/step03"
	"github.com/trove-api/trove/examples/tutorial/step04"
	"github.com/trove-api/trove/examples/tutorial/step05"
	"github.com/trove-api/trove/examples/tutorial/step06"
	"github.com/trove-api/trove/examples/tutorial/step07"
	"github.com/trove-api/trove/examples/tutorial/step08"
	"github.com/trove-api/trove/examples/tutorial/step09"
	"github.com/trove-api/trove/examples/tutorial/step10"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

var update = flag.Bool("update", false, "write the programs of the steps and the golden files anew")

// TestMain leaves refusals out of the output: tests make many on purpose.
func TestMain(m *testing.M) {
	flag.Parse()
	if !testing.Verbose() {
		slog.SetDefault(slog.New(slog.DiscardHandler))
	}
	os.Exit(m.Run())
}

// newAPI is that of the last step, as its test calls it.
func newAPI(ctx context.Context, db *sqlstore.DB, passwords *password.Hasher) (*resource.API, error) {
	return step10.NewAPI(ctx, db, passwords)
}

func TestEachStepAnswersAsTheGuideShows(t *testing.T) {
	t.Parallel()
	inMemory := func(newAPI func() (*resource.API, error)) func(context.Context, *sqlstore.DB) (*resource.API, error) {
		return func(context.Context, *sqlstore.DB) (*resource.API, error) { return newAPI() }
	}
	last := func(ctx context.Context, db *sqlstore.DB) (*resource.API, error) { return newAPI(ctx, db, cheap) }
	programs := []func(context.Context, *sqlstore.DB) (*resource.API, error){
		inMemory(step01.NewAPI), inMemory(step02.NewAPI), step03.NewAPI, step04.NewAPI, step05.NewAPI,
		step06.NewAPI, step07.NewAPI, step08.NewAPI, step09.NewAPI, last,
	}
	texts := stepsOf(t)
	if len(texts) != len(programs) {
		t.Fatalf("the guide has %d steps, want %d", len(texts), len(programs))
	}
	for i, newAPI := range programs {
		t.Run(fmt.Sprintf("step %d", i+1), func(t *testing.T) {
			t.Parallel()
			db, err := sqlite.Open(":memory:")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
			api, err := newAPI(t.Context(), db)
			if err != nil {
				t.Fatal(err)
			}
			server := httptest.NewServer(api)
			t.Cleanup(server.Close)
			shown := regexp.MustCompile(`(?m)^\$ `).Split(strings.Join(blocks(texts[i], "console"), ""), -1)[1:]
			if len(shown) == 0 {
				t.Fatal("the step shows no exchange")
			}
			for _, each := range shown {
				command, want, _ := strings.Cut(each, "\n")
				if got := curl(t, server.URL, command); !alike(want, got) {
					t.Errorf("%s\nanswers\n%s\nand in the guide it is\n%s", command, got, want)
				}
			}
		})
	}
}

// alike compares an answer with the guide, in which … is whatever is not shown.
func alike(want, got string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(want)), "…", "(?s:.*)")
	return regexp.MustCompile("^" + pattern + "$").MatchString(strings.TrimSpace(strings.ReplaceAll(got, "\r", "")))
}

var words = regexp.MustCompile(`'[^']*'|\S+`)

// curl sends what a command of the guide does, and returns what it prints.
func curl(t *testing.T, base, command string) string {
	t.Helper()
	method, target, body, shows := "", "", "", false
	header := http.Header{}
	args := words.FindAllString(command, -1)
	for i := range args {
		args[i] = strings.Trim(args[i], "'")
	}
	for i := 1; i < len(args); i++ {
		switch args[i] {
		case "-i":
			shows = true
		case "-g":
		case "-X", "-u", "-H", "--json":
			i++
			switch args[i-1] {
			case "-X":
				method = args[i]
			case "-u":
				name, password, _ := strings.Cut(args[i], ":")
				r := &http.Request{Header: header}
				r.SetBasicAuth(name, password)
			case "-H":
				name, value, _ := strings.Cut(args[i], ": ")
				header.Set(name, value)
			default:
				body = args[i]
				header.Set("Content-Type", "application/json")
				if header.Get("Accept") == "" {
					header.Set("Accept", "application/json")
				}
			}
		default:
			target = strings.Replace(args[i], "localhost:8000", base, 1)
		}
	}
	if method == "" && body != "" {
		method = http.MethodPost
	}
	r, err := http.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if shows {
		return answer.Proto + " " + answer.Status + "\n" + string(text)
	}
	return string(text)
}
