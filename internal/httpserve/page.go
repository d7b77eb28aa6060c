package httpserve

import (
	"context"
	"log/slog"
	"slices"
	"strconv"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/conditional"
	"github.com/trove-api/trove/internal/execute"
	"github.com/trove-api/trove/internal/parameters"
)

// appendItems appends the records of a page, with the beginning and end of the format. The result of a handler is complete or
// an error, because its author can fix it.
func (x *exchange) appendItems(ctx context.Context, b []byte) (_ []byte, err error) {
	written := &x.format.Collection
	x.masks = x.call.Masks(ctx)
	if written.Begin != nil {
		if b, err = written.Begin(b, (*page)(x)); err != nil {
			return b, err
		}
	}
	x.item = item{x: x, record: x.op.Resource}
	for i := range x.result.Items.Len() {
		before := len(b)
		if x.written > 0 {
			b = append(b, written.Separator...)
		}
		if !x.op.Pages { // the result of a handler is complete or an error
			if b, err = x.appendView(ctx, b, x.result.Items.At(i), written.Item); err == nil {
				err = x.work.did(len(b) - before)
			}
			if err != nil {
				return b, err
			}
			x.written++
			continue
		}
		made, shown, err := x.appendItem(ctx, b, x.result.Items.At(i))
		if err != nil {
			return b, err
		}
		if b = made; shown {
			x.written++
		} else {
			b = b[:before]
		}
	}
	if written.End != nil {
		return written.End(b, (*page)(x))
	}
	return b, nil
}

// page is the page that formats write.
type page exchange

// Type returns the short name of the resource.
func (p *page) Type() string { return p.op.Resource.ShortName }

// Path returns the path of the request, so that a collection below a record has its own path.
func (p *page) Path() string {
	if p.op.HasNoPath() {
		return ""
	}
	return p.path
}

// Selected returns the names of the fields that the response can have, nil for all.
func (p *page) Selected() []string { return (*exchange)(p).selected() }

// Parameters returns the parameters of the collection, without those of fields that the caller may read of no record.
// Such a filter never matches, and its name would reveal the field.
func (p *page) Parameters() []format.Parameter { return (*exchange)(p).parameters() }

func (x *exchange) parameters() []format.Parameter {
	if !x.guardsFields {
		return x.op.FormatParameters
	}
	return slices.DeleteFunc(slices.Clone(x.op.FormatParameters), func(of format.Parameter) bool {
		return of.Field != "" && !x.sees(of.Field)
	})
}

// Count returns how many records have been written.
func (p *page) Count() int { return p.written }

// Total returns the number of records, and whether it is known.
func (p *page) Total() (int, bool) {
	if p.format.Stream || p.result.Total == execute.NoTotal {
		return 0, false
	}
	return p.result.Total, true
}

// Links returns the links to the page and to other pages.
func (p *page) Links() (format.Links, error) {
	x := (*exchange)(p)
	if x.op.HasNoPath() {
		return format.Links{}, nil
	}
	var room [512]byte // more than most links have together
	text := parameters.AppendAddress(room[:0], x.r.URL)
	var found format.Links
	if x.format.Stream || !x.op.Pages {
		found.Self = string(text)
		return found, nil
	}
	links, err := x.op.Parameters.Links(x.call.Values, &parameters.Listing{
		URL: x.r.URL, Count: x.result.Items.Len(), More: x.result.More, Total: x.result.Total, At: x.result.Items.At,
		Masks: x.masks, Positions: x.result.Items.Positions(),
	})
	// In one piece of memory, of which each is a part.
	var ends [5]int
	ends[0] = len(text)
	for i := range links.Len() {
		text = links.AppendAddress(text, i)
		ends[i+1] = len(text)
	}
	all := string(text)
	found.Self = all[:ends[0]]
	for i := range links.Len() {
		address := all[ends[i]:ends[i+1]]
		switch links.Rel(i) {
		case "first":
			found.First = address
		case "prev":
			found.Prev = address
		case "next":
			found.Next = address
		case "last":
			found.Last = address
		}
	}
	return found, err
}

// tagPage computes Link, X-Total-Count, ETag and Content-Length of a page, as parts of one string, which saves allocations.
func tagPage(_ context.Context, x *exchange) error {
	if x.format.Stream {
		return nil
	}
	var room [512]byte
	b, err := x.op.Parameters.Link(room[:0], x.call.Values, &parameters.Listing{
		URL: x.r.URL, Count: x.result.Items.Len(), More: x.result.More, Total: x.result.Total, At: x.result.Items.At,
		Masks: x.masks, Positions: x.result.Items.Positions(),
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
	x.link, x.total, x.tag, x.length = text[:link], text[link:total], text[total:tag], text[tag:]
	return nil
}

// appendItem appends a record of a collection to b, and reports whether it could be encoded. A record that cannot be encoded,
// because another program wrote it, is logged and left out. An error ends the whole response.
func (x *exchange) appendItem(ctx context.Context, b []byte, record any) (made []byte, shown bool, err error) {
	defer func() {
		if cause := recover(); cause != nil { // of a type's own method
			x.logPanic(cause, newIncident())
			made, shown, err = b, false, nil
		}
	}()
	if made, err = x.appendView(ctx, b, record, x.format.Collection.Item); err == nil {
		return made, true, x.work.did(len(made) - len(b))
	}
	if x.work.err == nil {
		x.work.err = x.work.ctx.Err()
	}
	if x.work.err != nil { // which may be why the record could not be written
		return b, false, x.work.err
	}
	x.logOmitted(err, record)
	return b, false, nil
}

// logOmitted logs a record that a collection leaves out because it cannot be encoded.
func (x *exchange) logOmitted(err error, record any) {
	attributes := append(x.logged(newIncident()), slog.String("error", err.Error()))
	if id, err := x.op.Resource.ID.Text(x.op.Resource.ID.Of(record)); err == nil {
		attributes = append(attributes, slog.String("record", id))
	}
	x.op.API.Logger.LogAttrs(x.r.Context(), slog.LevelError, "record left out", attributes...)
}
