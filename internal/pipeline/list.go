package pipeline

import (
	"context"
	"net/http"
	"strconv"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/parameters"
)

// list loads the records that the parameters ask for, and notes where the next ones are.
func (x *exchange) list(ctx context.Context) error {
	if x.format.Stream {
		return x.beginStream(ctx)
	}
	page, err := x.op.Resource.Store.List(ctx, x.values.Query)
	if err != nil {
		return err
	}
	more := x.cut(&page)
	if x.values.Window.Backward {
		page.Items = page.Items.Reversed()
	}
	x.items, x.total = page.Items, noTotal
	switch {
	case x.values.Window.Mode == parameters.Whole:
		x.total = page.Items.Len()
	case x.values.Query.Count:
		x.total = page.Total
	}
	x.link, err = x.op.Parameters.Link(x.values, x.r.URL.EscapedPath(), x.r.URL.RawQuery, parameters.Answer{
		Count: page.Items.Len(), More: more, Total: page.Total, At: page.Items.At,
	})
	return err
}

// noTotal stands for a total that nobody asked for.
const noTotal = -1

// cut cuts off the record that was asked for to see whether there are more.
func (x *exchange) cut(page *compiled.Page) (more bool) {
	size := x.values.Window.Size
	if size == 0 || page.Items.Len() <= size {
		return false
	}
	page.Items = page.Items.First(size)
	return true
}

// appendItems appends the records of a page as a JSON array.
func (x *exchange) appendItems(b []byte) (_ []byte, err error) {
	encoder := x.encoder()
	b = append(b, '[')
	for i := range x.items.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = encoder.Append(b, x.items.At(i)); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

// setPageHeader tells where the other pages are, and how many records there are.
func (x *exchange) setPageHeader(header http.Header) {
	if x.items == nil {
		return
	}
	if x.link != "" {
		x.lines.link[0] = x.link
		addField(header, "Link", x.lines.link[:])
	}
	if x.total != noTotal {
		x.lines.total[0] = strconv.Itoa(x.total)
		header["X-Total-Count"] = x.lines.total[:]
	}
}
