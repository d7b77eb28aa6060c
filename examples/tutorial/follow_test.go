package tutorial_test

import (
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestTheTutorialWorks does what the page says, in an empty folder: it writes each step's program, starts it, runs the
// commands and compares their output.
func TestTheTutorialWorks(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds ten programs")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	f := follower{folder: t.TempDir(), address: freeAddress(t)}
	f.run(t, "go mod init example.com/hoard && go mod edit -require=github.com/trove-api/trove@v0.0.0 -replace=github.com/trove-api/trove="+root)
	write(t, f.folder, map[string]string{"go.sum": read(t, "../../go.sum")}, "")
	for _, s := range steps(t) {
		for name, source := range s.program {
			s.program[name] = strings.ReplaceAll(source, "localhost:8000", f.address)
		}
		write(t, f.folder, s.program, "")
		for _, block := range blocks(s.text, "sh") {
			f.run(t, block)
		}
		f.step(t, s)
	}
}

// follower follows the page in a folder. Its programs listen on another port than those of the page.
type follower struct{ folder, address string }

// step runs the commands of a step while its program runs.
func (f follower) step(t *testing.T, s step) {
	t.Helper()
	f.run(t, "go mod tidy && go build -o program")
	ctx, stop := context.WithCancel(t.Context())
	program := exec.CommandContext(ctx, "./program")
	program.Dir, program.Stdout, program.Stderr = f.folder, t.Output(), t.Output()
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { stop(); _ = program.Wait() }()
	f.await(t)
	shown := regexp.MustCompile(`(?m)^\$ `).Split(strings.Join(blocks(s.text, "console"), ""), -1)[1:]
	if len(shown) == 0 {
		t.Errorf("%s shows no command", s.folder)
	}
	for _, each := range shown {
		command, want, _ := strings.Cut(each, "\n")
		if got := f.run(t, command); !alike(want, got) {
			t.Errorf("%s: %s\nprints\n%s\nbut the page shows\n%s", s.folder, command, got, want)
		}
	}
}

// run runs a command of the page, and returns what it prints.
func (f follower) run(t *testing.T, command string) string {
	t.Helper()
	shell := exec.CommandContext(t.Context(), "bash", "-ec", strings.ReplaceAll(command, "localhost:8000", f.address))
	shell.Dir = f.folder
	shell.Env = append(os.Environ(), "GOWORK=off")
	var errors strings.Builder
	shell.Stderr = &errors
	output, err := shell.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", command, err, output, errors.String())
	}
	return string(output)
}

// await returns when the program accepts requests.
func (f follower) await(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodHead, "http://"+f.address+"/api/docs", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if w, err := http.DefaultClient.Do(r); err == nil {
			w.Body.Close()
			return
		}
	}
	t.Fatal("the program does not start")
}

// alike compares an output with the page, where … is any text.
func alike(want, got string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(want)), "…", "(?s:.*)")
	return regexp.MustCompile("^" + pattern + "$").MatchString(strings.TrimSpace(strings.ReplaceAll(got, "\r", "")))
}

// freeAddress returns a host and a port that nothing listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}
