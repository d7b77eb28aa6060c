package pipeline

import (
	"context"
	"net/http"
	"strconv"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/conditional"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/store"
)

// list loads the records that the parameters ask for, and notes whether there are more.
func (x *exchange) list(ctx context.Context) error {
	if x.format.Stream {
		return x.beginStream(ctx)
	}
	page, err := x.loadPage(ctx, x.values.Query)
	if err != nil {
		return err
	}
	x.more = x.cut(&page)
	if x.values.Window.Backward {
		page.Items.Reverse()
	}
	x.items, x.total = page.Items, noTotal
	switch {
	case x.values.Window.Mode == parameters.Whole:
		x.total = page.Items.Len()
	case x.values.Query.Count:
		x.total = page.Total
	}
	return nil
}

// loadPage asks the store for records, and tells of those that it could not read.
func (x *exchange) loadPage(ctx context.Context, query store.Query) (compiled.Page, error) {
	page, err := x.op.Resource.Store.List(ctx, query)
	for _, broken := range page.Broken {
		x.logOmitted(broken, nil)
	}
	return page, err
}

// noTotal stands for a total that nobody asked for.
const noTotal = -1

// cut cuts off the record that was asked for to see whether there are more.
func (x *exchange) cut(page *compiled.Page) (more bool) {
	size := x.values.Window.Size
	if x.values.Window.Mode == parameters.NoItems {
		page.Items.Cut(0)
		return false
	}
	if size == 0 || page.Items.Len() <= size {
		return false
	}
	page.Items.Cut(size)
	return true
}

// appendItems appends the records of a page as a JSON array.
func (x *exchange) appendItems(b []byte) []byte {
	encoder := x.encoder()
	b = append(b, '[')
	first := true
	for i := range x.items.Len() {
		before := len(b)
		if !first {
			b = append(b, ',')
		}
		made, shown := x.appendItem(b, encoder, x.items.At(i))
		if b = made; !shown {
			b = b[:before]
		}
		first = first && !shown
	}
	return append(b, ']')
}

// addPageLines makes the fields that tell where the other pages are and how many records
// there are, and ETag, in one text with the length of the answer.
func (x *exchange) addPageLines() error {
	var room [512]byte
	b, err := x.op.Parameters.Link(room[:0], x.values, &parameters.Answer{
		URL: x.r.URL, Count: x.items.Len(), More: x.more, Total: x.total, At: x.items.At,
	})
	if err != nil {
		return err
	}
	link := len(b)
	b = strconv.AppendInt(b, int64(x.total), 10)
	total := len(b)
	b = append(conditional.AppendHash(append(b, '"'), x.answer, b[:link], b[link:]), '"')
	tag := len(b)
	text := string(strconv.AppendInt(b, int64(len(x.answer)), 10))
	x.lines.link[0], x.lines.total[0], x.lines.tag[0], x.lines.length[0] = text[:link], text[link:total], text[total:tag], text[tag:]
	return nil
}

// setPageHeader writes the fields that tell of the other pages.
func (x *exchange) setPageHeader(header http.Header) {
	if x.items == nil {
		return
	}
	if x.lines.link[0] != "" {
		addField(header, "Link", x.lines.link[:])
	}
	if x.total != noTotal {
		header["X-Total-Count"] = x.lines.total[:]
	}
}
