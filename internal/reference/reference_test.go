// Package reference_test writes docs/reference.md from the code and from responses of a running API, and compares the
// page with both. Run it with -update after a change of tags, rules, options, parameters or statuses.
package reference_test

import (
	"bytes"
	"context"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"text/template"

	"github.com/google/go-cmp/cmp"
)

const (
	root = "../.."
	page = root + "/docs/reference.md"
)

var update = flag.Bool("update", false, "write docs/reference.md")

func TestTheReferenceAgreesWithTheCode(t *testing.T) {
	t.Parallel()
	frame, err := template.New("frame.md").Funcs(template.FuncMap{
		"tags":       func() string { return tagTable(t) },
		"api":        func() string { return wordTable(t) },
		"filters":    func() string { return filterTable(t) },
		"required":   func() string { return requiredTable(t) },
		"formats":    func() string { return formatTable(t) },
		"rules":      func() string { return ruleTable(t) },
		"options":    func(dir, name string) string { return optionTable(t, dir, name) },
		"parameters": func() string { return parameterTable(t) },
		"statuses":   func() string { return statusTable(t) },
	}).ParseFiles("testdata/frame.md")
	if err != nil {
		t.Fatal(err)
	}
	var written bytes.Buffer
	if err := frame.Execute(&written, nil); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(page, written.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(written.String(), string(got)); diff != "" {
		t.Errorf("docs/reference.md is out of date; run go test ./internal/reference -update (-want +got):\n%s", diff)
	}
}

// table writes a Markdown table.
func table(head []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) {
		b.WriteByte('|')
		for _, cell := range cells {
			b.WriteString(" " + strings.NewReplacer("|", `\|`, "\n", " ").Replace(cell) + " |")
		}
		b.WriteByte('\n')
	}
	line(head)
	b.WriteString(strings.Repeat("|---", len(head)) + "|\n")
	for _, row := range rows {
		line(row)
	}
	return b.String()
}

// code writes text as inline code, nothing for the empty text.
func code(text string) string {
	switch {
	case text == "":
		return ""
	case strings.Contains(text, "`"):
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}

// send sends a request with a JSON body and returns the body of the response.
func send(ctx context.Context, api http.Handler, method, target, body string) []byte {
	r := httptest.NewRequestWithContext(ctx, method, target, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	return w.Body.Bytes()
}
