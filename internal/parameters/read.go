package parameters

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/store"
)

// ErrMalformed is the error of a query whose names and values cannot be told apart.
var ErrMalformed = errors.New("the query string is malformed: percent-encode its names and values")

// InvalidError is the error of parameters that are not valid.
type InvalidError struct {
	Refusals []Refusal
	Allowed  []string // in the query; nil where no name was unknown
}

func (*InvalidError) Error() string { return "the parameters are not valid" }

// Values are what the parameters of a request ask for.
// It is data without the request, so that another protocol can make it in a way of its own.
type Values struct {
	// Query is for the store: of an operation that is no collection it is zero.
	Query store.Query
	// Fields are the members to send, in order; nil is all.
	Fields []string
	// Expand are the references whose records are asked for.
	Expand []string
	// Own points to the struct of the user's own parameters, nil without one.
	Own any
	// Window says which part of the collection is asked for.
	Window Window
}

// reading is the parameters of one request on their way into Values. Some parameters say
// different things of one matter, as page and cursor do, so that each is only noted here, and
// which of them counts is decided when all are known.
type reading struct {
	set      *Set
	values   *Values
	refusals []Refusal
	unknown  []string
	given    []int // how often, by Parameter.index

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
}

// maxUnknown is how many unknown parameters are named. A client who sends thousands gets no answer that is as long.
const maxUnknown = 20

const (
	// maxShownName is the length, in bytes, to which messages cut an unknown name.
	maxShownName = 64
	onceOnly     = "must be given only once"
)

// Read reads the parameters of a request. Those that ignored lets pass are not read. Its error is [ErrMalformed], an
// [*InvalidError] that tells all that is wrong, or that of a rule of the user's own which failed.
//
// The values are in room, or in memory of their own where that is nil. Those of requests without a query are shared by
// all: the caller only reads them.
func (s *Set) Read(ctx context.Context, query string, header http.Header, ignored func(name string) bool, room *Values) (*Values, error) {
	if query == "" && s.Own == nil {
		return s.plain, nil
	}
	if room == nil {
		room = new(Values)
	}
	*room = Values{}
	r := s.begin(room)
	defer func() { // all that belongs to the request goes, so that another one can use the reading
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
	if len(r.refusals)+len(r.unknown) > 0 {
		return nil, r.invalid()
	}
	if s.paging != nil {
		r.finishWindow()
	}
	return r.values, nil
}

// begin returns the reading of a request before its parameters are looked at.
// Two slices are all that a request needs, and they come from the one before.
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

// defaults returns what a request without parameters asks for. Most requests are such ones:
// it is made once, and shared by all of them.
func (s *Set) defaults() *Values {
	r := s.begin(new(Values))
	if s.paging != nil {
		r.finishWindow()
	}
	return r.values
}

// readQuery reads name after name. It does not use net/url, whose map loses the order in which values were given, and takes
// memory for parameters that are rejected.
func (r *reading) readQuery(query string, ignored func(name string) bool) error {
	// Some programs take a semicolon for a separator and others do not, so it must be encoded.
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

// readOne reads one parameter that was given. Its value is looked at once at most where it may
// be given once: what is too much is refused for being too much.
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
		r.refuse(p, onceOnly)
	case n == MaxValues+1 && p.Many:
		r.refuse(p, fmt.Sprintf("must be given at most %d times", MaxValues))
	case n == 1 || p.Many && n <= MaxValues:
		if err := p.read(r, p, value); err != nil {
			r.refuse(p, err.Error())
		}
	}
}

// refuse notes that a parameter is not valid: once, for one reason is enough.
func (r *reading) refuse(p *Parameter, predicate string) { r.tell(p, p.Name+" "+predicate) }

// tell notes what is wrong with a parameter. A list is short, so that going through it costs less than a map.
func (r *reading) tell(p *Parameter, message string) {
	for _, other := range r.refusals {
		if other.Name == p.Name && other.Header == p.Header {
			return
		}
	}
	r.refusals = append(r.refusals, Refusal{Name: p.Name, Header: p.Header, Message: message})
}

// invalid tells what is wrong, unknown names last and in their own order, so that a request is answered alike however
// it is put together. Which names there are is said only where one was unknown.
func (r *reading) invalid() *InvalidError {
	e := &InvalidError{Refusals: r.refusals}
	if r.unknown == nil {
		return e
	}
	e.Allowed = r.set.Names()
	suggested := r.set.suggested()
	slices.Sort(r.unknown)
	for _, name := range r.unknown {
		shown := model.Shorten(name, maxShownName)
		e.Refusals = append(e.Refusals, Refusal{
			Name: shown, Message: `Unknown parameter "` + shown + `"` + naming.DidYouMean(name, suggested),
		})
	}
	return e
}
