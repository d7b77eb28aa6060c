package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/cli"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

type Book struct {
	ID    int64  `json:"id"`
	Title string `json:"title"`
}

var documentation = openapi.Config{Title: "Bookshop", Version: "1.0.0"}

// program is a program with an API and the common flags, and nothing else that knows of them.
func program(ctx context.Context, t *testing.T, prefix string, out, logs io.Writer, args ...string) error {
	t.Helper()
	flags := flag.NewFlagSet("program", flag.ExitOnError)
	flags.SetOutput(logs)
	common := cli.Define(flags)
	if err := common.Parse(out, args); err != nil {
		return err
	}
	api, err := resource.New(resource.Config{Prefix: prefix}, resource.Of[Book]{})
	if err != nil {
		t.Fatal(err)
	}
	if err := openapi.Mount(api, documentation); err != nil {
		t.Fatal(err)
	}
	if err := admin.Mount(api, admin.Config{}); err != nil {
		t.Fatal(err)
	}
	return common.Run(ctx, out, api, documentation, "Try:           curl {url}/books")
}

func TestWhatFlagsSay(t *testing.T) {
	t.Parallel()
	common := cli.Define(flag.NewFlagSet("program", flag.ContinueOnError))
	if common.Addr != "127.0.0.1:8000" || common.Rate != 6000 || common.Origins != nil || common.Prints() || common.Log {
		t.Errorf("the defaults are %+v", common)
	}
	if err := common.Parse(io.Discard, []string{"-addr", ":9", "-rate", "0", "-origins", "https://a.example,https://b.example", "-hosts", "a.example,b.example", "-log", "-routes"}); err != nil {
		t.Fatal(err)
	}
	if common.Addr != ":9" || common.Rate != 0 || strings.Join(common.Origins, " ") != "https://a.example https://b.example" || strings.Join(common.Hosts, " ") != "a.example b.example" || !common.Prints() || !common.Log {
		t.Errorf("the flags are %+v", common)
	}
}

func TestAWrongFlagGetsOneLineWithASuggestion(t *testing.T) {
	t.Parallel()
	for arguments, want := range map[string]string{
		"-adr :9":     `unknown flag -adr; did you mean "-addr"?; -h lists the flags`,
		"--orgins=*":  `unknown flag -orgins; did you mean "-origins"?; -h lists the flags`,
		"-verbosity":  "unknown flag -verbosity; -h lists the flags",
		"-rate=x":     `invalid value "x" for flag -rate: parse error; -h lists the flags`,
		"-addr":       "flag needs an argument: -addr; -h lists the flags",
		"serve -rate": `unexpected argument "serve"; -h lists the flags`,
	} {
		var out, logs bytes.Buffer
		if err := program(t.Context(), t, "", &out, &logs, strings.Fields(arguments)...); err == nil || err.Error() != want {
			t.Errorf("%s: the error is %v, want %s", arguments, err, want)
		}
		if out.Len()+logs.Len() > 0 {
			t.Errorf("%s prints %s%s", arguments, &out, &logs)
		}
	}
}

func TestHelpListsTheFlags(t *testing.T) {
	t.Parallel()
	for _, help := range []string{"-h", "--help"} {
		var out, logs bytes.Buffer
		if err := program(t.Context(), t, "", &out, &logs, help); !errors.Is(err, flag.ErrHelp) {
			t.Errorf("%s: the error is %v", help, err)
		}
		if !strings.Contains(out.String(), "Usage of program:") || !strings.Contains(out.String(), "-origins") || logs.Len() > 0 {
			t.Errorf("%s prints %q, and to the log %q", help, &out, &logs)
		}
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
	for _, flags := range [][]string{{"-routes"}, {"-addr", "127.0.0.1:0"}} {
		if err := program(t.Context(), t, "", failing{broken}, io.Discard, flags...); !errors.Is(err, broken) {
			t.Errorf("%s: the error of the writer is %v", flags, err)
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestAnAddressThatCannotBeServedNamesTheFlag(t *testing.T) {
	t.Parallel()
	taken, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, address := range []string{taken.Addr().String(), "127.0.0.1:nothing"} {
		var out bytes.Buffer
		err := program(t.Context(), t, "", &out, io.Discard, "-addr", address)
		if err == nil || !strings.Contains(err.Error(), "choose another listen address with -addr") || strings.Contains(err.Error(), "\n") || out.Len() > 0 {
			t.Errorf("%s: the error is %v after %q", address, err, &out)
		}
	}
}

// lines passes on what is written, one write at a time.
type lines chan string

func (l lines) Write(p []byte) (int, error) { l <- string(p); return len(p), nil }

// serve runs the program on a free port until the test ends. It returns the URL of the API, the text printed, and the log.
func serve(t *testing.T, prefix string, args ...string) (url, printed string, logs lines) {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	out, logs, ended := make(lines, 4), make(lines, 8), make(chan error, 1)
	go func() { ended <- program(ctx, t, prefix, out, logs, args...) }()
	t.Cleanup(func() {
		end()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	select {
	case printed = <-out:
	case err := <-ended:
		ended <- nil
		t.Fatal(err)
	}
	url, _, _ = strings.Cut(strings.TrimPrefix(printed, "API:           "), "\n")
	return url, printed, logs
}

// get sends a GET from a page of an origin, and returns the status and the header of the response.
func get(t *testing.T, url, origin string) (int, http.Header) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Origin", origin)
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode, response.Header
}

func TestAProgramPrintsItsURLs(t *testing.T) {
	t.Parallel()
	for prefix, shown := range map[string]string{"": "/api", "/": "", "/shop/v1": "/shop/v1"} {
		t.Run("prefix "+prefix, func(t *testing.T) {
			t.Parallel()
			url, printed, _ := serve(t, prefix, "-addr", "127.0.0.1:0")
			want := fmt.Sprintf("API:           %[1]s\nDocumentation: %[1]s/docs\nAdmin:         %[2]s/admin\nTry:           curl %[1]s/books\nPress Ctrl-C to stop.\n",
				url, strings.TrimSuffix(url, shown))
			if !strings.HasSuffix(url, shown) || printed != want {
				t.Errorf("it prints %q, want %q", printed, want)
			}
			for _, path := range []string{"/docs", "/books"} {
				if status, _ := get(t, url+path, ""); status != http.StatusOK {
					t.Errorf("%s returns %d", path, status)
				}
			}
		})
	}
}

func TestEachFlagWorksWithoutFurtherCode(t *testing.T) {
	t.Parallel()
	const page = "https://a.example"
	url, _, logs := serve(t, "", "-addr", "127.0.0.1:0", "-log", "-rate", "2", "-origins", page, "-hosts", "a.example")
	for _, path := range []string{"/books", "/nothing"} {
		status, header := get(t, url+path, page)
		if got := header.Get("Access-Control-Allow-Origin"); got != page {
			t.Errorf("-origins: a page of the origin gets %q", got)
		}
		want := fmt.Sprintf("status=%d", status)
		if line := <-logs; !strings.Contains(line, want) || !strings.Contains(line, "method=GET") {
			t.Errorf("-log: %s logs %s, want %s", path, line, want)
		}
	}
	if got, _ := get(t, url+"/books", page); got != http.StatusTooManyRequests {
		t.Errorf("-rate: the third request returns %d", got)
	}
}
