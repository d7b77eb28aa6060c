package openapitest

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/msgpack"
)

// decoded returns a body as JSON, and the media type whose schema describes that: of lines of JSON it is the
// list of them, which a document describes of JSON alone. It is nil of media types that nobody
// here can read, and not ok where the body is none of its type.
func decoded(mediaType string, body []byte) (value []byte, of string, ok bool) {
	switch {
	case strings.HasSuffix(mediaType, "ndjson"):
		lines := bytes.Split(body, []byte("\n"))
		last := len(lines) - 1 // nothing stands behind the last line's end
		list := append(append([]byte{'['}, bytes.Join(lines[:last], []byte(","))...), ']')
		return list, format.JSON, len(lines[last]) == 0
	case strings.HasSuffix(mediaType, "json"):
		return append(body, '\n'), mediaType, true // never nil: nothing is no JSON
	case mediaType == msgpack.MediaType:
		text, err := msgpack.Format.Read(&format.Body{Bytes: bytes.Clone(body), MaxDepth: math.MaxInt32, MaxMembers: math.MaxInt32})
		return text, mediaType, err == nil
	case mediaType == "text/csv": // a text, in rows as wide as the header
		if rows, err := csv.NewReader(bytes.NewReader(body)).ReadAll(); err != nil || len(rows) == 0 {
			return nil, mediaType, false
		}
		text, err := json.Marshal(string(body))
		return text, mediaType, err == nil
	}
	return nil, mediaType, true
}
