package resource_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Everything has a member of every kind.
type Everything struct {
	ID     int64             `json:"id"`
	Name   string            `json:"name" validate:"notblank,max=20"`
	Mail   *string           `json:"mail" validate:"omitempty,email"`
	Count  int8              `json:"count" validate:"omitempty,gte=-5"`
	Size   uint16            `json:"size"`
	Ratio  float32           `json:"ratio"`
	On     *bool             `json:"on"`
	When   time.Time         `json:"when"`
	Bytes  []byte            `json:"bytes"`
	Inner  Address           `json:"inner" validate:"omitempty"`
	Maybe  *Address          `json:"maybe"`
	List   []Address         `json:"list" validate:"max=3"`
	Map    map[string]string `json:"map" validate:"dive,keys,max=5,endkeys,min=1"`
	ByName map[string]Vessel `json:"byName"`
	Any    any               `json:"any"`
	Fixed  [2]int            `json:"fixed"`
	Secret string            `json:"secret" api:"writeonly"`
}

// FuzzBodies sends any body to every operation that takes one: none is answered 5xx,
// and what was taken can be read.
func FuzzBodies(f *testing.F) {
	for _, body := range []string{
		`{}`, `null`, `[]`, `{"name":"x","inner":{"city":"y"}}`, `{"name":"x","count":1e1,"size":65536}`,
		`{"list":[{"city":"a"},{}],"map":{"a]b[":""},"any":{"a":[1,null]}}`, `{"byName":{"x.y]":{"name":""}},"fixed":[1]}`,
		`{"when":"2026-02-30T00:00:00Z","bytes":"!","on":null,"maybe":null}`, `{"name":"\u0000","a\u0000":1}`, `{"name":`,
		`{"inner":{"city":"x"},"name":"a","list":[],"ratio":1e39}`, "{\"name\":\"\xff\"}",
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		c := newClient(t, resource.Config{}, resource.Of[Everything]{
			Store:      memory.New(Everything{Name: "a", Inner: Address{City: "b"}, Map: map[string]string{"k": "v"}}),
			Operations: append(operation.Standard(), operation.Put{Name: "replace", URITemplate: "/replace/{id}", ExtraProperties: map[string]any{"standard_put": true}}),
		})
		for _, request := range []string{
			"POST /api/everythings", "PUT /api/everythings/1", "PATCH /api/everythings/1", "PUT /api/replace/1",
		} {
			got := c.sendReader(request, strings.NewReader(body))
			switch {
			case got.status >= http.StatusInternalServerError:
				t.Errorf("%s of %q is answered %d: %s", request, body, got.status, got.body)
			case got.status < http.StatusBadRequest:
				c.send("GET /api/everythings/1", "").hasStatus(200)
			}
		}
	})
}

// FuzzPaths asks for any path and query: none is answered 5xx.
func FuzzPaths(f *testing.F) {
	f.Add("/api/programmers/a%2Fb.json", "x=1")
	f.Add("/api/programmers/%00", "%zz")
	f.Add("/api/programmers/..", "")
	f.Add("//api", "&&=")
	c := newClient(f, resource.Config{}, resource.Of[Programmer]{}, resource.Of[DragonTreasure]{})
	f.Fuzz(func(t *testing.T, path, query string) {
		c := client{t, c.handler}
		target := &url.URL{Scheme: "http", Host: "example.com", RawQuery: query}
		if decoded, err := url.PathUnescape(path); err == nil {
			target.Path, target.RawPath = decoded, path
		}
		for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodOptions, "BREW"} {
			if got := c.sendURL(method, target); got.status >= http.StatusInternalServerError {
				t.Errorf("%s %s?%s is answered %d: %s", method, path, query, got.status, got.body)
			}
		}
	})
}
