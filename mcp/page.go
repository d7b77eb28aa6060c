package mcp

import (
	"encoding/base64"
	"net/url"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/schema"
)

// pageFormat writes a page as tools answer with it. It is no format of the API: no request asks
// for it.
//
//nolint:gochecknoglobals // nothing changes it
var pageFormat = format.Format{
	MediaType: "application/json",
	Collection: format.Collection{
		Begin:     func(b []byte, _ format.Page) ([]byte, error) { return append(b, `{"items":[`...), nil },
		Item:      func(b []byte, item format.Item) ([]byte, error) { return item.AppendJSON(b) },
		Separator: ",",
		End:       endPage,
	},
}

// endPage writes where the next page is. The query of it is all that the call asked for, so that a
// model need not say it again, and does not forget to.
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

// openCursor returns the query that a cursor has in it. One that has none is a cursor as HTTP has it,
// or a wrong one, which the operation refuses.
func openCursor(text string) url.Values {
	if query, err := base64.RawURLEncoding.DecodeString(text); err == nil {
		if values, err := url.ParseQuery(string(query)); err == nil && (values.Has(cursor) || values.Has("page") || values.Has(offset)) {
			return values
		}
	}
	return url.Values{cursor: {text}}
}
