package main_test

import (
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// serve builds a program that listens on :8000 in a module of its own, as a newcomer
// has it, runs it on a free port until the test ends, and returns its URL.
func serve(t *testing.T, program string) string {
	t.Helper()
	address := freeAddress(t)
	moved := strings.Replace(program, `":8000"`, `"`+address+`"`, 1)
	if moved == program {
		t.Fatal("the program does not listen on :8000")
	}
	run(t, build(t, moved))
	base := "http://" + address
	awaitResponse(t, base)
	return base
}

// freeAddress returns a host and a port that nothing listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// build compiles a program against this module and returns the binary's path.
func build(t *testing.T, program string) string {
	t.Helper()
	trove, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(trove, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, dir, "main.go", program)
	write(t, dir, "go.sum", string(sums))
	write(t, dir, "go.mod", "module bookshop\n\ngo 1.26.0\n\n"+
		"require github.com/trove-api/trove v0.0.0\n\n"+
		"replace github.com/trove-api/trove => "+trove+"\n")
	binary := filepath.Join(dir, "bookshop.exe")
	compile := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".")
	compile.Dir = dir
	compile.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod", "GOWORK=off")
	if output, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("the program does not compile: %v\n%s", err, output)
	}
	return binary
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// run starts a binary, which the end of the test kills.
func run(t *testing.T, binary string) {
	t.Helper()
	program := exec.CommandContext(t.Context(), binary)
	program.Stdout, program.Stderr = t.Output(), t.Output()
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = program.Wait() })
}

// awaitResponse returns when the URL responds.
func awaitResponse(t *testing.T, url string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodHead, url, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if resp, err := http.DefaultClient.Do(req); err == nil {
			resp.Body.Close()
			return
		}
	}
	t.Fatalf("%s does not respond", url)
}
