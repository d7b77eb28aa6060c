package extend

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/resource"
)

// Event is a meeting or a party.
type Event struct {
	ID       int64     `json:"id"`
	Title    string    `json:"title" validate:"notblank,max=100" api:"filter=partial" example:"Treasure hunt"`
	Start    time.Time `json:"start" api:"sort" example:"2026-12-24T18:00:00Z"`
	Modified time.Time `json:"modified" api:"modified"`
}

// Events declares the events, as JSON and as a calendar.
var Events = resource.Of[Event]{
	Description: "A meeting or a party.",
	Formats:     append(format.Standard(), Calendar),
	Order:       []string{"start"},
}

// Calendar is the format iCalendar (RFC 5545), to which calendar programs subscribe.
var Calendar = format.Format{
	MediaType:   "text/calendar",
	ContentType: "text/calendar; charset=utf-8",
	Suffix:      ".ics",
	Stream:      true, // all events instead of a page
	Collection: format.Collection{
		Begin: func(b []byte, _ format.Page) ([]byte, error) {
			return append(b, "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//Events//EN\r\n"...), nil
		},
		Item: appendEvent,
		End: func(b []byte, _ format.Page) ([]byte, error) {
			return append(b, "END:VCALENDAR\r\n"...), nil
		},
	},
}

// appendEvent appends one event to b. It must not keep b or the item.
func appendEvent(b []byte, item format.Item) ([]byte, error) {
	text, err := item.AppendJSON(nil)
	if err != nil {
		return nil, err
	}
	var e Event
	if err := json.Unmarshal(text, &e); err != nil {
		return nil, err
	}
	const form = "20060102T150405Z"
	b = append(b, "BEGIN:VEVENT\r\nUID:event-"+item.ID()+"@events.example\r\n"...)
	b = append(b, "DTSTAMP:"+e.Modified.UTC().Format(form)+"\r\nDTSTART:"+e.Start.UTC().Format(form)+"\r\n"...)
	return append(b, "SUMMARY:"+escape.Replace(e.Title)+"\r\nEND:VEVENT\r\n"...), nil
}

// escape escapes text (RFC 5545, section 3.3.11).
var escape = strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\r\n", `\n`, "\n", `\n`, "\r", `\n`)
