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

// Set is the parameters of one operation. It is safe for use by many goroutines and must
// not be copied.
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
	order   []store.Order        // where the client asks for none; ends with the identifier
	id      []string             // the names of the identifier's fields
	fields  map[string]*position // by path: those that the order can have
	cursors *Cursors
	shown   *model.View // nil for all members
	read    []string    // what is shown of records, and the identifier; nil for all members
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
		s.addPaging()
		s.addFilters(o.Record)
		s.addSearch(o.Record)
		errs = append(errs, s.addOrder(o.Record, o.Order))
	}
	if o.Shown != nil {
		s.inverses = o.Shown.Struct.Inverses
		s.read = append(slices.Clone(s.id), slices.DeleteFunc(o.Shown.Shows(), func(name string) bool { return slices.Contains(s.id, name) })...)
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

// index gives each parameter its number, by which a reading notes what was given: a slice
// is emptied for the next request, where a map would be made anew. Two of one name are a
// mistake. Names of header fields have no case.
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

// describe tells a parameter's origin in an error, so that who reads it knows which of two
// declarations to change.
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
