// Package parameters knows the query and header parameters of an operation: which there are, by the tags of the
// resource's struct and the operation's settings, and what those of a request ask for. Routes and document both walk a
// [Set].
//
// Every parameter that is given is checked, whatever the others are: those that are valid alone are valid together.
// Where two say different things, one goes before the other: pagination=false before all that turns pages,
// itemsPerPage=0 before cursor, page and partial, cursor before page, sort before order.
package parameters

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Set is the parameters of one operation. It is safe for use by many goroutines and must not be copied.
type Set struct {
	List []*Parameter // in the order of the document
	Own  *Struct      // what the user's own are the fields of; nil for none

	byName   map[string]*Parameter // of the query
	members  []string              // of answers, in order, that fields can choose
	whole    bool
	inverses []*model.Field // those among them that no store keeps
	plain    *Values        // of a request without parameters
	idle     sync.Pool      // of *reading, each of them empty

	// Of a collection:
	paging  *Paging
	order   []store.Order          // where the client asks for none; ends with the identifier
	id      []string               // the names of the identifier's fields
	fields  map[string]*position   // by path: those that the order can have
	sorts   map[string]store.Order // by what sort has for them: "name", "-name"
	turning []string               // the parameters that turn pages
	cursors *Cursors
	shown   *model.View // nil for all members
	read    []string    // what a store has to read for what is shown, and the identifier; nil for all fields
}

// Kind is what a parameter is for.
type Kind int

// The kinds of parameters.
const (
	Page         Kind = iota + 1 // page=2
	ItemsPerPage                 // itemsPerPage=50
	Pagination                   // pagination=false
	Partial                      // partial=true
	Offset                       // offset=40
	Cursor                       // cursor=…
	Sort                         // sort=name,-value
	Order                        // order[name]=asc
	Filter                       // name=…, value[gte]=…
	Search                       // q=…
	Fields                       // fields=name,value
	Expand                       // expand=owner,tags
	Own                          // one of the user's own
)

// String returns "own", "filter" or "order", and else the usual name of the parameter.
func (k Kind) String() string {
	return [...]string{
		"", "page", "itemsPerPage", "pagination", "partial", "offset", "cursor", "sort", "order", "filter", "q", "fields", "expand", "own",
	}[k]
}

// Parameter is one parameter of an operation.
type Parameter struct {
	Kind   Kind
	Name   string
	Header bool // a header field; else in the query
	Many   bool // may be given several times

	Path     model.Path     // Order, Filter: the field that it is about, behind the reference that it goes through
	Through  string         // Order, Filter: the name of that reference; "" for a field of the record itself
	Operator store.Operator // Filter
	Between  bool           // Filter: two values, "1..5", both within
	Allowed  []string       // Sort, Fields: the names; Filter: the values of an enumeration, nil for any
	Minimum  int            // Page, ItemsPerPage, Offset
	Maximum  int            // Page, ItemsPerPage, Offset
	Default  any            // what is so where it is not given: an int or a bool; nil for nothing
	Field    *model.Field   // Own

	index  int      // in Set.List
	fields []string // Filter: the name of the field, which all conditions share
	scalar *codec.Scalar
	read   func(*reading, *Parameter, string) error
}

const (
	// MaxValues is how often a parameter may be given that may be given several times.
	MaxValues = 100
	// MaxSearch is the greatest length of a free-text search, in characters.
	MaxSearch = 200
)

// Refusal is a parameter that is not valid.
type Refusal struct {
	Name   string
	Header bool
	// Message says what is wrong, the name included, without a full stop.
	Message string
}

// Struct is a compiled struct of parameters, read by a view of it.
type Struct struct {
	View    *model.View
	Codec   *codec.Codec
	Decoder *codec.Decoder
	Checker *check.Checker
}

// Options are what an operation's parameters are made of.
type Options struct {
	Record  *model.Struct // of the resource
	Paging  *Paging       // of a collection; nil for what is none
	Order   []string      // of a collection: "name", "-value"
	Cursors *Cursors      // of a collection
	Sparse  *model.View   // whose members can be chosen; nil for none
	Shown   *model.View   // of a collection, where a view leaves members out; nil for one that does not
	Expand  []string      // references whose records can be asked for; nil for none
	Whole   bool          // records are needed with all their members, whatever answers show
	Own     *Struct       // nil for none
}

