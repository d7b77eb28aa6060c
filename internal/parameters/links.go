package parameters

import (
	"net/url"
	"strconv"
)

// Answer is what a store answered to a collection's query, put in order.
type Answer struct {
	URL   *url.URL // of the request
	Count int      // items in the page
	More  bool     // the store had one more than the page
	Total int      // ByPage, unless it is partial
	At    func(i int) any
	Masks Masks // nil for none
}

// Link appends the value of the Link field (RFC 8288) of an answer to b: the addresses of
// the first, previous, next and last page, as far as there are any. They keep the path and
// the other parameters of the request. A whole collection has none, nor has its total alone.
func (s *Set) Link(b []byte, values *Values, answer *Answer) ([]byte, error) {
	if mode := values.Window.Mode; mode == Whole || mode == NoItems {
		return b, nil
	}
	var room [256]byte
	l := links{path: answer.URL.EscapedPath(), kept: appendKept(room[:0], answer.URL.RawQuery), empty: len(b)}
	if values.Window.Mode == ByPage {
		return s.linkPages(b, &l, values, answer)
	}
	return s.linkCursors(b, &l, values, answer)
}

// links writes the value of a Link field.
type links struct {
	path  string
	kept  []byte // the query without what turns pages
	empty int    // how long the text is without a link
}

// add appends an address with one more parameter, if that has a name.
func (l *links) add(b []byte, rel, name, value string) []byte {
	b = l.begin(b, name)
	return end(append(b, value...), rel)
}

// page appends the address of a page.
func (l *links) page(b []byte, rel string, n int) []byte {
	b = l.begin(b, "page")
	return end(strconv.AppendInt(b, int64(n), 10), rel)
}

// begin appends an address up to the value of its last parameter.
func (l *links) begin(b []byte, name string) []byte {
	if len(b) > l.empty {
		b = append(b, ", "...)
	}
	b = append(append(b, '<'), l.path...)
	separator := byte('?')
	if len(l.kept) > 0 {
		b = append(append(b, '?'), l.kept...)
		separator = '&'
	}
	if name != "" {
		b = append(append(append(b, separator), name...), '=')
	}
	return b
}

// end appends what follows the address.
func end(b []byte, rel string) []byte {
	b = append(append(b, `>; rel="`...), rel...)
	return append(b, '"')
}

// linkPages leads from page to page by number. Behind the greatest number it goes on by
// cursor.
func (s *Set) linkPages(b []byte, l *links, values *Values, answer *Answer) (_ []byte, err error) {
	window, most := &values.Window, s.paging.MaxPage
	last := max(1, (answer.Total+window.Size-1)/window.Size)
	b = l.page(b, "first", 1)
	if window.Page > 1 {
		previous := window.Page - 1
		if !window.Partial {
			previous = min(previous, last)
		}
		b = l.page(b, "prev", previous)
	}
	more := answer.More || !window.Partial && window.Page < last
	switch {
	case more && window.Page < most:
		b = l.page(b, "next", window.Page+1)
	case more && answer.Count > 0:
		b, err = s.linkCursor(b, l, "next", values, answer)
	}
	if !window.Partial && last <= most {
		b = l.page(b, "last", last)
	}
	return b, err
}

// linkCursors leads from page to page by position.
func (s *Set) linkCursors(b []byte, l *links, values *Values, answer *Answer) (_ []byte, err error) {
	window := &values.Window
	if s.paging.ViaCursor {
		b = l.add(b, "first", "", "")
	} else {
		b = l.add(b, "first", "cursor", "")
	}
	if answer.Count == 0 {
		return b, nil
	}
	if window.Backward && answer.More || !window.Backward && window.started {
		if b, err = s.linkCursor(b, l, "prev", values, answer); err != nil {
			return b, err
		}
	}
	if window.Backward || answer.More {
		return s.linkCursor(b, l, "next", values, answer)
	}
	return b, nil
}

// linkCursor appends the address of what comes after the answer's records, or before them.
func (s *Set) linkCursor(b []byte, l *links, rel string, values *Values, answer *Answer) ([]byte, error) {
	order := values.Query.Order
	if values.Window.Backward {
		order = reversed(order)
	}
	backward, at := rel == "prev", answer.Count-1
	if backward {
		at = 0
	}
	cursor, err := s.cursor(order, answer.At(at), backward, answer.Masks)
	if err != nil {
		return b, err
	}
	return l.add(b, rel, "cursor", cursor), nil
}
