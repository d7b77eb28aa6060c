package parameters

import (
	"net/url"
	"strconv"
)

// Listing is what a store answered to a collection's query, put in order.
type Listing struct {
	URL   *url.URL // of the request
	Count int      // items in the page
	More  bool     // the store had one more than the page
	Total int      // ByPage and ByOffset, unless it is partial
	At    func(i int) any
	Masks Masks // nil for none
	// Positions are those of the items, where the store tells them; else nil.
	Positions [][]any
}

// Links are the ways from an answer to its first, previous, next and last page, as far as
// there are any. They keep the path and the other parameters of the request.
type Links struct {
	list [4]link
	n    int
	path string
	kept []byte // the query without what turns pages
}

// link is one way. It is a number or a cursor; without a name it leads to the beginning.
// It is data: the header field and formats write it each in their own way.
type link struct {
	rel    string // as RFC 8288 registers it
	name   string // of the parameter, "" for none
	number int    // a page or an offset, where there is no cursor
	cursor string
}

// Links finds the ways from an answer to others. A whole collection has none, nor has its
// total alone.
func (s *Set) Links(values *Values, answer *Listing) (l Links, err error) {
	l.path, l.kept = answer.URL.EscapedPath(), s.appendKept(nil, answer.URL.RawQuery)
	return l, s.findLinks(&l, values, answer)
}

// Pages by number know the last one, those by position do not: they cannot jump.
func (s *Set) findLinks(l *Links, values *Values, answer *Listing) error {
	switch values.Window.Mode {
	case Whole, NoItems:
		return nil
	case ByPage:
		return s.linkPages(l, values, answer)
	case ByOffset:
		return s.linkOffsets(l, values, answer)
	}
	return s.linkCursors(l, values, answer)
}

// Len returns how many there are.
func (l *Links) Len() int { return l.n }

// Rel returns where the i-th one leads: first, prev, next or last.
func (l *Links) Rel(i int) string { return l.list[i].rel }

// AppendAddress appends the address that the i-th one leads to: a path with a query.
func (l *Links) AppendAddress(b []byte, i int) []byte {
	b = append(b, l.path...)
	separator := byte('?')
	if len(l.kept) > 0 {
		b = append(append(b, '?'), l.kept...)
		separator = '&'
	}
	to := &l.list[i]
	if to.name == "" {
		return b
	}
	b = append(append(append(b, separator), to.name...), '=')
	if to.name != "cursor" {
		return strconv.AppendInt(b, int64(to.number), 10)
	}
	return append(b, to.cursor...)
}

// Link appends the links of an answer as the value of the field Link (RFC 8288) to b.
func (s *Set) Link(b []byte, values *Values, answer *Listing) ([]byte, error) {
	var room [256]byte // and not Links, which would move all of the answer to the heap
	l := Links{path: answer.URL.EscapedPath(), kept: s.appendKept(room[:0], answer.URL.RawQuery)}
	if err := s.findLinks(&l, values, answer); err != nil {
		return b, err
	}
	return l.appendField(b), nil
}

// appendField appends the value of the field Link (RFC 8288).
// Targets are encoded by [appendByte], so that no bracket or comma in them can end one.
func (l *Links) appendField(b []byte) []byte {
	for i := range l.n {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = l.AppendAddress(append(b, '<'), i)
		b = append(append(append(b, `>; rel="`...), l.list[i].rel...), '"')
	}
	return b
}

// add adds a link, which is by number where it has one.
func (l *Links) add(rel, name string, number int, cursor string) {
	l.list[l.n] = link{rel, name, number, cursor}
	l.n++
}

// linkPages leads from page to page by number. Behind the greatest number it goes on by
// cursor.
func (s *Set) linkPages(l *Links, values *Values, answer *Listing) (err error) {
	window, most := &values.Window, s.paging.MaxPage
	last := max(1, (answer.Total+window.Size-1)/window.Size)
	l.add("first", "page", 1, "")
	if window.Page > 1 {
		previous := window.Page - 1
		if !window.Partial {
			previous = min(previous, last)
		}
		l.add("prev", "page", previous, "")
	}
	more := answer.More || !window.Partial && window.Page < last
	switch {
	case more && window.Page < most:
		l.add("next", "page", window.Page+1, "")
	case more && answer.Count > 0:
		err = s.linkCursor(l, "next", values, answer)
	}
	if !window.Partial && last <= most {
		l.add("last", "page", last, "")
	}
	return err
}

// linkOffsets leads from page to page by the number of records before it. Behind the greatest offset it goes
// on by cursor. The last page is a whole number of pages away, so that next leads to it.
func (s *Set) linkOffsets(l *Links, values *Values, answer *Listing) (err error) {
	window, offset, most := &values.Window, values.Query.Offset, s.paging.mostOffset()
	first := offset % window.Size // of the pages that next and prev lead through
	last := 0
	if answer.Total > first {
		last = first + (answer.Total-1-first)/window.Size*window.Size
	}
	l.add("first", "offset", 0, "")
	if offset > 0 {
		previous := max(0, offset-window.Size)
		if !window.Partial {
			previous = min(previous, last)
		}
		l.add("prev", "offset", previous, "")
	}
	more := answer.More || !window.Partial && offset < last
	switch {
	case more && offset+window.Size <= most:
		l.add("next", "offset", offset+window.Size, "")
	case more && answer.Count > 0:
		err = s.linkCursor(l, "next", values, answer)
	}
	if !window.Partial && last <= most {
		l.add("last", "offset", last, "")
	}
	return err
}

// linkCursors leads from page to page by position.
func (s *Set) linkCursors(l *Links, values *Values, answer *Listing) error {
	window := &values.Window
	if s.paging.ViaCursor {
		l.add("first", "", 0, "")
	} else {
		l.add("first", "cursor", 0, "")
	}
	if answer.Count == 0 {
		return nil
	}
	if window.Backward && answer.More || !window.Backward && window.started {
		if err := s.linkCursor(l, "prev", values, answer); err != nil {
			return err
		}
	}
	if window.Backward || answer.More {
		return s.linkCursor(l, "next", values, answer)
	}
	return nil
}

// linkCursor leads to what comes after the answer's records, or before them.
func (s *Set) linkCursor(l *Links, rel string, values *Values, answer *Listing) error {
	order := values.Query.Order
	if values.Window.Backward {
		order = reversed(order)
	}
	backward, at := rel == "prev", answer.Count-1
	if backward {
		at = 0
	}
	var position []any
	if answer.Positions != nil {
		position = answer.Positions[at]
	}
	cursor, err := s.cursor(order, answer.At(at), position, backward, answer.Masks)
	if err != nil {
		return err
	}
	l.add(rel, "cursor", 0, cursor)
	return nil
}