// Compile makes the set of an operation. Its error joins every mistake.
func Compile(o Options) (*Set, error) {
	s := &Set{Own: o.Own, byName: map[string]*Parameter{}, id: o.Record.Identifier().Names(), paging: o.Paging, cursors: o.Cursors, whole: o.Whole, shown: o.Shown}
	var errs []error
	if o.Paging != nil {
		s.turning = []string{"page", "cursor"}
		if o.Paging.takesOffset() { // a filter can be called offset otherwise
			s.turning = append(s.turning, "offset")
		}
		s.addPaging()
		s.addFilters(o.Record)
		s.addSearch(o.Record)
		errs = append(errs, s.addOrder(o.Record, o.Order))
	}
	if o.Shown != nil {
		s.inverses = o.Shown.Struct.Inverses
		s.read = s.stored(append(slices.Clone(s.id), slices.DeleteFunc(o.Shown.Shows(), func(name string) bool { return slices.Contains(s.id, name) })...))
	}
	if o.Sparse != nil {
		s.addFields(o.Sparse)
	}
	if o.Expand != nil {
		s.addExpand(o.Expand)
	}
	if o.Own != nil {
		errs = append(errs, s.addOwn(o.Own))
	}
	if o.Paging != nil {
		s.addIdentifier(o.Record)
	}
	errs = append(errs, s.index())
	s.plain = s.defaults()
	return s, errors.Join(errs...)
}

// add appends a parameter. Its order is that of the document.
func (s *Set) add(p *Parameter) { s.List = append(s.List, p) }

// index gives each parameter its number, by which a reading notes what was given: a slice is emptied for the next
// request, where a map would be made anew. Two of one name are a mistake. Names of header fields have no case.
func (s *Set) index() error {
	var errs []error
	headers := map[string]bool{}
	for i, p := range s.List {
		p.index = i
		name := strings.ToLower(p.Name)
		switch other := s.byName[p.Name]; {
		case p.Header && headers[name]:
			errs = append(errs, fmt.Errorf("two header parameters have the name %q", p.Name))
		case p.Header:
			headers[name] = true
		case other != nil:
			errs = append(errs, fmt.Errorf("two parameters have the name %q, %s and %s; rename a field by its json tag", p.Name, other.describe(), p.describe()))
		default:
			s.byName[p.Name] = p
		}
	}
	return errors.Join(errs...)
}

// describe tells a parameter's origin in an error, so that who reads it knows which of two declarations to change.
func (p *Parameter) describe() string {
	switch p.Kind {
	case Filter:
		return "the filter of the field " + p.Path.Name
	case Own:
		return "the operation's own"
	}
	return "the one of every collection"
}

// Names lists the parameters of the query, in order.
// Header fields are left out: who has misspelt a name of the query looks for another one there.
func (s *Set) Names() []string {
	names := []string{}
	for _, p := range s.List {
		if !p.Header {
			names = append(names, p.Name)
		}
	}
	return names
}

// suggested lists the parameters of the query that messages may suggest: none of a field with an access rule,
// because the caller may not be allowed to read it.
func (s *Set) suggested() []string {
	var names []string
	for _, p := range s.List {
		isGuarded := slices.ContainsFunc(p.Path.Fields, func(f *model.Field) bool { return f.Guarded })
		if !p.Header && !isGuarded {
			names = append(names, p.Name)
		}
	}
	return names
}

// Query returns all that clients can ask of a store, without values, for the store to
// say whether it can answer. It is asked when the API is made: a filter that a store cannot
// answer is a mistake of the declaration, and no failure of a request.
func (s *Set) Query() store.Query {
	query := store.Query{Order: slices.Clone(s.order)}
	if s.paging == nil {
		return query
	}
	for _, p := range s.List {
		switch p.Kind {
		case Filter:
			operators := []store.Operator{p.Operator}
			if p.Between {
				operators = []store.Operator{store.GreaterEqual, store.LessEqual}
			}
			for _, operator := range operators {
				where := conditionsOn(&query, p.Through)
				*where = append(*where, store.Condition{Fields: p.fields, Operator: operator})
			}
		case Search:
			query.Where = append(query.Where, store.Condition{Fields: p.Allowed, Operator: store.Contains})
		case Order:
			query.Order = append(query.Order, orderBy(p.Path, false))
		}
	}
	return query
}
