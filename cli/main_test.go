package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/trove-api/trove/cli"
	"github.com/trove-api/trove/resource"
)

// TestMain runs cli.Main instead of the tests if TROVE_MAIN is set, so that the tests can start it as a program.
func TestMain(m *testing.M) {
	switch os.Getenv("TROVE_MAIN") {
	case "":
		os.Exit(m.Run())
	case "broken":
		cli.Main(func(context.Context) (*resource.API, error) { return nil, errors.New("no database") }, documentation)
	case "database":
		cli.Main(newDatabaseAPI, documentation)
	default:
		cli.Main(func(context.Context) (*resource.API, error) {
			return resource.New(resource.Config{}, resource.Of[Book]{})
		}, documentation)
	}
}

// runMain runs a program whose main function is cli.Main, and returns what it prints and its exit status.
func runMain(t *testing.T, kind string, args ...string) (out, logs string, status int) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Env = append(os.Environ(), "TROVE_MAIN="+kind)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

func TestMainPrintsTheDocumentOfTheAPI(t *testing.T) {
	t.Parallel()
	out, logs, status := runMain(t, "bookshop", "-openapi")
	var document struct {
		Info struct {
			Title string `json:"title"`
		} `json:"info"`
		Paths map[string]any `json:"paths"`
	}
	if err := json.Unmarshal([]byte(out), &document); err != nil || status != 0 {
		t.Fatalf("it exits with %d and prints %q, %q: %v", status, out, logs, err)
	}
	if document.Info.Title != "Bookshop" || document.Paths["/api/books"] == nil {
		t.Errorf("the document is %s", out)
	}
}

func TestMainExitsWithOneLineForAnError(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		kind, flag, want string
	}{
		{"broken", "-routes", "no database"},
		{"bookshop", "-route", `unknown flag -route; did you mean "-routes"?; -h lists the flags`},
		{"bookshop", "-addr=127.0.0.1:x", "cannot serve: "},
	} {
		out, logs, status := runMain(t, test.kind, test.flag)
		if status != 1 || out != "" || !strings.HasPrefix(logs, test.want) || strings.Count(logs, "\n") != 1 {
			t.Errorf("%s %s exits with %d and prints %q, %q; want 1 and %q", test.kind, test.flag, status, out, logs, test.want)
		}
	}
}

func TestMainPrintsHelpAndSucceeds(t *testing.T) {
	t.Parallel()
	if out, logs, status := runMain(t, "broken", "-h"); status != 0 || !strings.Contains(out, "-openapi") || logs != "" {
		t.Errorf("-h exits with %d and prints %q, %q", status, out, logs)
	}
}
