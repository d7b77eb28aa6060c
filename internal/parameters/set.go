// Package parameters defines the query and header parameters of operations, and reads those of requests. The
// parameters follow from the tags of the resource's struct and the operation's settings. Routes and the OpenAPI
// document both use a [Set].
//
// Every parameter is checked by itself: parameters that are valid alone are valid together. If two conflict, one
// takes precedence: pagination=false over all paging, itemsPerPage=0 over cursor, page and partial, cursor over
// page, sort over order.
package parameters

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Set is the parameters of one operation. It is safe for concurrent use and must not be copied.
type Set struct {
	List []*Parameter // in the order of the OpenAPI document
	Own  *Struct      // the struct of declared parameters; nil for none

	byName   map[string]*Parameter // of the query
	whole    bool
	inverses []*model.Field // of the record, which no store has
	plain    *Values        // for a request without parameters
	idle     sync.Pool      // of *reading, all empty

	// For a collection:
	paging  *Paging
	order   []store.Order          // the default order; ends with the identifier
	id      []string               // the names of the identifier's fields
	fields  map[string]*position   // the fields that an order can have, by path
	sorts   map[string]store.Order // by the value of sort: "name", "-name"
	turning []string               // the paging parameters
	key     []byte                 // seals cursors
	opaque  bool                   // cursors are encrypted
	shown   *model.View            // nil for all fields
	embeds  []string               // the paths of fields of records that the view embeds
	read    []string               // the fields that a store has to read, identifier included; nil for all
	longest int                    // the maximum length of the path and query of a link
	columns map[string]*Column     // of an aggregation: by parameter and value, such as "group=from:month"; nil for others

	// For a collection that takes a tree of conditions:
	Tree       []*TreeField // the fields of conditions, in the order of the OpenAPI document
	treeFields map[string]*TreeField
	mostNodes  int // the maximum number of conditions, any, all and not; 0 for no tree
}

// Kind is what a parameter is for: the usual name of the parameter, if there is one.
type Kind string

// The kinds of parameters.
const (
	Page         Kind = "page"         // page=2
	ItemsPerPage Kind = "itemsPerPage" // itemsPerPage=50
	Pagination   Kind = "pagination"   // pagination=false
	Partial      Kind = "partial"      // partial=true
	Offset       Kind = "offset"       // offset=40
	Cursor       Kind = "cursor"       // cursor=…
	Sort         Kind = "sort"         // sort=name,-value
	Order        Kind = "order"        // order[name]=asc
	Filter       Kind = "filter"       // name=…, value[gte]=…
	Tree         Kind = "tree"         // filter={"any":[…]}
	Search       Kind = "q"            // q=…
	Fields       Kind = "fields"       // fields=name,value
	Expand       Kind = "expand"       // expand=owner,tags
	Deleted      Kind = "deleted"      // deleted=only
	Own          Kind = "own"          // declared by the operation
	Group        Kind = "group"        // group=status,from:month
	Function     Kind = "function"     // sum=total, avg=…, min=…, max=…
	TimeZone     Kind = "timezone"     // timezone=Europe/Berlin
)

// Parameter is one parameter of an operation.
type Parameter struct {
	Kind   Kind
	Name   string
	Header bool // in a header field; otherwise in the query
	Many   bool // may be given several times

	Path     model.Path     // Order, Filter: the field, including the reference that leads to it
	Through  string         // Order, Filter: the name of that reference; "" for a field of the record itself
	Operator store.Operator // Filter
	Word     string         // Filter: the operator in trees: "gte"
	Between  bool           // Filter: two inclusive bounds, "1..5"
	Allowed  []string       // Sort, Fields, Group, Function: the names; Filter: the values of an enumeration, nil for any
	Layout   string         // Filter: the layout of dates in a string; "" for any text
	Minimum  int            // Page, ItemsPerPage, Offset
	Maximum  int            // Page, ItemsPerPage, Offset
	Default  any            // an int or a bool; nil for none
	Field    *model.Field   // Own

	index  int               // in Set.List
	paths  map[string]string // of an aggregation: the fields that the names in Allowed are about, "" for none
	fields []string          // Filter: the name of the field, shared by all conditions
	scalar *codec.Scalar     // of single values
	read   func(*reading, *Parameter, string) error
}

const (
	// MaxValues is how often a parameter with several values may be given.
	MaxValues = 100
	// MaxSearch is the maximum length of a free-text search, in characters.
	MaxSearch = 200
)

// Struct is a compiled struct of parameters, read by a view of it.
type Struct struct {
	View    *model.View
	Codec   *codec.Codec
	Decoder *codec.Decoder
	Checker checker
}

// checker checks decoded parameters by the rules of their struct. It is an interface so that this package does not know
// rules; a check.Checker is one.
type checker interface {
	Check(ctx context.Context, record any, decoded codec.Decoded) (model.Report, error)
}

// Options determine the parameters of an operation.
type Options struct {
	Record  *model.Struct // of the resource
	Paging  *Paging       // of a collection; else nil
	Order   []string      // of a collection: "name", "-value"
	Key     []byte        // of a collection: the program's key for cursors
	Scope   string        // of a collection: distinguishes its cursors from those of others
	Sparse  *model.View   // the view whose fields can be selected; nil for none
	Shown   *model.View   // of a collection whose view omits fields; else nil
	Embeds  []string      // the paths of fields of records that Shown embeds: "owner.name"
	Expand  []string      // the references that can be expanded; nil for none
	Deleted bool          // records in the trash can be read
	Whole   bool          // the store must read all fields, regardless of the response
	Nodes   int           // of a collection: the maximum number of conditions, any, all and not in a tree; 0 for no trees
	Opaque  bool          // of a collection: clients must not read positions in cursors
	MaxURL  int           // of a collection: the maximum length of the path and query of a link
	Own     *Struct       // nil for none
	Groups  bool          // of a collection: rows are groups of its records
}

