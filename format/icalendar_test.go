package format_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/resource"
)

// calendar is a format of a user's own, whole in this file: iCalendar (RFC 5545). An event is a VEVENT, which calendars
// subscribe to as a collection and send as one.
func calendar() format.Format {
	const begin, end = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//example//EN\r\n", "END:VCALENDAR\r\n"
	around := func(text string) func([]byte, format.Page) ([]byte, error) {
		return func(b []byte, _ format.Page) ([]byte, error) { return append(b, text...), nil }
	}
	return format.Format{
		MediaType: "text/calendar", ContentType: "text/calendar; charset=utf-8", Suffix: ".ics", Stream: true,
		Item: func(b []byte, item format.Item) ([]byte, error) {
			b, err := appendEvent(append(b, begin...), item)
			return append(b, end...), err
		},
		Collection: format.Collection{Begin: around(begin), Item: appendEvent, End: around(end)},
		Read:       readEvent,
		WriteError: func(b []byte, refusal *format.ErrorResponse) ([]byte, error) {
			b = fmt.Appendf(append(b, begin...), "BEGIN:VJOURNAL\r\nSUMMARY:%s\r\n", refusal.Title)
			for _, v := range refusal.Violations {
				b = fmt.Appendf(b, "COMMENT:%s\r\n", v.Message)
			}
			return append(append(b, "END:VJOURNAL\r\n"...), end...), nil
		},
	}
}

func appendEvent(b []byte, item format.Item) ([]byte, error) {
	members, err := item.Fields()
	if err != nil {
		return b, err
	}
	b = fmt.Appendf(b, "BEGIN:VEVENT\r\nUID:%s@example.com\r\n", item.ID())
	for _, m := range members {
		var text string
		if err := json.Unmarshal(m.JSON, &text); err != nil {
			continue // a number, which no calendar has
		}
		switch m.Name {
		case "summary":
			b = fmt.Appendf(b, "SUMMARY:%s\r\n", strings.NewReplacer(`\`, `\\`, "\n", `\n`, ",", `\,`, ";", `\;`).Replace(text))
		case "begins":
			at, err := time.Parse(time.RFC3339, text)
			if err != nil {
				return b, err
			}
			b = fmt.Appendf(b, "DTSTART:%s\r\n", at.UTC().Format("20060102T150405Z"))
		}
	}
	return append(b, "END:VEVENT\r\n"...), nil
}

func readEvent(body *format.Body) ([]byte, error) {
	members := map[string]string{}
	for line := range strings.Lines(string(body.Bytes)) {
		name, value, ok := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
		switch {
		case !ok:
			return nil, &format.Error{Detail: "Each line is a name, a colon and a value."}
		case name == "SUMMARY":
			members["summary"] = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\,`, ",", `\;`, ";").Replace(value)
		case name == "DTSTART":
			at, err := time.Parse("20060102T150405Z", value)
			if err != nil {
				return nil, &format.Error{Detail: "DTSTART must be a time in UTC.", Pointer: "/begins"}
			}
			members["begins"] = at.Format(time.RFC3339)
		}
	}
	return json.Marshal(members)
}

func TestAFormatOfAUsersOwnIsOneFile(t *testing.T) {
	t.Parallel()
	type Event struct {
		ID      int64     `json:"id"`
		Summary string    `json:"summary" validate:"notblank,max=100"`
		Begins  time.Time `json:"begins"`
	}
	api := spec.NewAPI(t, resource.Config{Formats: append(format.Standard(), calendar())}, resource.Of[Event]{})
	c := spec.Client{T: t, Handler: api, MediaType: "text/calendar"}
	const first = "BEGIN:VEVENT\r\nUID:1@example.com\r\nSUMMARY:Tea\\, at last\r\nDTSTART:20260102T150405Z\r\nEND:VEVENT\r\n"
	const whole = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//example//EN\r\n" + first + "END:VCALENDAR\r\n"
	c.Send("POST /api/events.ics", strings.Replace(whole, "UID:1@example.com\r\n", "", 1)).Reads(http.StatusCreated, whole).
		Has("Location", "/api/events/1").Has("Content-Location", "/api/events/1").Has("Content-Type", "text/calendar; charset=utf-8")
	c.Send("GET /api/events/1", "", "Accept", "application/json").Reads(http.StatusOK, `{"id":1,"summary":"Tea, at last","begins":"2026-01-02T15:04:05Z"}`)
	c.Send("GET /api/events.ics", "").Reads(http.StatusOK, whole)
	c.Send("GET /api/events", "", "Accept", "text/calendar").Reads(http.StatusOK, whole).Has("Vary", "Accept")
	c.Send("PATCH /api/events/1", "SUMMARY:Coffee").HasStatus(http.StatusOK).Mentions(`"summary":"Coffee","begins":"2026-01-02T15:04:05Z"`)
	c.Send("POST /api/events", "DTSTART:today\r\n").HasStatus(http.StatusBadRequest).Mentions("DTSTART must be a time in UTC.", `"pointer":"/begins"`)
	c.Send("POST /api/events", "SUMMARY: \r\n").HasStatus(http.StatusBadRequest).Mentions("summary must not be blank")
	c.Send("POST /api/events.ics", "SUMMARY: \r\n").Reads(http.StatusBadRequest, "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//example//EN\r\n"+
		"BEGIN:VJOURNAL\r\nSUMMARY:There was a validation error\r\nCOMMENT:summary must not be blank\r\nEND:VJOURNAL\r\nEND:VCALENDAR\r\n")
	c.Send("OPTIONS /api/events", "").Has("Accept-Post", "application/json, text/calendar")
	doc, err := openapi.Document(api, openapi.Config{Title: "Events", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	if of := doc.Paths.Value("/api/events").Post.RequestBody.Value.Content["text/calendar"]; of == nil || !of.Schema.Value.Type.Is("string") {
		t.Errorf("the body is described as %+v", of)
	}
	openapitest.Conform(t, api, openapitest.Requests(40))
}
