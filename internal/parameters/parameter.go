package parameters

import (
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

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
