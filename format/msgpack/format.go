package msgpack

import (
	"encoding/json"

	"github.com/trove-api/trove/format"
)

// MediaType is the registered media type of MessagePack.
const MediaType = "application/vnd.msgpack"

// Format is MessagePack, with the suffix ".msgpack". Do not change it; a copy can have another suffix.
var Format = format.Format{ //nolint:gochecknoglobals // a value, as all formats are
	MediaType: MediaType,
	Suffix:    ".msgpack",
	Read:      read,
	Item:      appendItem,
	Collection: format.Collection{
		Begin: func(b []byte, _ format.Page) ([]byte, error) { return append(b, fixarray), nil },
		Item:  appendItem,
		End: func(b []byte, page format.Page) ([]byte, error) {
			return endContainer(b, 0, page.Count(), fixarray, array16), nil
		},
	},
	Schema:     schema,
	WriteError: func(b []byte, r *format.ErrorResponse) ([]byte, error) { return appendJSON(b, r.JSON), nil },
	// It covers problems and validation errors, which have additional fields.
	ErrorSchema: json.RawMessage(`{"type":"object","description":"An error, with the fields of its JSON.","properties":{` +
		`"type":{"type":"string","format":"uri-reference","description":"The kind of problem."},` +
		`"title":{"type":"string","description":"The kind of problem in words."},` +
		`"status":{"type":"integer","minimum":400,"maximum":599,"description":"The HTTP status."},` +
		`"detail":{"type":"string","description":"What is wrong with this request."}},"additionalProperties":{},"required":["type","title"]}`),
	Index: func(b []byte, entries []format.Entry) ([]byte, error) {
		begin := len(b)
		b = append(b, fixmap)
		for _, e := range entries {
			b = appendText(appendText(b, e.Type), e.Path)
		}
		return endContainer(b, begin, len(entries), fixmap, map16), nil
	},
}

func schema(record json.RawMessage, collection bool) json.RawMessage {
	if collection {
		return append(append(json.RawMessage(`{"type":"array","items":`), record...), '}')
	}
	return record
}
