package parameters

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/trove-api/trove/store"
)

// Paging is how a collection is divided into pages, with all defaults set.
type Paging struct {
	Enabled            bool
	ClientEnabled      bool
	ItemsPerPage       int
	MaxItemsPerPage    int
	ClientItemsPerPage bool
	MaxPage            int
	Total              string // "capped", "exact" or "estimated"
	Partial            bool
	ClientPartial      bool
	ClientOffset       bool
	ViaCursor          bool
}

// addPaging adds the paging parameters. There is always a cursor: pages by number continue by cursor after the
// greatest number. Groups have none, because they are computed for each page.
func (s *Set) addPaging(hasCursor bool) {
	paging := s.paging
	if !paging.Enabled {
		return
	}
	if !paging.ViaCursor {
		s.add(&Parameter{
			Kind: Page, Name: "page", Minimum: 1, Maximum: paging.MaxPage, Default: 1, scalar: integers,
			read: func(r *reading, p *Parameter, text string) error { return readInteger(p, text, &r.page) },
		})
	}
	if paging.takesOffset() {
		s.add(&Parameter{
			Kind: Offset, Name: "offset", Maximum: paging.mostOffset(), Default: 0, scalar: integers,
			read: func(r *reading, p *Parameter, text string) error {
				r.byOffset = true // also at 0
				return readInteger(p, text, &r.offset)
			},
		})
	}
	if paging.ClientItemsPerPage {
		least := 0 // for the total alone, if clients can get it
		if paging.ViaCursor || paging.Partial && !paging.ClientPartial {
			least = 1
		}
		s.add(&Parameter{
			Kind: ItemsPerPage, Name: "itemsPerPage", Minimum: least, Maximum: paging.MaxItemsPerPage, Default: paging.ItemsPerPage, scalar: integers,
			read: func(r *reading, p *Parameter, text string) error { return readInteger(p, text, &r.size) },
		})
	}
	if hasCursor {
		s.add(&Parameter{Kind: Cursor, Name: "cursor", read: readCursor})
	}
	if paging.ClientEnabled {
		s.add(&Parameter{
			Kind: Pagination, Name: "pagination", Default: true, scalar: switches,
			read: func(r *reading, _ *Parameter, text string) error { return readSwitch(text, &r.paged) },
		})
	}
	if paging.ClientPartial && !paging.ViaCursor {
		s.add(&Parameter{
			Kind: Partial, Name: "partial", Default: paging.Partial, scalar: switches,
			read: func(r *reading, _ *Parameter, text string) error { return readSwitch(text, &r.partial) },
		})
	}
}

// takesOffset reports whether clients can start a page at any record.
func (p *Paging) takesOffset() bool { return p.Enabled && p.ClientOffset && !p.ViaCursor }

// mostOffset returns the maximum offset, which reaches as far as page and itemsPerPage do.
func (p *Paging) mostOffset() int {
	size := p.ItemsPerPage
	if p.ClientItemsPerPage {
		size = p.MaxItemsPerPage
	}
	return (p.MaxPage - 1) * size
}

// countsAll reports whether totals are exact, however large.
func (p *Paging) countsAll() bool { return p.Total == "exact" }

// Window is the requested part of a collection.
type Window struct {
	Mode     Mode
	Page     int   // ByPage: starts at 1
	Size     int   // the maximum number of items; 0 for all
	Backward bool  // ByCursor: the page is before the cursor
	started  bool  // ByCursor: not the first page
	at       *mark // ByCursor: nil for the first page
}

// Mode is how a request pages through a collection.
type Mode int

// The modes.
const (
	Whole    Mode = iota // without pages
	ByPage               // by page number
	ByOffset             // by offset
	ByCursor             // by cursor
	NoItems              // only the total
)

// finishWindow decides which of the paging parameters take precedence, and completes the query of a collection.
func (r *reading) finishWindow() {
	query := &r.values.Query
	switch {
	case r.sort != nil:
		query.Order = r.set.total(r.sort)
	case r.order != nil:
		query.Order = r.set.total(r.order)
	default:
		query.Order = r.set.order
	}
	if r.values.Fields != nil {
		query.Fields = r.set.stored(r.values.Fields)
	} else {
		query.Fields = r.set.read
	}
	r.values.Window = Window{Page: r.page, Size: r.size}
	switch window := &r.values.Window; {
	case !r.paged:
		window.Mode, window.Size = Whole, 0
	case r.byCursor:
		window.Mode, window.at = ByCursor, r.at
		query.Limit = r.size + 1 // one more, to know whether there is a next page
		if r.at != nil {
			window.started = true
			window.Backward = r.at.backward
			query.Order, query.After = r.at.order, r.at.values
		}
		if window.Backward {
			query.Order = reversed(query.Order)
		}
	default:
		window.Mode, query.Offset = ByPage, (r.page-1)*r.size
		if r.byOffset {
			window.Mode, query.Offset = ByOffset, r.offset
		}
		query.Limit = r.size
		if !r.partial {
			r.count()
		}
		if !query.Count || query.CountUpTo > 0 && query.Offset+r.size > query.CountUpTo { // else the total says it
			query.Limit++ // one more, to know whether there is a next page
		}
	}
	if r.set.columns != nil {
		r.finishAggregate()
	}
	if r.paged && r.size == 0 { // a store has no limit of 0
		r.values.Window = Window{Mode: NoItems}
		query.Offset, query.Limit = 0, 1
		r.count()
	}
}

// count requests the total. That of groups is always exact, because the store computes all of them for each page.
func (r *reading) count() {
	query := &r.values.Query
	query.Count = true
	if r.set.columns == nil && !r.set.paging.countsAll() {
		query.CountUpTo = mostCounted
	}
}

// reversed returns the opposite order. A previous page is the first page in that order; the response reverses it
// again.
func reversed(order []store.Order) []store.Order {
	turned := slices.Clone(order)
	for i := range turned {
		turned[i].Descending = !turned[i].Descending
	}
	return turned
}

// readCursor reads a position. An empty cursor is the first page, for clients that have no link yet.
func readCursor(r *reading, _ *Parameter, text string) error {
	r.byCursor = true
	if text == "" {
		return nil
	}
	// If the cursor is invalid or from an older program, the client has to start again.
	at, ok := r.set.open(text)
	if !ok {
		return errors.New("is not a valid cursor for this collection; copy it unchanged from a link in a response")
	}
	r.at = at
	return nil
}

// readInteger reads a number within the limits of the parameter.
func readInteger(p *Parameter, text string, into *int) error {
	n, err := strconv.Atoi(text)
	if err != nil || text[0] < '1' || text[0] > '9' { // slower, but accepts all forms of JSON
		var value any
		value, err = p.scalar.Parse(text)
		n, _ = value.(int)
	}
	if err != nil || n < p.Minimum || n > p.Maximum {
		return fmt.Errorf("must be an integer between %d and %d", p.Minimum, p.Maximum)
	}
	*into = n
	return nil
}

// readSwitch reads true or false.
func readSwitch(text string, into *bool) error {
	if *into = text == "true"; !*into && text != "false" {
		return errors.New("must be true or false")
	}
	return nil
}
