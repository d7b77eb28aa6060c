// Package alike_test compares the stores: random requests to random declarations must get the same responses from each.
package storediff_test

import (
	"context"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// These are the number of worlds, and of requests to each.
const (
	worlds   = 36
	requests = 150
)

func TestTheStoresRespondAlikeToRandomRequests(t *testing.T) {
	t.Parallel()
	count := worlds
	if testing.Short() {
		count /= 2
	}
	for seed := range count {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := mathrand.New(mathrand.NewPCG(uint64(seed), 41))
			p := &program{T: t, world: worldOf(seed, random), random: random}
			p.services = p.open()
			for range requests {
				if p.send(p.next()); t.Failed() {
					t.Logf("the requests were:\n%s", strings.Join(p.sent, "\n"))
					return
				}
			}
			if p.succeeded < requests/5 {
				t.Errorf("%d of %d requests succeeded: the program tests little", p.succeeded, requests)
			}
		})
	}
}

// program is the sequence of requests to one world, with the services that receive them.
type program struct {
	*testing.T

	world     world
	random    *mathrand.Rand
	services  []*service
	sent      []string
	made      map[string]int // the number of created records per resource
	deleted   string         // the path of the deed that the last request for it deletes
	succeeded int
}

// service is the API on one store.
type service struct {
	name string
	api  *resource.API
	ids  map[string]string // the store's identifiers, by the placeholders in requests
}

// open returns the services: first the one in memory, last those on PostgreSQL and MariaDB if there is a server.
func (p *program) open() []*service {
	p.Helper()
	p.made = map[string]int{}
	light, err := sqlite.Open(file(p.T))
	if err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() {
		if err := light.Close(); err != nil {
			p.Error(err)
		}
	})
	all := []*service{
		{"memory", p.world.open(p.T, p.world, nil), map[string]string{}},
		{"SQLite", p.world.open(p.T, p.world, light), map[string]string{}},
	}
	servers := map[string]string{"MariaDB": os.Getenv("TROVE_TEST_MYSQL")}
	if os.Getenv("TROVE_TEST_POOLER") == "" {
		servers["PostgreSQL"] = os.Getenv("TROVE_TEST_POSTGRES")
	}
	for name, dsn := range servers {
		if dsn != "" {
			opened, _ := spec.OpenSchema(p.T, dsn, 1)
			all = append(all, &service{name, p.world.open(p.T, p.world, opened[0]), map[string]string{}})
		}
	}
	return all
}

// request is one request. In its path and body, records with a generated identifier are placeholders such as {land:1}.
type request struct {
	method, path, body, accept, token string
	creates                           string // the resource of the record that it creates; "" for none
}

// send sends a request to all services, and compares their responses.
func (p *program) send(r request) {
	p.Helper()
	p.sent = append(p.sent, fmt.Sprintf("%s %s %s (accept %q, token %q)", r.method, r.path, r.body, r.accept, r.token))
	var first string
	succeeded := false
	for i, s := range p.services {
		w := s.send(r)
		if w.Code == http.StatusCreated && r.creates != "" && p.isGenerated(r.creates) {
			location := w.Header().Get("Location")
			s.ids[fmt.Sprintf("{%s:%d}", r.creates, p.made[r.creates])] = location[strings.LastIndex(location, "/")+1:]
		}
		succeeded = w.Code < http.StatusMultipleChoices
		got := s.canonical(fmt.Sprintf("%d, total %q, type %q\n%s", w.Code, w.Header().Get("X-Total-Count"), w.Header().Get("Content-Type"), w.Body))
		switch {
		case w.Code >= http.StatusInternalServerError:
			p.Errorf("%s responds with %s", s.name, got)
		case i == 0:
			first = got
		case got != first:
			p.Errorf("the stores respond differently:\n%s: %s\n%s: %s", p.services[0].name, first, s.name, got)
		}
	}
	if succeeded {
		p.succeeded++
		if r.creates != "" {
			p.made[r.creates]++
		}
	}
}

func (p *program) isGenerated(resource string) bool {
	return resource == "land" && p.world.lands == "number" || resource == "town" && p.world.towns == "number"
}

var placeholder = regexp.MustCompile(`\{(?:land|town):\d+\}`)

func (s *service) send(r request) *httptest.ResponseRecorder {
	actual := func(text string) string {
		return placeholder.ReplaceAllStringFunc(text, func(name string) string {
			if id, made := s.ids[name]; made {
				return id
			}
			return "987654"
		})
	}
	made := httptest.NewRequestWithContext(context.Background(), r.method, actual(r.path), strings.NewReader(actual(r.body)))
	if r.body != "" {
		made.Header.Set("Content-Type", "application/json")
	}
	if r.accept != "" {
		made.Header.Set("Accept", r.accept)
	}
	if r.token != "" {
		made.Header.Set("Authorization", "Bearer "+r.token)
	}
	w := httptest.NewRecorder()
	s.api.ServeHTTP(w, made)
	return w
}

var (
	// identified matches generated identifiers in responses.
	identified = regexp.MustCompile(`((?:/|%2F)api(?:/|%2F)(land|town)s(?:/|%2F)|"(land|town)Id":)(\d+)`)
	// restriction matches the field that references a record, because of several fields each store names a different
	// one.
	restriction = regexp.MustCompile(`The record cannot be deleted because [^"]*`)
	// conflict matches the error about one of several unique fields and constraints, because of several broken ones each store names
	// a different one.
	conflict = regexp.MustCompile(`.*(?:(?:code|townId|name and twin) is already in use|A deed conflicts)\..*`)
	// moment matches the times of deletions and changes.
	moment = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z`)
)

// canonical returns a response in which generated identifiers have the same names.
func (s *service) canonical(response string) string {
	names := map[string]string{}
	for name, id := range s.ids {
		names[name[1:5]+id] = name
	}
	response = identified.ReplaceAllStringFunc(response, func(found string) string {
		parts := identified.FindStringSubmatch(found)
		if name, made := names[parts[2]+parts[3]+parts[4]]; made {
			return parts[1] + name
		}
		return found
	})
	response = conflict.ReplaceAllString(response, "A deed conflicts.")
	return moment.ReplaceAllString(restriction.ReplaceAllString(response, "The record cannot be deleted."), "2026-01-01T00:00:00Z")
}

func (p *program) one(values ...string) string { return values[p.random.IntN(len(values))] }

func (p *program) coin() bool { return p.random.IntN(2) == 0 }

// escaped returns a query string of names and values.
func escaped(pairs ...string) string {
	var all []string
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, url.QueryEscape(pairs[i])+"="+strings.NewReplacer("%7B", "{", "%7D", "}", "%3A", ":", "%2F", "/").Replace(url.QueryEscape(pairs[i+1])))
	}
	return strings.Join(all, "&")
}
