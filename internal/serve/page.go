package serve

import (
	"context"
	"log/slog"
	"slices"
	"strconv"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/httpfield"
	"github.com/trove-api/trove/internal/parameters"
)

// appendItems appends the records of a page, with the beginning and end of the format. The result of a handler is complete or
// an error, because its author can fix it.
func (c *call) appendItems(ctx context.Context, b []byte) (_ []byte, err error) {
	written := &c.format.Collection
	c.masks = c.sortMasks(ctx)
	if written.Begin != nil {
		if b, err = written.Begin(b, (*page)(c)); err != nil {
			return b, err
		}
	}
	c.item = item{c: c, record: c.op.Resource}
	for i := range c.items.Len() {
		if b, err = c.appendItem(ctx, b, c.items.At(i)); err != nil {
			return b, err
		}
	}
	if written.End != nil {
		return written.End(b, (*page)(c))
	}
	return b, nil
}

// page is the page that formats write.
type page call

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
func (p *page) Selected() []string { return (*call)(p).selected() }

// Parameters returns the parameters of the collection, without those of fields that the caller may read of no record.
// Such a filter never matches, and its name would reveal the field.
func (p *page) Parameters() []format.Parameter { return (*call)(p).parameters() }

func (c *call) parameters() []format.Parameter {
	if !c.op.guardsFields {
		return c.op.FormatParameters
	}
	return slices.DeleteFunc(slices.Clone(c.op.FormatParameters), func(of format.Parameter) bool {
		return of.Field != "" && !c.sees(of.Field)
	})
}

// Count returns how many records have been written.
func (p *page) Count() int { return p.count }

// Total returns the number of records, and whether it is known.
func (p *page) Total() (int, bool) {
	if p.format.Stream || p.total == noTotal {
		return 0, false
	}
	return p.total, true
}

// Links returns the links to the page and to other pages.
func (p *page) Links() (format.Links, error) {
	c := (*call)(p)
	if c.op.HasNoPath() {
		return format.Links{}, nil
	}
	var room [512]byte // more than most links have together
	text := parameters.AppendAddress(room[:0], c.r.URL)
	var found format.Links
	if c.format.Stream || !c.op.Pages {
		found.Self = string(text)
		return found, nil
	}
	links, err := c.op.Parameters.Links(c.values, &parameters.Listing{
		URL: c.r.URL, Count: c.items.Len(), More: c.more, Total: c.total, At: c.items.At,
		Masks: c.masks, Positions: c.items.Positions(),
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
func tagPage(_ context.Context, c *call) error {
	if c.format.Stream {
		return nil
	}
	var room [512]byte
	b, err := c.op.Parameters.Link(room[:0], c.values, &parameters.Listing{
		URL: c.r.URL, Count: c.items.Len(), More: c.more, Total: c.total, At: c.items.At,
		Masks: c.masks, Positions: c.items.Positions(),
	})
	if err != nil {
		return err
	}
	link := len(b)
	b = strconv.AppendInt(b, int64(c.total), 10)
	total := len(b)
	b = append(httpfield.AppendHash(append(b, '"'), c.response, b[:link], b[link:]), '"')
	tag := len(b)
	text := string(strconv.AppendInt(b, int64(len(c.response)), 10))
	c.link, c.totalCount, c.tag, c.length = text[:link], text[link:total], text[total:tag], text[tag:]
	return nil
}

// appendItem appends a record of a collection to b, with the separator before it. A record of a store that cannot be encoded,
// because another program wrote it, is logged and left out. An error ends the whole response.
func (c *call) appendItem(ctx context.Context, b []byte, record any) (all []byte, err error) {
	all = b
	if c.op.Pages { // the result of a handler is complete or an error
		defer func() {
			if cause := recover(); cause != nil { // of a type's own method
				c.logPanic(cause, newIncident())
				all, err = b, nil
			}
		}()
	}
	if c.count > 0 {
		all = append(all, c.format.Collection.Separator...)
	}
	if all, err = c.appendView(ctx, all, record, c.format.Collection.Item); err == nil {
		c.count++
		return all, c.work.did(len(all) - len(b))
	}
	if !c.op.Pages {
		return all, err
	}
	if c.work.err == nil {
		c.work.err = c.work.ctx.Err()
	}
	if c.work.err != nil { // which may be why the record could not be written
		return b, c.work.err
	}
	c.logOmitted(err, record)
	return b, nil
}

// logOmitted logs a record that a collection leaves out because it cannot be encoded.
func (c *call) logOmitted(err error, record any) {
	about := []slog.Attr{slog.String("error", err.Error())}
	if id, err := c.op.Resource.ID.Text(c.op.Resource.ID.Of(record)); err == nil {
		about = append(about, slog.String("record", id))
	}
	c.logAt(slog.LevelError, "record left out", newIncident(), about...)
}
