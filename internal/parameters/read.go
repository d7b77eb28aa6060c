package parameters

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/trove-api/trove/store"
)

// ErrMalformed reports a query string that cannot be split into names and values.
var ErrMalformed = errors.New("the query string is malformed: percent-encode its names and values")

// Values are the parameters of a request as data, so that other protocols can create them too.
type Values struct {
	// Query is for the store. Of an operation that is not a collection, it has Deleted alone.
	Query store.Query
	// Fields are the fields to send, in order; nil for all.
	Fields []string
	// Expand are the references to expand.
	Expand []string
	// Own points to the struct of declared parameters; nil for none.
	Own any
	// Window is the requested part of the collection.
	Window Window
	// Columns and Sort are those of an aggregation, as in store.Aggregation. Query.Order has the field of each column.
	Columns []Column
	Sort    []int
}

// reading is the state of reading one request's parameters. Some parameters exclude each other, such as page and
// cursor, so they are only noted here; which one takes precedence is decided at the end.
type reading struct {
	set      *Set
	values   *Values
	invalids []invalid
	unknown  []string
	given    []int // how often each was given, by Parameter.index

	conditions []int // 1 + the index in Query.Where, by Parameter.index
	own        [][]string
	page, size int
	paged      bool
	partial    bool
	byCursor   bool
	byOffset   bool
	offset     int
	at         *mark
	sort       []store.Order
	order      []store.Order
	tree       []store.Condition // all of which must hold
	columns    []Column          // of an aggregation, as requested
	groupSort  []string
	zone       *time.Location
}

// maxUnknown is the maximum number of unknown parameters in a response, so that it stays short.
const maxUnknown = 20

const (
	// maxShownName is the length, in bytes, to which messages cut an unknown name.
	maxShownName = 64
	onceOnly     = "must be given only once"
)

// Read reads the parameters of a request, except those that ignored matches. Its error is [ErrMalformed], an
// [*InvalidError] with everything that is wrong, or the error of a user's rule that failed.
//
// The values are stored in room, or in new memory if it is nil. Requests without a query share one result, so the
// caller must not change it.
func (s *Set) Read(ctx context.Context, query string, header http.Header, ignored func(name string) bool, room *Values) (*Values, error) {
	if query == "" && s.Own == nil {
		return s.plain, nil
	}
	if room == nil {
		room = new(Values)
	}
	*room = Values{}
	r := s.begin(room)
	defer func() { // a pooled reading must keep nothing of the request
		clear(r.given)
		clear(r.conditions)
		*r = reading{given: r.given, conditions: r.conditions}
		s.idle.Put(r)
	}()
	if err := r.readQuery(query, ignored); err != nil {
		return nil, err
	}
	if s.Own != nil {
		r.readHeaders(header)
		if err := r.finishOwn(ctx); err != nil {
			return nil, err
		}
	}
	if len(r.invalids)+len(r.unknown) > 0 {
		slices.Sort(r.unknown) // so that equal requests get equal responses
		e := &InvalidError{set: s, invalids: r.invalids, unknown: r.unknown}
		return nil, e.For(func(string) bool { return true })
	}
	// At the end, because other filters extend their own conditions.
	r.values.Query.Where = append(r.values.Query.Where, r.tree...)
	if s.paging != nil {
		r.finishWindow()
	}
	return r.values, nil
}

// begin returns an empty reading. A pool supplies its slices.
func (s *Set) begin(values *Values) *reading {
	r, ok := s.idle.Get().(*reading)
	if !ok {
		r = &reading{given: make([]int, len(s.List)), conditions: make([]int, len(s.List))}
	}
	r.set, r.values, r.paged = s, values, true
	if s.paging != nil {
		r.page, r.size, r.partial = 1, s.paging.ItemsPerPage, s.paging.Partial
		r.paged = s.paging.Enabled
		r.byCursor = s.paging.ViaCursor
	}
	return r
}

// readQuery reads one name after the other. It does not use net/url, whose map loses the order of values and
// allocates for rejected parameters.
func (r *reading) readQuery(query string, ignored func(name string) bool) error {
	// Some programs treat a semicolon as a separator, so it must be encoded.
	if strings.Contains(query, ";") {
		return ErrMalformed
	}
	isPlain := !strings.ContainsAny(query, "%+")
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		if !isPlain {
			var nameErr, valueErr error
			name, nameErr = url.QueryUnescape(name)
			value, valueErr = url.QueryUnescape(value)
			if nameErr != nil || valueErr != nil {
				return ErrMalformed
			}
		}
		r.readOne(name, value, ignored)
	}
	return nil
}

// readOne reads one parameter. Values beyond the allowed number are rejected without being read.
func (r *reading) readOne(name, value string, ignored func(name string) bool) {
	p := r.set.byName[name]
	if p == nil {
		if !ignored(name) && !slices.Contains(r.unknown, name) && len(r.unknown) < maxUnknown {
			r.unknown = append(r.unknown, name)
		}
		return
	}
	r.given[p.index]++
	switch n := r.given[p.index]; {
	case n == 2 && !p.Many:
		r.reject(p, onceOnly)
	case n == MaxValues+1 && p.Many:
		r.reject(p, fmt.Sprintf("must be given at most %d times", MaxValues))
	case n == 1 || p.Many && n <= MaxValues:
		if p.isJoined() {
			if is, note := p.unlisted(value); is {
				r.report(p, note, true)
				return
			}
		}
		if err := p.read(r, p, value); err != nil {
			r.reject(p, err.Error())
		}
	}
}

// reject reports an invalid parameter, once.
func (r *reading) reject(p *Parameter, predicate string) { r.report(p, p.Name+" "+predicate, false) }

// report reports a message about a parameter, unless it has one. That about an unlisted name is only the end of one, because
// the names that callers may use differ. The list is short, so a search is cheaper than a map.
func (r *reading) report(p *Parameter, message string, unlisted bool) {
	if !slices.ContainsFunc(r.invalids, func(other invalid) bool { return other.Name == p.Name && other.Header == p.Header }) {
		r.invalids = append(r.invalids, invalid{Invalid: Invalid{Name: p.Name, Header: p.Header, Message: message}, of: p, unlisted: unlisted})
	}
}
