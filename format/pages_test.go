package format_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/internal/formattest"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/resource"
)

var linked = regexp.MustCompile(`<([^<>]*)>; rel="(first|last|prev|next)"`)

// pagesOf returns where other pages are, by the names that they have in the field Link.
func pagesOf(t *testing.T, mediaType string, answer formattest.Response) map[string]string {
	t.Helper()
	var body struct {
		View      map[string]string  `json:"view"`
		Links     map[string]*string `json:"links"`
		Relations map[string]struct {
			Href string `json:"href"`
		} `json:"_links"`
	}
	if mediaType != format.JSON {
		if err := json.Unmarshal([]byte(answer.Body), &body); err != nil {
			t.Fatalf("%v: %s", err, answer.Body)
		}
	}
	pages := map[string]string{}
	for _, name := range []string{"first", "last", "prev", "next"} {
		at := body.Relations[name].Href
		if mediaType == jsonapi.MediaType && body.Links[name] != nil {
			at = *body.Links[name]
		} else if mediaType == jsonld.MediaType {
			at = body.View[map[string]string{"first": "first", "last": "last", "prev": "previous", "next": "next"}[name]]
		}
		if at != "" {
			pages[name] = at
		}
	}
	if mediaType == format.JSON {
		for _, field := range answer.Header.Values("Link") {
			for _, link := range linked.FindAllStringSubmatch(field, -1) {
				pages[link[2]] = link[1]
			}
		}
	}
	return pages
}

// By its links alone a client reaches all pages, by numbers and by cursors, and goes back from the last one.
func TestPagesLeadOnAndBackInEveryFormat(t *testing.T) {
	t.Parallel()
	for _, mediaType := range []string{format.JSON, jsonld.MediaType, hal.MediaType, jsonapi.MediaType} {
		c := newLamps(t, resource.Config{}, resource.Of[Lamp]{})
		for i := range 5 {
			c.Send("POST /api/lamps", `{"name":"`+strconv.Itoa(i)+`"}`).Mentions(http.StatusCreated)
		}
		for _, first := range []string{"/api/lamps?itemsPerPage=2", "/api/lamps?itemsPerPage=2&cursor="} {
			walk := func(at, rel string) []string {
				var bodies []string
				for ; at != ""; at = pagesOf(t, mediaType, c.Send("GET "+at, "", "Accept", mediaType).Mentions(http.StatusOK))[rel] {
					if bodies = append(bodies, at); len(bodies) > 5 {
						t.Fatalf("%s: there is no end of pages: %v", mediaType, bodies)
					}
				}
				return bodies
			}
			on := walk(first, "next")
			back := walk(on[len(on)-1], "prev")
			if len(on) != 3 || len(back) != 3 {
				t.Errorf("%s: the pages are %q, and back %q", mediaType, on, back)
			}
			pages := pagesOf(t, mediaType, c.Send("GET "+on[1], "", "Accept", mediaType))
			again := pagesOf(t, mediaType, c.Send("GET "+pages["first"], "", "Accept", mediaType).Mentions(http.StatusOK))
			if again["prev"] != "" || again["next"] == "" {
				t.Errorf("%s: the first page of %v leads to %v", mediaType, pages, again)
			}
		}
	}
}
