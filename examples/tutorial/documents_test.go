package main

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	fenced = regexp.MustCompile("(?s)```.*?```")
	title  = regexp.MustCompile(`(?m)^#+ (.+)$`)
	inCode = regexp.MustCompile("`[^`\n]*`")
)

func TestLinksOfDocumentsResolve(t *testing.T) {
	t.Parallel()
	root, count := "../..", 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() && (name == "node_modules" || name == ".tmp" || name == ".git") {
			return filepath.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(name, ".md") {
			return nil
		}
		text := inCode.ReplaceAllString(fenced.ReplaceAllString(read(t, path), ""), "")
		for _, found := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(found[1], ":") {
				continue // of other sites
			}
			count++
			file, anchor, _ := strings.Cut(found[1], "#")
			target := path
			if file != "" {
				target = filepath.Join(filepath.Dir(path), file)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links %s, which is not there", path, found[1])
			} else if anchor != "" && strings.HasSuffix(target, ".md") && !hasAnchor(read(t, target), anchor) {
				t.Errorf("%s links %s, and no heading there is called so", path, found[1])
			}
		}
		return nil
	})
	if err != nil || count < 50 {
		t.Fatalf("documents have %d links (%v)", count, err)
	}
}

// hasAnchor reports whether a heading of a text has the anchor that GitHub makes of it.
func hasAnchor(text, anchor string) bool {
	for _, found := range title.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		kept := regexp.MustCompile(`[^\p{L}\p{N}_\- ]`).ReplaceAllString(strings.ToLower(found[1]), "")
		if strings.ReplaceAll(strings.TrimSpace(kept), " ", "-") == anchor {
			return true
		}
	}
	return false
}

func TestTheStaticBinaryOfTheGuideIsBuilt(t *testing.T) {
	t.Parallel()
	const line = "CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' ./examples/hoard"
	if guide := read(t, "../../docs/guides/deploy.md"); strings.Count(guide, strings.TrimSuffix(line, " ./examples/hoard")) != 2 || !strings.Contains(guide, line) {
		t.Error("the guide builds in another way than this test")
	}
	if testing.Short() {
		t.Skip("linking takes seconds")
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(t.TempDir(), "hoard"), "./examples/hoard")
	build.Dir, build.Env = "../..", append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func behindTLS(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.URL.Scheme = "https"
		next.ServeHTTP(w, r)
	})
}

func TestLinksBehindAProxyAreAsTheGuideOfDeploymentSays(t *testing.T) {
	t.Parallel()
	for _, block := range blocks(read(t, "../../docs/guides/deploy.md"), "go") {
		if !strings.Contains(read(t, "documents_test.go"), block) {
			t.Errorf("this file does not have this code of the guide:\n%s", block)
		}
	}
	api, _, _ := service(t)
	for want, handler := range map[string]http.Handler{"<http://hoard.example/": api, "<https://hoard.example/": behindTLS(api)} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/users?itemsPerPage=1", nil)
		r.Host = "hoard.example"
		r.Header.Set("Accept", "application/ld+json")
		r.Header.Set("X-Forwarded-Host", "elsewhere.example")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if got := strings.Join(w.Header().Values("Link"), ", "); !strings.Contains(got, want) {
			t.Errorf("Link is %q, want %q…", got, want)
		}
	}
}
