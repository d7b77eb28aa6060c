package jsonapi

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// MediaType is the media type of JSON:API.
const MediaType = "application/vnd.api+json"

// Format is JSON:API, with the suffix ".jsonapi". Do not change it; a copy can have another suffix.
var Format = format.Format{ //nolint:gochecknoglobals // a value, as all formats are
	MediaType: MediaType,
	Suffix:    ".jsonapi",
	ForAPI: func(api *format.API) (format.Format, error) {
		t := &types{api, sync.OnceValue(func() map[string]string { return typesOf(api) })}
		return format.Format{
			Linked:      true,
			EmbedsOnce:  true,
			SchemaName:  "jsonapi",
			ErrorSchema: json.RawMessage(errorSchema),
			Supports:    supports,
			For:         t.planned,
			WriteError:  t.writeError,
			Index:       func(b []byte, entries []format.Entry) ([]byte, error) { return t.appendIndex(b, entries), nil },
			// It has no documents, but formats that can have some get the API, which the names of types need.
			Documents: func() []format.Document { return nil },
		}, nil
	},
}

// supports reports whether the format supports a media type with parameters: profiles are ignored, but extensions and
// all other parameters are not supported (section 5.1 of JSON:API).
func supports(parameters map[string]string) bool {
	for name, value := range parameters {
		if name != "profile" && (name != "ext" || strings.TrimSpace(value) != "") {
			return false
		}
	}
	return true
}

// planned returns the functions for a type.
func (n *types) planned(t *format.Type) (format.Format, error) {
	for i := range t.Fields {
		if name := t.Fields[i].Name; isRecord(t) {
			if err := checkName(name, name == t.ID); err != nil {
				return format.Format{}, err
			}
		}
	}
	w := newWriter(n, t)
	return format.Format{
		Read: newReader(n, t).read,
		Item: w.appendDocument,
		Collection: format.Collection{
			Begin:     func(b []byte, _ format.Page) ([]byte, error) { return append(b, opening+`"data":[`...), nil },
			Item:      w.appendRecord,
			Separator: ",",
			End:       w.appendPage,
		},
		Query:  newTranslator(n, t).translate,
		Schema: schemas{n, t}.of,
	}, nil
}

// isRecord reports whether a type is that of a resource's records, and not the type of a handler.
func isRecord(t *format.Type) bool { return t.Name != "" && t.Kind == format.Object }

// checkName returns an error for a field name that JSON:API does not allow.
func checkName(name string, isID bool) error {
	const advice = "rename it with its json tag, or set Formats of the resource without JSON:API"
	if !isID && (name == "id" || name == "type") {
		return fmt.Errorf("JSON:API reserves the field name %s; %s", name, advice)
	}
	for i, c := range name {
		inner := 0 < i && i < len(name)-1 && (c == '-' || c == '_' || c == ' ')
		if !inner && (c < 0x80 && (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9')) {
			return fmt.Errorf("the field name %s is not allowed in JSON:API (letters, digits, and inside it - and _); %s", name, advice)
		}
	}
	return nil
}

// opening is the beginning of all documents.
const opening = `{"jsonapi":{"version":"1.1"},`

// ownLinks are the links that JSON:API defines (section 7.6).
var ownLinks = []string{"self", "related", "describedby", "first", "last", "prev", "next"}

// appendIndex appends the entry point: a document without records, with a link to each collection by its type. If
// JSON:API defines a link with that name, the name gets a / in front.
func (n *types) appendIndex(b []byte, entries []format.Entry) []byte {
	b = scan.AppendQuoted(append(b, opening+`"data":[],"links":{"self":`...), cmp.Or(n.api.Prefix, "/"))
	for _, e := range entries {
		name := n.name(e.Type)
		if slices.Contains(ownLinks, name) {
			name = "/" + name
		}
		b = scan.AppendQuoted(scan.AppendName(append(b, ','), name), e.Path)
	}
	return append(b, "}}"...)
}
