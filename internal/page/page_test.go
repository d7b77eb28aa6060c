package page_test

import (
	"crypto/sha256"
	"encoding/base64"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/trove-api/trove/internal/page"
)

type content struct {
	Frame page.Frame
	Value any
}

func render(t *testing.T, c content) string {
	t.Helper()
	files := fstest.MapFS{"own.html": {Data: []byte(`{{define "main"}}<p>{{.Value}}</p>{{end}}`)}}
	pages, err := page.Parse(files, "own.html")
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := pages.ExecuteTemplate(&text, "page", c); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestThePolicyAllowsTheStylesheetOfThePage(t *testing.T) {
	t.Parallel()
	text := render(t, content{Frame: page.Frame{Title: "Books", API: "Shop", Home: "/api"}})
	style := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindStringSubmatch(text)
	if style == nil || len(style[1]) < 1000 {
		t.Fatalf("the page has no stylesheet:\n%.300s", text)
	}
	sum := sha256.Sum256([]byte(style[1]))
	want := "style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	if policy := page.Header()["Content-Security-Policy"]; !strings.Contains(policy, want) {
		t.Errorf("the policy is %q, want %q in it", policy, want)
	}
}

func TestValuesOfAPageAreEscaped(t *testing.T) {
	t.Parallel()
	const hostile = `"'><script>alert(1)</script>`
	text := render(t, content{
		Frame: page.Frame{Title: hostile, API: hostile, Home: "javascript:alert(1)", Links: []page.Link{{hostile, "javascript:alert(1)"}}},
		Value: hostile,
	})
	for _, part := range []string{"<script", "href=\"javascript"} {
		if strings.Contains(text, part) {
			t.Errorf("the page has %s:\n%s", part, text)
		}
	}
}

// TestColoursHaveContrast holds the stylesheet to WCAG 2.2: 4.5 for text (1.4.3), 3 for edges of controls (1.4.11).
func TestColoursHaveContrast(t *testing.T) {
	t.Parallel()
	text := render(t, content{})
	blocks := regexp.MustCompile(`(?s):root \{(.*?)\}`).FindAllStringSubmatch(text, 2)
	if len(blocks) != 2 {
		t.Fatal("the stylesheet must begin with the colours of the light and of the dark theme")
	}
	pairs := map[string][]string{
		"text":      {"ground", "surface", "raised", "accent-soft", "good-soft", "warn-soft", "bad-soft"},
		"quiet":     {"ground", "surface", "raised", "accent-soft"},
		"accent":    {"ground", "surface", "raised", "accent-soft"},
		"on-accent": {"accent"},
		"good":      {"good-soft"}, "warn": {"warn-soft"}, "bad": {"bad-soft", "surface"},
		"edge": {"ground", "surface", "raised"},
	}
	for i, theme := range []string{"light", "dark"} {
		colours := map[string]float64{}
		for _, m := range regexp.MustCompile(`--([a-z-]+): #([0-9a-f]{6})`).FindAllStringSubmatch(blocks[i][1], -1) {
			colours[m[1]] = luminance(t, m[2])
		}
		for colour, grounds := range pairs {
			for _, ground := range grounds {
				least := 4.5
				if colour == "edge" {
					least = 3
				}
				a, b := colours[colour], colours[ground]
				if contrast := (max(a, b) + .05) / (min(a, b) + .05); contrast < least {
					t.Errorf("%s: %s on %s has a contrast of %.2f, want %.1f", theme, colour, ground, contrast, least)
				}
			}
		}
	}
}

// luminance returns the relative luminance of a colour, as WCAG defines it.
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	sum := 0.0
	for i, weight := range []float64{.2126, .7152, .0722} {
		n, err := strconv.ParseUint(colour[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		if c <= .04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}