// Compile returns the parameters of an operation. Its error joins every mistake.
func Compile(o Options) (*Set, error) {
	s := &Set{
		Own: o.Own, inverses: o.Record.Inverses, byName: map[string]*Parameter{}, id: o.Record.Identifier().Names(),
		paging: o.Paging, whole: o.Whole, shown: o.Shown, embeds: o.Embeds, longest: o.MaxURL, opaque: o.Opaque,
	}
	var errs []error
	if o.Paging != nil {
		errs = append(errs, s.addCollection(&o))
	}
	if o.Shown != nil {
		s.read = s.stored(append(slices.Clone(s.id), slices.DeleteFunc(o.Shown.Shows(), func(name string) bool { return slices.Contains(s.id, name) })...))
	}
	if o.Sparse != nil {
		s.add(&Parameter{Kind: Fields, Name: "fields", Allowed: o.Sparse.Shows(), read: readFields})
	}
	if o.Expand != nil { // complete paths, so that the tags decide how deep clients can go
		s.add(&Parameter{Kind: Expand, Name: "expand", Allowed: o.Expand, read: readExpand})
	}
	if o.Deleted {
		s.add(&Parameter{Kind: Deleted, Name: "deleted", Allowed: []string{string(store.OnlyDeleted), string(store.WithDeleted)}, read: readDeleted})
	}
	if o.Own != nil {
		errs = append(errs, s.addOwn(o.Own))
	}
	if o.Paging != nil {
		s.addIdentifier(o.Record)
		if o.Nodes > 0 {
			errs = append(errs, s.compileTree(o.Nodes))
		}
	}
	errs = append(errs, s.index())
	s.plain = new(Values)
	if r := s.begin(s.plain); s.paging != nil {
		r.finishWindow()
	}
	return s, errors.Join(errs...)
}

// addCollection adds the parameters of a collection, and of groups of its records.
func (s *Set) addCollection(o *Options) error {
	s.turning = []string{"page", "cursor"}
	if o.Paging.takesOffset() { // otherwise a filter can have the name offset
		s.turning = append(s.turning, "offset")
	}
	s.key = s.sealingKey(o.Key, o.Scope, o.Record)
	s.addPaging(!o.Groups)
	for _, path := range s.queryable(o.Record) {
		for _, word := range path.Leaf().Filters {
			s.addFilter(path, word)
		}
	}
	if o.Nodes > 0 {
		s.add(&Parameter{Kind: Tree, Name: "filter", read: readTree})
	}
	var searched []string
	for _, path := range o.Record.Paths() {
		if path.Leaf().Search && s.shows(path) {
			searched = append(searched, path.Name)
		}
	}
	if searched != nil {
		q := &Parameter{Kind: Search, Name: "q", Allowed: searched, Operator: store.Contains, read: readSearch}
		if path, _ := o.Record.Path(searched[0]); path.Leaf().FullText {
			q.Operator, q.read = store.FullText, readFullText
		}
		s.add(q)
	}
	if o.Groups {
		return s.addAggregates(o.Record)
	}
	return s.addOrder(o.Record, o.Order)
}

// add appends a parameter. The OpenAPI document has the same order.
func (s *Set) add(p *Parameter) {
	if p.scalar == nil {
		p.scalar = texts
	}
	s.List = append(s.List, p)
}

// The codecs of the values of basic types, which all sets share. They are those of bodies, so that numbers have the same
// forms everywhere: 10, 1e1, 10.0.
var (
	texts    = scalarFor[string](model.String) //nolint:gochecknoglobals // never changes
	switches = scalarFor[bool](model.Bool)     //nolint:gochecknoglobals // never changes
	integers = scalarFor[int](model.Int)       //nolint:gochecknoglobals // never changes
)

func scalarFor[V any](kind model.Kind) *codec.Scalar {
	return codec.CompileScalar(&model.Type{Go: reflect.TypeFor[V](), Kind: kind, Bits: 64}, nil)
}

// index numbers the parameters, so that a reading can use slices, which are cheaper to reuse than maps. Duplicate
// names are mistakes. Names of header fields are case-insensitive.
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
			errs = append(errs, fmt.Errorf("two parameters have the name %q, of the kinds %s and %s; rename a field by its json tag", p.Name, other.Kind, p.Kind))
		default:
			s.byName[p.Name] = p
		}
	}
	return errors.Join(errs...)
}

// Query returns everything that clients can query, without values. New checks with it whether the store supports
// all filters and orders.
func (s *Set) Query() store.Query {
	query := store.Query{Order: slices.Clone(s.order)}
	if s.paging == nil {
		return query
	}
	for _, c := range s.AggregateColumns() {
		if c.Place != "" {
			query.Order = append(query.Order, c.Term.Value)
		}
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
				if operator == store.Equal && s.TakesTree() {
					*where = append(*where, store.Condition{Fields: p.fields, Operator: store.NotEqual})
				}
			}
		case Search:
			query.Where = append(query.Where, store.Condition{Fields: p.Allowed, Operator: p.Operator})
		case Order:
			query.Order = append(query.Order, orderBy(p.Path, false))
		}
	}
	return query
}
