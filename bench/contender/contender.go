// Package contender has one way of serving the catalog in each of its files.
package contender

import (
	"net/http"

	"github.com/trove-api/trove/bench/catalog"
)

// Contender is one way of serving the catalog.
type Contender struct {
	// Name is what flags and tables call it.
	Name string
	// About is a line on what it is.
	About string
	// New makes a handler with a store of its own that holds the items.
	New func(items []catalog.Item) (http.Handler, error)
}

// Reference is the name of the contender that the others are compared with.
const Reference = "chi"

// Trove is the name of the contender that has goals.
const Trove = "trove"

// All returns the contenders, the reference first.
func All() []Contender {
	return []Contender{
		{Name: Reference, About: "chi, encoding/json and validator, by hand", New: newChi},
		{Name: "servemux", About: "the same handlers on http.ServeMux", New: newServeMux},
		{Name: "gin", About: "gin with encoding/json and its validator", New: newGin},
		{Name: "echo", About: "echo with encoding/json and validator", New: newEcho},
		{Name: "huma", About: "Huma on chi, without links to schemas", New: newHuma},
		{Name: "fuego", About: "Fuego, without its log", New: newFuego},
		{Name: "swaggest", About: "swaggest/rest on chi", New: newSwaggest},
		{Name: "ceiling", About: "chi and code for this one type, as fast as it gets by hand", New: newCeiling},
		{Name: "hooked", About: "Trove with a Prepare hook", New: newHooked},
		{Name: Trove, About: "Trove in its default configuration", New: newTrove},
	}
}
