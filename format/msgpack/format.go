package msgpack

import (
	"encoding/json"

	"github.com/trove-api/trove/format"
)

// MediaType is the registered media type of MessagePack.
const MediaType = "application/vnd.msgpack"

// Format is MessagePack, with the suffix ".msgpack". Nobody should change it; a copy may get
// another suffix.
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
	// As problems and the shapes of validation errors are alike: the latter have more members.
	ErrorSchema: json.RawMessage(`{"type":"object","description":"A refusal, as JSON has it.","properties":{` +
		`"type":{"type":"string","format":"uri-reference","description":"The kind of problem."},` +
		`"title":{"type":"string","description":"What is wrong, the same for each of its kind."},` +
		`"status":{"type":"integer","minimum":400,"maximum":599,"description":"The HTTP status."},` +
		`"detail":{"type":"string","description":"What is wrong this time."}},"additionalProperties":{},"required":["type","title"]}`),
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
