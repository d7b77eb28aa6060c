// Package contender serves the catalog in several ways, one per file.
package contender

import (
	"cmp"
	"net/http"

	"github.com/trove-api/trove/bench/catalog"
)

// Contender is one way of serving the catalog.
type Contender struct {
	// Name identifies it in flags and tables.
	Name string
	// About describes it in one line.
	About string
	// Against is the name of the contender that it is compared with; "" for [Reference].
	Against string
	// ShowsFewer reports whether pages omit items, because the client cannot see them.
	ShowsFewer bool
	// New returns a handler with a new store that holds the items.
	New func(items []catalog.Item) (http.Handler, error)
}

// Reference is the name of the contender that the others are compared with.
const Reference = "chi"

// The names of the contenders that have goals.
const (
	Trove  = "trove"
	Hooked = "trove+hook"
	Both   = "trove+both"
	Open   = "trove+open"
	Access = "trove+access"
)

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
		{Name: "chi+hook", About: "chi, with a hook before the rules", New: newChiHooked},
		{Name: "chi+both", About: "chi, with a middleware and the hook", New: newChiBoth},
		{Name: Trove, About: "Trove in its default configuration", New: newTrove},
		{Name: Hooked, About: "Trove with the hook", Against: "chi+hook", New: newHooked},
		{Name: Both, About: "Trove with the middleware and the hook", Against: "chi+both", New: newBoth},
		{Name: Open, About: "Trove with the records of " + Access + " and without rules", Against: Trove, New: newOpen},
		{Name: Access, About: "Trove with a bearer scheme and rules", Against: Open, ShowsFewer: true, New: newGuarded},
	}
}

// Reference returns the name of the contender that it is compared with.
func (c *Contender) Reference() string { return cmp.Or(c.Against, Reference) }
