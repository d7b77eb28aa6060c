package admin_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
)

type permissions struct{ Operations, Locked []string }

// permissions returns the permissions of a caller for records.
func (s *site) permissions(caller string, paths ...string) (made map[string]permissions) {
	s.t.Helper()
	if err := json.Unmarshal([]byte(s.get(caller, "/admin/permissions?"+url.Values{"path": paths}.Encode())), &made); err != nil { //nolint:musttag // the names are alike
		s.t.Fatal(err)
	}
	return made
}

func contains(list []string, one string) bool { return slices.Contains(list, one) }

func TestAQueryWithoutPathsOrWithTooManyIsAnError(t *testing.T) {
	t.Parallel()
	s := newMuseum(t)
	for name, query := range map[string]string{
		"no path":      "",
		"another name": "paths=/api/pieces/1",
		"malformed":    "path=%zz",
		"semicolons":   "path=a;path=b",
		"101 paths":    "path=" + strings.Join(slices.Repeat([]string{"/api/pieces/1"}, 101), "&path="),
	} {
		status, body, header := s.exchange("root", http.MethodGet, "/admin/permissions?"+query, "")
		if status != http.StatusBadRequest || header.Get("Content-Type") != "application/problem+json" || !strings.Contains(body, "The parameter path") {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	paths := slices.Repeat([]string{"/api/pieces/1"}, 100)
	if got := s.permissions("root", paths...); len(got) != 1 {
		t.Errorf("100 paths: %v", got)
	}
}

// FuzzPermissions holds that a query returns only records that the caller can get, under the paths that were given.
func FuzzPermissions(f *testing.F) {
	for _, seed := range []string{
		"path=/api/pieces/1", "path=/api/pieces/2&path=/api/keepers/1", "path=%2Fapi%2Fpieces%2F1", "path=/api/pieces/1.json", "path=/api/pieces/1/",
		"path=/api//pieces/1", "path=/api/pieces/../pieces/1", "path=http://example.com/api/pieces/1", "path=/api/pieces/1?expand=quartz", "path=", "",
		"path=/api/pieces/%00", "path=/api/keepers", "path=/admin/model", "a=b", "path=/api/pieces/1%2Fpeek",
	} {
		f.Add(seed)
	}
	base := newMuseum(f).base
	f.Fuzz(func(t *testing.T, query string) {
		s := &site{t, base}
		if strings.ContainsAny(query, "# \r\n") || len(query) > 4000 {
			return
		}
		if _, err := url.Parse("http://127.0.0.1/?" + query); err != nil {
			return
		}
		for _, who := range callers {
			status, body, _ := s.exchange(who, http.MethodGet, "/admin/permissions?"+query, "")
			if status == http.StatusBadRequest {
				continue
			}
			var made map[string]permissions
			if err := json.Unmarshal([]byte(body), &made); status != http.StatusOK || err != nil { //nolint:musttag // the names are alike
				t.Fatalf("%q as %q: %d %s", query, who, status, body)
			}
			given, _ := url.ParseQuery(query)
			for path, allowed := range made {
				if !slices.Contains(given["path"], path) || len(allowed.Operations) == 0 {
					t.Fatalf("%q as %q has %q: %v", query, who, path, allowed)
				}
				if status, _, _ := s.exchange(who, http.MethodGet, path, ""); status != http.StatusOK {
					t.Fatalf("%q as %q has %q, whose GET returns %d", query, who, path, status)
				}
			}
		}
	})
}

func TestPathsMayEscapeMoreThanNeeded(t *testing.T) {
	t.Parallel()
	api, err := annex()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	s := &site{t, server.URL}
	for path, isRecord := range map[string]bool{
		"/boxes/a+b%20c": true, "/boxes/a%2Bb%20c": true, "/boxes/%61+b%20c": true, "/boxes/x;y": true, "/boxes/x%3By": true, "/racks/north;1": true,
		"/boxes/a%2Fb": true, "/boxes/a/b": false, "/racks/north%3B1": false, "/boxes/a+b%2520c": false, "/boxes/%": false, "/boxes//B01": false,
	} {
		got := s.get("secret", "/back-office/permissions?"+url.Values{"path": {path}}.Encode())
		if (got != "{}") != isRecord {
			t.Errorf("%s: %s", path, got)
		}
	}
}
