package parameters

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Listing is what a store returned for a collection's query, in order.
type Listing struct {
	URL   *url.URL // of the request
	Count int      // items in the page
	More  bool     // the store had one more than the page
	Total Total    // ByPage and ByOffset
	At    func(i int) any
	Masks func(record any, field string) bool // whether a field is sorted as null because it is hidden; nil for none
	// Positions are those of the items, if the store returns them; else nil.
	Positions [][]any
}

// Links are the links from a response to its first, previous, next and last page, if they exist. They keep the path
// and the other parameters of the request.
type Links struct {
	list [4]link
	n    int
	path string
	kept []byte // the query without the paging parameters
	most int    // the maximum length of a path and its query
}

// link is one link, as data for the header field and for formats. Without a name it leads to the beginning.
type link struct {
	rel    string // as registered for RFC 8288
	name   string // of the parameter, "" for none
	number int    // a page or an offset, unless there is a cursor
	cursor string
}

// Links returns the links of a response. A whole collection has none, nor has its total alone.
func (s *Set) Links(values *Values, answer *Listing) (l Links, err error) {
	l.path, l.kept, l.most = answer.URL.EscapedPath(), appendQuery(nil, answer.URL.RawQuery, s.turning), s.longest
	return l, s.findLinks(&l, values, answer)
}

// Link appends the links of a response to b, as the value of the header field Link (RFC 8288). Their targets are
// encoded by [appendEncoded], so that no bracket or comma in them can end one.
func (s *Set) Link(b []byte, values *Values, answer *Listing) ([]byte, error) {
	var room [256]byte // instead of calling Links, which would move the whole response to the heap
	l := Links{path: answer.URL.EscapedPath(), kept: appendQuery(room[:0], answer.URL.RawQuery, s.turning), most: s.longest}
	if err := s.findLinks(&l, values, answer); err != nil {
		return b, err
	}
	for i := range l.n {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = l.AppendAddress(append(b, '<'), i)
		b = append(append(append(b, `>; rel="`...), l.list[i].rel...), '"')
	}
	return b, nil
}

// Len returns the number of links.
func (l *Links) Len() int { return l.n }

// Rel returns the relation of the i-th link: first, prev, next or last.
func (l *Links) Rel(i int) string { return l.list[i].rel }

// AppendAddress appends the path and the query of the i-th link.
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

// roomOfNumber is more than a link by number has behind the rest of the query.
const roomOfNumber = 64

// add adds a link, by number if it is not 0. It leaves out a link that the API would reject because it is too long.
func (l *Links) add(rel, name string, number int, cursor string) {
	l.list[l.n] = link{rel, name, number, cursor}
	mayBeTooLong := len(l.path)+len(l.kept)+len(cursor)+roomOfNumber > l.most
	if mayBeTooLong && l.most > 0 && len(l.AppendAddress(nil, l.n))-len("?") > l.most {
		return
	}
	l.n++
}

// findLinks adds the links of a response. Pages by number have a last page if the total is exact, pages by cursor do not.
// After the greatest allowed number, next continues by cursor.
func (s *Set) findLinks(l *Links, values *Values, answer *Listing) error {
	window := &values.Window
	name, begin, at, step := "page", 1, window.Page, 1
	most, last, isExact, total := 0, 0, answer.Total.Kind == ExactTotal, answer.Total.N
	switch window.Mode {
	case Whole, NoItems:
		return nil
	case ByCursor:
		return s.linkCursors(l, values, answer)
	case ByPage:
		most, last = s.paging.MaxPage, max(1, (total+window.Size-1)/window.Size)
	case ByOffset:
		name, begin, at, step = "offset", 0, values.Query.Offset, window.Size
		most = s.paging.mostOffset()
		if first := at % step; total > first { // the last page is a whole number of pages away, so that next leads to it
			last = first + (total-1-first)/step*step
		}
	}
	l.add("first", name, begin, "")
	if at > begin {
		previous := max(begin, at-step)
		if isExact {
			previous = min(previous, last)
		}
		l.add("prev", name, previous, "")
	}
	more := answer.More || isExact && at < last
	switch {
	case more && at+step <= most:
		l.add("next", name, at+step, "")
	case more && answer.Count > 0 && s.columns == nil:
		if err := s.linkCursor(l, "next", values, answer); err != nil {
			return err
		}
	}
	if isExact && last <= most {
		l.add("last", name, last, "")
	}
	return nil
}

// linkCursors adds the links between pages by cursor.
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

// linkCursor adds the link to the page after the response's records, or before them.
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

// AppendAddress appends a path with its query, encoded again so that nothing in it can end the URL.
func AppendAddress(b []byte, of *url.URL) []byte {
	b = append(append(b, of.EscapedPath()...), '?')
	begin := len(b)
	if b = appendQuery(b, of.RawQuery, nil); len(b) == begin {
		b = b[:begin-1]
	}
	return b
}

// appendQuery appends a query without some parameters, encoded again. Unlike net/url it keeps the client's order,
// because a link should look like its request.
func appendQuery(b []byte, query string, without []string) []byte {
	start := len(b)
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		name, value, hasValue := strings.Cut(pair, "=")
		before := len(b)
		if before > start {
			b = append(b, '&')
		}
		begin := len(b)
		b = appendEncoded(b, name)
		if pair == "" || slices.Contains(without, string(b[begin:])) {
			b = b[:before]
			continue
		}
		if hasValue {
			b = appendEncoded(append(b, '='), value)
		}
	}
	return b
}

// appendEncoded appends a name or a value of a query, encoded again. All except unreserved bytes (RFC 3986, section
// 2.3) are encoded, so that a comma, a quote or an angle bracket cannot end the target of a Link (RFC 8288, section 3).
func appendEncoded(b []byte, text string) []byte {
	if plain, err := url.QueryUnescape(text); err == nil {
		text = plain
	}
	return append(b, url.QueryEscape(text)...)
}
