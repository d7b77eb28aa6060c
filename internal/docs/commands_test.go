package docs_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// command is a block of commands, or a line of a transcript, and what it prints.
type command struct {
	line         int
	text         string
	kind, output string // of the block after it; kind is "" without one
}

func TestCommandsPrintWhatThePageShows(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and starts the programs of the pages")
	}
	for _, tool := range []string{"bash", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	for _, p := range pages(t) {
		if !p.checked() {
			continue
		}
		for i, program := range p.runs {
			commands := p.commands(i)
			if len(commands) == 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s", p.path, strings.Fields(program)[0]), func(t *testing.T) {
				t.Parallel()
				dir, at := t.TempDir(), "localhost:8000"
				if program == "." {
					dir = root
				} else {
					at = start(t, dir, program)
				}
				execute(t, p.path, dir, at, commands)
			})
		}
	}
}

// transcript reports whether a block has commands and what they print.
func transcript(b block) bool { return b.language == "console" && strings.HasPrefix(b.text, "$ ") }

// commands returns the commands of one run comment.
func (p page) commands(run int) (all []command) {
	for i, b := range p.blocks {
		switch {
		case b.run != run || b.skip != "":
		case b.language == "sh":
			c := command{line: b.line, text: b.text}
			if i+1 < len(p.blocks) && p.blocks[i+1].follows && p.blocks[i+1].language != "sh" && p.blocks[i+1].language != "go" && !transcript(p.blocks[i+1]) {
				c.kind, c.output = p.blocks[i+1].language, p.blocks[i+1].text
			}
			all = append(all, c)
		case transcript(b):
			for _, each := range regexp.MustCompile(`(?m)^\$ `).Split(b.text, -1)[1:] {
				text, output, _ := strings.Cut(strings.ReplaceAll(each, "\\\n", ""), "\n")
				all = append(all, command{b.line, text + "\n", "console", output})
			}
		}
	}
	return all
}

// execute runs commands in one shell and compares what they print. Without something to compare, curl must succeed.
func execute(t *testing.T, page, dir, at string, commands []command) {
	t.Helper()
	files := t.TempDir()
	script := ""
	for curl, options := range map[string]string{"shown": "silent\nshow-error\n", "checked": "silent\nshow-error\nfail-with-body\n"} {
		write(t, filepath.Join(files, curl, ".curlrc"), options)
	}
	for i, c := range commands {
		curl := "checked"
		if c.kind != "" {
			curl = "shown"
		}
		script += fmt.Sprintf("exec >%q\nexport CURL_HOME=%q\n%s", output(files, i), filepath.Join(files, curl), strings.ReplaceAll(c.text, "localhost:8000", at))
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	shell := exec.CommandContext(ctx, "bash", "-eu", "-o", "pipefail", "-c", script)
	shell.Dir, shell.WaitDelay = dir, time.Second
	var complaints bytes.Buffer
	shell.Stderr = &complaints
	failed := shell.Run()
	for i, c := range commands {
		got, err := os.ReadFile(output(files, i))
		if err != nil {
			break // an earlier one has failed
		}
		if _, err := os.Stat(output(files, i+1)); failed != nil && err != nil {
			t.Errorf("%s:%d: %v\n%s%s\n%s", page, c.line, failed, c.text, got, complaints.Bytes())
		} else if text := strings.ReplaceAll(string(got), at, "localhost:8000"); c.kind != "" && !prints(c.kind, c.output, text) {
			t.Errorf("%s:%d:\n%s\nprints\n%s\n%s\nand on the page it is\n%s", page, c.line, c.text, text, complaints.Bytes(), c.output)
		}
	}
}

func output(files string, i int) string { return filepath.Join(files, fmt.Sprintf("%d.out", i)) }

// prints reports whether an output is what a page shows.
func prints(kind, want, got string) bool {
	got = strings.ReplaceAll(got, "\r\n", "\n")
	switch kind {
	case "json":
		return alike(want, got)
	case "http": // header fields that are not shown do not matter
		head, body, _ := strings.Cut(want, "\n\n")
		fields, content, _ := strings.Cut(got, "\n\n")
		for line := range strings.Lines(head) {
			if !pattern(`(?mi)^`, strings.TrimSpace(line)).MatchString(fields) {
				return false
			}
		}
		return alike(body, content)
	default:
		return pattern(`^`, strings.TrimSpace(want)).MatchString(strings.TrimSpace(got))
	}
}

// alike reports whether a text has the JSON value that a page shows, or matches it regardless of white space.
func alike(want, got string) bool {
	var w, g any
	if json.Unmarshal([]byte(want), &w) == nil && json.Unmarshal([]byte(got), &g) == nil {
		return equal(w, g)
	}
	bare := func(text string) string { return strings.Join(strings.Fields(text), "") }
	return pattern(`^`, bare(want)).MatchString(bare(got))
}

// equal compares JSON values. A string matches as a pattern, and a field "…" is any other fields.
func equal(want, got any) bool {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		_, open := w["…"]
		if !ok || !open && len(w) != len(g) {
			return false
		}
		for name, value := range w {
			if other, ok := g[name]; name != "…" && (!ok || !equal(value, other)) {
				return false
			}
		}
		return true
	case []any:
		g, ok := got.([]any)
		if !ok || len(w) != len(g) {
			return false
		}
		for i := range w {
			if !equal(w[i], g[i]) {
				return false
			}
		}
		return true
	case string:
		if w == "…" {
			return true
		}
		g, ok := got.(string)
		return ok && pattern(`^`, w).MatchString(g)
	default:
		return want == got
	}
}

