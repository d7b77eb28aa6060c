package csv

import (
	"encoding/json"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// MediaType is the media type of CSV (RFC 4180).
const MediaType = "text/csv"

// Format is CSV, with the suffix ".csv". Do not change it; a copy can have another suffix.
var Format = format.Format{ //nolint:gochecknoglobals // a value, as all formats are
	MediaType:   MediaType,
	ContentType: MediaType + "; charset=utf-8; header=present",
	Suffix:      ".csv",
	Stream:      true,
	Linked:      true, // a view's embedded records are columns
	EmbedsOnce:  true, // records that clients expand are omitted
	Supports:    supports,
	For:         planned,
	Index: func(b []byte, entries []format.Entry) ([]byte, error) {
		b = append(b, "type,address\r\n"...)
		for _, e := range entries {
			b = appendText(b, e.Type)
			b = appendText(append(b, ','), e.Path)
			b = append(b, crlf...)
		}
		return b, nil
	},
}

const crlf = "\r\n"

// supports reports whether the parameters of the media type are those of a table in UTF-8 with a header (RFC 4180).
func supports(parameters map[string]string) bool {
	charset, given := parameters["charset"]
	return !strings.EqualFold(parameters["header"], "absent") && (!given || strings.EqualFold(charset, "utf-8"))
}

// planned returns the functions for a type.
func planned(t *format.Type) (format.Format, error) {
	row, many := t, t.Kind == format.List && t.Elem.Kind == format.Object
	if many {
		row = t.Elem
	}
	written, read := newTable(row), newReader(row, many)
	columns := written.root.names()
	if t.Request {
		columns = read.root.settable()
	}
	return format.Format{
		Read: read.read,
		Item: func(b []byte, item format.Item) ([]byte, error) {
			b = written.appendHeader(b, item.Selected())
			if many {
				return written.appendRows(b, item)
			}
			return written.appendRow(b, item)
		},
		Collection: format.Collection{
			Begin: func(b []byte, page format.Page) ([]byte, error) { return written.appendHeader(b, page.Selected()), nil },
			Item:  written.appendRow,
		},
		Schema: func(json.RawMessage, bool) json.RawMessage { // JSON Schema has no keywords for the form of a table
			return scan.Schema(map[string]string{
				"type": "string", "description": "CSV (RFC 4180) with a header. Columns: " + strings.Join(columns, ", ") + ".",
			})
		},
	}, nil
}
