package parameters

import (
	"net/url"
	"strconv"
	"strings"
)

// Answer is what a store answered to a collection's query, put in order.
type Answer struct {
	Count int  // items in the page
	More  bool // the store had one more than the page
	Total int  // ByPage, unless it is partial
	At    func(i int) any
}

// Link returns the value of the Link field (RFC 8288) of an answer: the addresses of the
// first, previous, next and last page, as far as there are any. Path and query are those
// of the request, whose other parameters are kept. It is "" for a whole collection.
func (s *Set) Link(values *Values, path, query string, answer Answer) (string, error) {
	var room [512]byte
	l := links{path: path, kept: kept(query), text: room[:0]}
	var err error
	switch values.Window.Mode {
	case ByPage:
		err = s.linkPages(&l, values, answer)
	case ByCursor:
		err = s.linkCursors(&l, values, answer)
	}
	return string(l.text), err
}

// links writes the value of a Link field.
type links struct {
	path string
	kept string // the query without what turns pages
	text []byte
}

func (l *links) add(rel, name, value string) {
	if len(l.text) > 0 {
		l.text = append(l.text, ", "...)
	}
	l.text = append(append(l.text, '<'), l.path...)
	separator := byte('?')
	if l.kept != "" {
		l.text = append(append(l.text, '?'), l.kept...)
		separator = '&'
	}
	if name != "" {
		l.text = append(append(l.text, separator), name...)
		l.text = append(append(l.text, '='), value...)
	}
	l.text = append(append(l.text, `>; rel="`...), rel...)
	l.text = append(l.text, '"')
}

func (l *links) page(rel string, n int) { l.add(rel, "page", strconv.Itoa(n)) }

// kept returns a query without page and cursor, encoded anew so that nothing in it can
// end the address.
func kept(query string) string {
	if query == "" {
		return ""
	}
	var b strings.Builder
	for pair := range strings.SplitSeq(query, "&") {
		name, value, hasValue := strings.Cut(pair, "=")
		plain, err := unescape(name)
		if err != nil || pair == "" || plain == "page" || plain == "cursor" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('&')
		}
		b.WriteString(url.QueryEscape(plain))
		if plain, err = unescape(value); err == nil && hasValue {
			b.WriteString("=" + url.QueryEscape(plain))
		}
	}
	return b.String()
}

// linkPages leads from page to page by number. Behind the greatest number it goes on by
// cursor.
func (s *Set) linkPages(l *links, values *Values, answer Answer) error {
	window, most := values.Window, s.paging.MaxPage
	last := max(1, (answer.Total+window.Size-1)/window.Size)
	l.page("first", 1)
	if window.Page > 1 {
		previous := window.Page - 1
		if !window.Partial {
			previous = min(previous, last)
		}
		l.page("prev", previous)
	}
	more := answer.More || !window.Partial && window.Page < last
	switch {
	case more && window.Page < most:
		l.page("next", window.Page+1)
	case more && answer.Count > 0:
		if err := s.linkCursor(l, "next", values, answer.At(answer.Count-1), false); err != nil {
			return err
		}
	}
	if !window.Partial && last <= most {
		l.page("last", last)
	}
	return nil
}

// linkCursors leads from page to page by position.
func (s *Set) linkCursors(l *links, values *Values, answer Answer) error {
	window := values.Window
	if s.paging.ViaCursor {
		l.add("first", "", "")
	} else {
		l.add("first", "cursor", "")
	}
	if answer.Count == 0 {
		return nil
	}
	if window.Backward && answer.More || !window.Backward && window.started {
		if err := s.linkCursor(l, "prev", values, answer.At(0), true); err != nil {
			return err
		}
	}
	if window.Backward || answer.More {
		return s.linkCursor(l, "next", values, answer.At(answer.Count-1), false)
	}
	return nil
}

// linkCursor adds the address of what comes after a record, or before it.
func (s *Set) linkCursor(l *links, rel string, values *Values, record any, backward bool) error {
	order := values.Query.Order
	if values.Window.Backward {
		order = reversed(order)
	}
	cursor, err := s.cursor(order, record, backward)
	if err == nil {
		l.add(rel, "cursor", cursor)
	}
	return err
}