func TestOutputsAreCompared(t *testing.T) {
	t.Parallel()
	const got = "HTTP/1.1 200 OK\r\nEtag: \"a1\"\r\nDate: now\r\n\r\n{\"id\":1,\"tags\":[\"a\"]}"
	for _, test := range []struct {
		kind, want, got string
		same            bool
	}{
		{"json", `{"id": 1, "…": ""}`, `{"id":1,"name":"x"}`, true},
		{"json", `{"id": 1}`, `{"id":1,"name":"x"}`, false},
		{"json", `["…", {"a": "x…"}]`, `[7,{"a":"xy"}]`, true},
		{"json", `[{"id": 1, …}]`, `[{"id":1,"name":"x y"}]`, true},
		{"json", `[{"id": 2, …}]`, `[{"id":1,"name":"x y"}]`, false},
		{"http", "HTTP/1.1 200 OK\nETag: …\n\n{\"id\": 1, \"tags\": [\"a\"]}", got, true},
		{"http", "HTTP/1.1 200 OK\nETag: …\n\n{\"id\": 1, \"tags\": []}", got, false},
		{"http", "HTTP/1.1 201 Created\n\n…", got, false},
		{"text", "a\n…\nd\n", "a\nb\nc\nd", true},
		{"text", "a\n", "a\nb", false},
	} {
		if prints(test.kind, test.want, test.got) != test.same {
			t.Errorf("%s %q is compared with %q: want %t", test.kind, test.want, test.got, test.same)
		}
	}
}

// pattern makes a text a pattern in which "…" matches anything, up to the end of the output or line.
func pattern(begin, text string) *regexp.Regexp {
	return regexp.MustCompile(begin + strings.ReplaceAll(regexp.QuoteMeta(text), "…", "(?s:.*)") + `$`)
}

var address = regexp.MustCompile(`"(?:localhost|127\.0\.0\.1|0\.0\.0\.0)?:8000"`)

// start builds the program, which serves at port 8000 as the page says, so that it serves at a free port, and returns
// the network address. It runs in the folder until the test ends. Binaries are kept in .tmp, so that they are linked once.
func start(t *testing.T, dir, program string) string {
	t.Helper()
	words := strings.Fields(program)
	binary, moved := build(t, words[0])
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := listener.Addr().String()
	_ = listener.Close()
	if !moved { // a program with the flags of cli
		words = append(words, "-addr", at)
	}
	cmd := exec.CommandContext(t.Context(), binary, words[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TROVE_ADDRESS="+at)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		if <-ended; t.Failed() {
			t.Logf("%s logs:\n%s", program, log.Bytes())
		}
	})
	for range 3000 {
		if conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", at); err == nil {
			_ = conn.Close()
			return at
		}
		select {
		case <-ended:
			t.Fatalf("%s ended:\n%s", program, log.Bytes())
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Fatalf("%s does not listen at port 8000", program)
	return ""
}

// build compiles the program of a folder with the network address in its code, if there is one, replaced by a variable.
func build(t *testing.T, folder string) (binary string, moved bool) {
	t.Helper()
	source, err := filepath.Abs(filepath.Join(root, folder))
	if err != nil {
		t.Fatal(err)
	}
	to, err := filepath.Abs(filepath.Join(root, ".tmp/docs", strings.ReplaceAll(folder, "/", "_")))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(source + "/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no program (%v)", folder, err)
	}
	replaced := map[string]string{source + "/zz_address.go": to + "/address.go"}
	write(t, to+"/address.go", "package main\n\nimport \"os\"\n\nvar addressOfTest = os.Getenv(\"TROVE_ADDRESS\")\n")
	for _, file := range files {
		if text := read(t, filepath.Join(folder, filepath.Base(file))); !strings.HasSuffix(file, "_test.go") && address.MatchString(text) {
			moved = true
			replaced[file] = filepath.Join(to, filepath.Base(file))
			write(t, replaced[file], address.ReplaceAllString(text, "addressOfTest"))
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	write(t, to+"/overlay.json", string(overlay))
	compile := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-overlay", to+"/overlay.json", "-o", to+"/program", ".")
	compile.Dir = source
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%s does not compile: %v\n%s", folder, err, out)
	}
	return to + "/program", moved
}

// write writes a file, unless it has the text already.
func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if before, err := os.ReadFile(name); err == nil && string(before) == text {
		return
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
