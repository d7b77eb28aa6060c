package admin_test

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/resource"
)

// files lists the files that the admin serves, but the page. All style sheets are one.
func files(t *testing.T) (list []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS("ui"), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && name != "page.html" && path.Ext(name) != ".css" {
			list = append(list, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return append(list, "admin.css", "theme.js", "icon.svg")
}

// dir returns the path of the files, as the page has it.
func (s *site) dir() string {
	s.t.Helper()
	page := s.get("", "/admin")
	found := regexp.MustCompile(`src="(/admin/files/[\w-]+)/app\.js"`).FindStringSubmatch(page)
	if found == nil {
		s.t.Fatalf("the page has no script: %s", page)
	}
	return found[1]
}

// TestThePageLoadsAtMost130KB holds the promise of the guide.
func TestThePageLoadsAtMost130KB(t *testing.T) {
	t.Parallel()
	s := newMuseum(t)
	total := 0
	dir := s.dir()
	for _, name := range append(files(t), "") {
		at := "/admin"
		if name != "" {
			at = dir + "/" + name
		}
		_, body, header := s.exchange("", http.MethodGet, at, "", "Accept-Encoding", "gzip")
		if strings.HasPrefix(path.Base(name), "LICENSE") || strings.HasPrefix(name, "later/") {
			continue // a first visit does not load it
		}
		if header.Get("Content-Encoding") != "gzip" && len(body) > 300 {
			t.Errorf("%s is not compressed", name)
		}
		if !strings.HasPrefix(name, "later/") { // those are loaded when they are used
			total += len(body)
		}
	}
	t.Logf("%d bytes", total)
	if total > 130_000 {
		t.Errorf("the files have %d bytes, compressed; allowed: 130,000", total)
	}
}

func TestFilesAreServedWithTheirTypeAndTag(t *testing.T) {
	t.Parallel()
	s := newMuseum(t)
	dir := s.dir()
	for _, name := range files(t) {
		status, body, header := s.exchange("", http.MethodGet, dir+"/"+name, "", "Accept-Encoding", "identity")
		want := map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}[path.Ext(name)]
		if want == "" {
			want = "text/plain; charset=utf-8"
		}
		if status != http.StatusOK || header.Get("Content-Type") != want || header.Get("X-Content-Type-Options") != "nosniff" ||
			header.Get("Cache-Control") != "public, max-age=31536000, immutable" || header.Get("Content-Encoding") != "" {
			t.Errorf("%s: %d %v", name, status, header)
		}
		if inFile, err := os.ReadFile("ui/" + name); err == nil && string(inFile) != body {
			t.Errorf("%s: the body is not the file", name)
		}
		_, zipped, other := s.exchange("", http.MethodGet, dir+"/"+name, "", "Accept-Encoding", "br, gzip;q=0.5")
		if other.Get("Content-Encoding") == "gzip" && (unzip(t, zipped) != body || other.Get("ETag") == header.Get("ETag")) {
			t.Errorf("%s: compressed, it has another content or the same tag", name)
		}
		if _, _, refused := s.exchange("", http.MethodGet, dir+"/"+name, "", "Accept-Encoding", "gzip;q=0"); refused.Get("Content-Encoding") != "" {
			t.Errorf("%s: compressed for a client that does not accept it", name)
		}
		if status, body, _ := s.exchange("", http.MethodGet, dir+"/"+name, "", "If-None-Match", header.Get("ETag"), "Accept-Encoding", "identity"); status != http.StatusNotModified || body != "" {
			t.Errorf("%s: %d with its tag", name, status)
		}
		_, older, header := s.exchange("", http.MethodGet, "/admin/files/older/"+name, "", "Accept-Encoding", "identity")
		if older != body || header.Get("Cache-Control") != "no-cache" {
			t.Errorf("%s at the path of another version: %v", name, header)
		}
		if status, body, _ := s.exchange("", http.MethodHead, dir+"/"+name, ""); status != http.StatusOK || body != "" {
			t.Errorf("HEAD %s: %d", name, status)
		}
	}
	for _, name := range []string{"page.html", "ui/app.js", "../admin.go", "vendor", "vendor/", "%2e%2e/admin.go", "logo", "../x/app.js", "../../app.js"} {
		if status, _, _ := s.exchange("", http.MethodGet, dir+"/"+name, ""); status != http.StatusNotFound {
			t.Errorf("%s: %d", name, status)
		}
	}
}

func unzip(t *testing.T, text string) string {
	t.Helper()
	r, err := gzip.NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestThePolicyAllowsOnlyOwnFiles(t *testing.T) {
	t.Parallel()
	s := newMuseum(t)
	for _, path := range []string{"/admin", "/admin/"} {
		status, body, header := s.exchange("", http.MethodGet, path, "")
		const want = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
			"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
		if status != http.StatusOK || header.Get("Content-Security-Policy") != want || header.Get("Cache-Control") != "no-cache" || header.Get("Content-Type") != "text/html; charset=utf-8" ||
			header.Get("Referrer-Policy") != "same-origin" || header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", path, status, header)
		}
		if inline := regexp.MustCompile(`(?i)<style|<script[^>]*>[^<]|\son\w+=|\sstyle=|javascript:|https?://`).FindString(body); inline != "" {
			t.Errorf("%s has %q", path, inline)
		}
	}
}

func TestThePolicyAllowsTheIdentityProviderOfTheConfig(t *testing.T) {
	t.Parallel()
	schemes := []access.Scheme{
		access.OpenIDConnect("login", "https://id.example.com/realm/.well-known/openid-configuration", bearerOf),
		access.OAuth2("code", access.Flows{AuthorizationCode: &access.Flow{
			AuthorizationURL: "https://auth.example.com/authorize", TokenURL: "https://token.example.com/token",
		}}, bearerOf),
		access.OAuth2("machine", access.Flows{ClientCredentials: &access.Flow{TokenURL: "https://other.example.com/token"}}, bearerOf),
	}
	made := func(config admin.Config) *site {
		return serve(t, newAPI(t, resource.Config{Authentication: schemes}, museum()...), config)
	}
	s := made(admin.Config{ClientID: "desk", Scopes: []string{"email"}, Origins: []string{"https://keys.example.com"}})
	_, _, header := s.exchange("", http.MethodGet, "/admin", "")
	const want = "connect-src 'self' https://id.example.com https://keys.example.com https://token.example.com; "
	if got := header.Get("Content-Security-Policy"); !strings.Contains(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := s.model("").SignIn[1:]; !isJSON(t, got, `[
		{"kind":"oidc","title":"login","clientID":"desk","configuration":"https://id.example.com/realm/.well-known/openid-configuration","scopes":["openid","email"]},
		{"kind":"oauth2","title":"code","clientID":"desk","authorizationURL":"https://auth.example.com/authorize","tokenURL":"https://token.example.com/token","scopes":["email"]},
		{"kind":"token","title":"machine","of":"bearer","header":"Authorization","word":"Bearer"}]`) {
		t.Errorf("the ways to sign in: %v", got)
	}
	s = made(admin.Config{})
	_, _, header = s.exchange("", http.MethodGet, "/admin", "")
	if got := header.Get("Content-Security-Policy"); !strings.Contains(got, "connect-src 'self';") {
		t.Errorf("without ClientID: %s", got)
	}
	for _, way := range s.model("").SignIn[1:] {
		if way["kind"] != "token" {
			t.Errorf("without ClientID: %v", way)
		}
	}
}

// isJSON reports whether a value has some JSON.
func isJSON(t *testing.T, value any, want string) bool {
	t.Helper()
	got, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if err := errors.Join(json.Unmarshal(got, &a), json.Unmarshal([]byte(want), &b)); err != nil {
		t.Fatal(err)
	}
	return reflect.DeepEqual(a, b)
}

func TestThePathOfFilesChangesWithThem(t *testing.T) {
	t.Parallel()
	of := func(config admin.Config) string {
		return serve(t, newAPI(t, resource.Config{}, resource.Of[Visit]{}), config).dir()
	}
	usual := of(admin.Config{})
	if again := of(admin.Config{Title: "Other"}); again != usual {
		t.Errorf("%s and %s for the same files", usual, again)
	}
	for _, config := range []admin.Config{{Color: "#123456"}, {Logo: []byte("<svg/>")}} {
		if other := of(config); other == usual {
			t.Errorf("%v has the files of the default at the same path", config)
		}
	}
}

func TestALogoCannotRunScripts(t *testing.T) {
	t.Parallel()
	for image, want := range map[string]string{
		`<?xml version="1.0"?><!-- mark --><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`: "image/svg+xml",
		"\x89PNG\r\n\x1a\n": "image/png",
	} {
		s := serve(t, newAPI(t, resource.Config{}, resource.Of[Visit]{}), admin.Config{Logo: []byte(image)})
		status, body, header := s.exchange("", http.MethodGet, s.dir()+"/logo", "")
		if status != http.StatusOK || body != image || header.Get("Content-Type") != want || header.Get("X-Content-Type-Options") != "nosniff" ||
			header.Get("Content-Security-Policy") != "default-src 'none'; style-src 'unsafe-inline'; sandbox" {
			t.Errorf("%d %v", status, header)
		}
	}
}

func TestEveryColorIsReadable(t *testing.T) {
	t.Parallel()
	for _, color := range []string{"", "#000", "#fff", "#ffff00", "#7C3AED", "#888888", "#00f"} {
		s := serve(t, newAPI(t, resource.Config{}, resource.Of[Visit]{}), admin.Config{Color: color})
		css := s.get("", s.dir()+"/admin.css")
		value := func(name, form string) string {
			found := regexp.MustCompile(name+": "+form+";").FindAllStringSubmatch(css, -1)
			if found == nil {
				t.Fatalf("%s: no %s", color, name)
			}
			return found[len(found)-1][1] // it applies
		}
		const hex, linear = `(#[0-9a-fA-F]{3,6})`, `(color.srgb-linear [0-9. ]+\))`
		accent := value("--accent", hex)
		if got := contrast(accent, value("--on-accent", hex)); got < 4.5 || color != "" && accent != color {
			t.Errorf("%q: text on %s has the contrast %.2f", color, accent, got)
		}
		if color == "" {
			continue // axe checks the usual color
		}
		for background, form := range map[string]string{"#f0f2f5": `light-dark.` + linear + `.*`, "#1f232b": `light-dark.*` + linear + `\)`} {
			if got := contrast(value("--accent-ink", form), background); got < 4.5 {
				t.Errorf("%q: text on %s has the contrast %.2f", color, background, got)
			}
		}
	}
}

// contrast returns the contrast ratio of two colors (WCAG 2.2), in hexadecimal or as intensities.
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(color string) float64 {
	var red, green, blue float64
	if n, _ := fmt.Sscanf(color, "color(srgb-linear %f %f %f)", &red, &green, &blue); n == 3 {
		return 0.2126*red + 0.7152*green + 0.0722*blue
	}
	if len(color) == len("#rgb") {
		color = "#" + strings.Repeat(color[1:2], 2) + strings.Repeat(color[2:3], 2) + strings.Repeat(color[3:], 2)
	}
	n, _ := strconv.ParseUint(color[1:], 16, 32)
	linear := func(shift int) float64 {
		v := float64(n>>shift&0xff) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(16) + 0.7152*linear(8) + 0.0722*linear(0)
}

// Keys are also made of a part that is written and one that is computed: `filter.${operator}`, and count("time.second").
func TestThePageUsesEachText(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("ui/*.js")
	if err != nil {
		t.Fatal(err)
	}
	later, _ := filepath.Glob("ui/later/*.js")          // the pattern is right
	imports, _ := filepath.Glob("ui/later/import/*.js") // as is this one
	files = slices.Concat(files, later, imports)
	var scripts strings.Builder
	var table string
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(name) == "texts.js" {
			table = string(text)
		} else {
			scripts.Write(text)
		}
	}
	keys := regexp.MustCompile(`(?m)^  "([a-zA-Z.]+)":`).FindAllStringSubmatch(table, -1)
	if len(keys) < 100 {
		t.Fatalf("texts.js has %d keys", len(keys))
	}
	for _, key := range keys {
		before := key[1][:strings.LastIndexByte(key[1], '.')]
		uses := []string{`"` + key[1] + `"`, "`" + before + ".${", `count("` + before + `"`}
		isUsed := false
		for _, use := range uses {
			isUsed = isUsed || strings.Contains(scripts.String(), use)
		}
		if !isUsed {
			t.Errorf("no script uses the text %q", key[1])
		}
	}
}
