package mcp

import (
	"encoding/base64"
	"net/url"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/schema"
)

// pageFormat writes the pages that tools return. It is not among the formats of the API.
//
//nolint:gochecknoglobals // constant
var pageFormat = format.Format{
	MediaType: "application/json",
	Collection: format.Collection{
		Begin:     func(b []byte, _ format.Page) ([]byte, error) { return append(b, `{"items":[`...), nil },
		Item:      func(b []byte, item format.Item) ([]byte, error) { return item.AppendJSON(b) },
		Separator: ",",
		End:       endPage,
	},
}

// endPage writes the cursor of the next page. It contains the whole query, so a model need not repeat the arguments.
func endPage(b []byte, page format.Page) ([]byte, error) {
	links, err := page.Links()
	if err != nil {
		return b, err
	}
	b = append(b, ']')
	if next, err := url.Parse(links.Next); err == nil && next.RawQuery != "" {
		b = append(append(b, `,"nextCursor":`...), schema.ValueOf(base64.RawURLEncoding.EncodeToString([]byte(next.RawQuery)))...)
	}
	return append(b, '}'), nil
}

// openCursor returns the query in a cursor. Without one it is a cursor of HTTP, or invalid, which the operation reports.
func openCursor(text string) url.Values {
	if query, err := base64.RawURLEncoding.DecodeString(text); err == nil {
		if values, err := url.ParseQuery(string(query)); err == nil && (values.Has(cursor) || values.Has("page") || values.Has(offset)) {
			return values
		}
	}
	return url.Values{cursor: {text}}
}
