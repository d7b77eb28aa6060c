package httpserve

import (
	"context"
	"net/http"
	"strconv"

	"github.com/trove-api/trove/internal/conditional"
	"github.com/trove-api/trove/internal/execute"
	"github.com/trove-api/trove/internal/parameters"
)

// appendItems appends the records of a page as a JSON array.
func (x *exchange) appendItems(ctx context.Context, b []byte) []byte {
	encoder := x.encoder()
	b = append(b, '[')
	first := true
	for i := range x.result.Items.Len() {
		before := len(b)
		if !first {
			b = append(b, ',')
		}
		made, shown := x.appendItem(ctx, b, encoder, x.result.Items.At(i))
		if b = made; !shown {
			b = b[:before]
		}
		first = first && !shown
	}
	return append(b, ']')
}

// addPageLines makes the fields that tell where the other pages are and how many records
// there are, and ETag, in one text with the length of the answer.
func (x *exchange) addPageLines(ctx context.Context) error {
	var room [512]byte
	b, err := x.op.Parameters.Link(room[:0], x.call.Values, &parameters.Answer{
		URL: x.r.URL, Count: x.result.Items.Len(), More: x.result.More, Total: x.result.Total, At: x.result.Items.At,
		Masks: x.call.Masks(ctx),
	})
	if err != nil {
		return err
	}
	link := len(b)
	b = strconv.AppendInt(b, int64(x.result.Total), 10)
	total := len(b)
	b = append(conditional.AppendHash(append(b, '"'), x.body, b[:link], b[link:]), '"')
	tag := len(b)
	text := string(strconv.AppendInt(b, int64(len(x.body)), 10))
	x.lines.link[0], x.lines.total[0], x.lines.tag[0], x.lines.length[0] = text[:link], text[link:total], text[total:tag], text[tag:]
	return nil
}

// setPageHeader writes the fields that tell of the other pages.
func (x *exchange) setPageHeader(header http.Header) {
	if x.result.Items == nil {
		return
	}
	if x.lines.link[0] != "" {
		addField(header, "Link", x.lines.link[:])
	}
	if x.result.Total != execute.NoTotal {
		header["X-Total-Count"] = x.lines.total[:]
	}
}
