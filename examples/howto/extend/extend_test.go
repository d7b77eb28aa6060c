package extend_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/trove-api/trove/examples/howto/extend"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/storetest"
)

func newAPI(t *testing.T, declarations ...resource.Declaration) *resource.API {
	t.Helper()
	api, err := resource.New(resource.Config{}, declarations...)
	if err == nil {
		err = openapi.Mount(api, openapi.Config{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return api
}

func send(t *testing.T, api http.Handler, request, body string, want int) *httptest.ResponseRecorder {
	t.Helper()
	method, path, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	if api.ServeHTTP(w, r); w.Code != want {
		t.Fatalf("%s %s: %d, want %d: %s", request, body, w.Code, want, w.Body)
	}
	return w
}

func TestEventsAreACalendar(t *testing.T) {
	t.Parallel()
	api := newAPI(t, extend.Events)
	send(t, api, "POST /api/events", `{"title":"Cake; tea, and talk","start":"2026-12-24T18:00:00+01:00"}`, 201)
	send(t, api, "POST /api/events", `{"title":"Hunt","start":"2026-12-23T18:00:00Z"}`, 201)
	w := send(t, api, "GET /api/events.ics", "", 200)
	if got := w.Header().Get("Content-Type"); got != "text/calendar; charset=utf-8" {
		t.Errorf("the content type is %s", got)
	}
	got := regexp.MustCompile(`DTSTAMP:\d{8}T\d{6}Z`).ReplaceAllString(w.Body.String(), "DTSTAMP:now")
	want := strings.Join([]string{
		"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Events//EN",
		"BEGIN:VEVENT", "UID:event-2@events.example", "DTSTAMP:now", "DTSTART:20261223T180000Z", "SUMMARY:Hunt", "END:VEVENT",
		"BEGIN:VEVENT", "UID:event-1@events.example", "DTSTAMP:now", "DTSTART:20261224T170000Z", `SUMMARY:Cake\; tea\, and talk`, "END:VEVENT",
		"END:VCALENDAR", "",
	}, "\r\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if body := send(t, api, "GET /api/events.ics?title=cake", "", 200).Body.String(); strings.Contains(body, "Hunt") {
		t.Errorf("filtered: %s", body)
	}
	send(t, api, "GET /api/events/1.ics", "", 404) // the format has no Item
	openapitest.Conform(t, api, openapitest.Requests(20))
}

// Setting is kept in a file.
type Setting struct {
	Key   string `json:"key" api:"id" example:"color"`
	Value string `json:"value" validate:"max=100" api:"filter"`
}

func TestRecordsAreInTheFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "settings.json")
	reopen := func() *resource.API {
		settings, err := extend.Open[Setting](path)
		if err != nil {
			t.Fatal(err)
		}
		return newAPI(t, resource.Of[Setting]{Store: settings})
	}
	api := reopen()
	send(t, api, "POST /api/settings", `{"key":"color","value":"red"}`, 201)
	send(t, api, "POST /api/settings", `{"key":"color","value":"blue"}`, 409)
	send(t, api, "PATCH /api/settings/color", `{"value":"green"}`, 200)
	if body := send(t, reopen(), "GET /api/settings?value=green", "", 200).Body.String(); body != `[{"key":"color","value":"green"}]` {
		t.Errorf("after a start the settings are %s", body)
	}
	openapitest.Conform(t, reopen(), openapitest.Requests(20))
}

func TestFileIsAStore(t *testing.T) {
	t.Parallel()
	suite := storetest.Suite[any]{}
	suite.Integers = open // Go infers the type of the records
	suite.Strings = open
	suite.Values = open
	suite.Stamps = open
	suite.Run(t)
}

func open[T any](t *testing.T, _ any) store.Store[T] {
	t.Helper()
	file, err := extend.Open[T](filepath.Join(t.TempDir(), "records.json"))
	if err != nil {
		t.Fatal(err)
	}
	return file
}
