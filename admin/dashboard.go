package admin

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/operation"
)

// Panel is a part of the dashboard: [Number], [Bars], [Line] or [Newest]. Its figures are those that the aggregate operation
// of the resource returns to the caller.
type Panel interface{ panel() panel }

// Number is a panel with the number of records, or a sum over them.
type Number struct {
	// Resource is the short name of a resource with an operation.Aggregate. Required.
	Resource string
	// Title is the heading. Default: what is counted, such as "Bookings".
	Title string
	// Filter is a query that chooses the records, such as "status=sent". Default: all.
	Filter string
	// Sum is the field whose values are added; its api tag has the word aggregate. Default: the records are counted.
	Sum string
	// Currency is the code of the currency of Sum, such as "EUR". Integers are then in its smallest unit, such as cents.
	// Default: none, Sum is a plain number.
	Currency string
}

// Bars is a panel with a bar for each value of a field.
type Bars struct {
	// Resource, Title, Filter, Sum and Currency are those of a [Number].
	Resource, Title, Filter, Sum, Currency string
	// Group is the field; its api tag has the word group. Required.
	Group string
}

// Line is a panel with a line over time.
type Line struct {
	// Resource, Title, Filter, Sum and Currency are those of a [Number].
	Resource, Title, Filter, Sum, Currency string
	// Group is a time or date with a unit, such as "from:month". Its api tag has the word group. Required.
	Group string
}

// Newest is a panel with the first records of a list.
type Newest struct {
	// Resource, Title and Filter are those of a [Number], but the resource needs an operation.GetCollection.
	Resource, Title, Filter string
	// Sort is the sort order, such as "-created". Default: that of the list.
	Sort string
	// Count is how many records it shows, up to 20. Default: 5.
	Count int
}

// panel is a panel as the page gets it.
type panel struct {
	Kind     string `json:"kind"` // "number", "bars", "line" or "newest"
	Resource string `json:"resource"`
	Title    string `json:"title"`
	Query    string `json:"query"` // the filter, and the sort order of newest
	Group    string `json:"group"` // with a unit
	Sum      string `json:"sum"`
	Currency string `json:"currency"`
	Count    int    `json:"count"` // newest

	sort string
}

func (p Number) panel() panel {
	return panel{Kind: "number", Resource: p.Resource, Title: p.Title, Query: p.Filter, Sum: p.Sum, Currency: p.Currency}
}

func (p Bars) panel() panel {
	return panel{Kind: "bars", Resource: p.Resource, Title: p.Title, Query: p.Filter, Sum: p.Sum, Currency: p.Currency, Group: p.Group}
}

func (p Line) panel() panel {
	return panel{Kind: "line", Resource: p.Resource, Title: p.Title, Query: p.Filter, Sum: p.Sum, Currency: p.Currency, Group: p.Group}
}

const usualNewest, mostNewest = 5, 20

func (p Newest) panel() panel {
	return panel{Kind: "newest", Resource: p.Resource, Title: p.Title, Query: p.Filter, Count: cmp.Or(p.Count, usualNewest), sort: p.Sort}
}

// sourceOf returns the operation that returns totals of all records of a resource, or lists them; nil for none.
func sourceOf(r *invoke.Resource, totals bool) *invoke.Operation {
	for _, op := range direct(r.Operations) {
		isList := op.Kind == operation.KindGetCollection && !op.Custom
		if !op.Hidden && (totals && op.Aggregates || !totals && isList) {
			return op
		}
	}
	return nil
}

// currencies matches the codes of currencies.
var currencies = regexp.MustCompile(`^[A-Z]{3}$`)

// checkDashboard returns the errors in the panels of the config.
func (c *Config) checkDashboard(api *invoke.API) error {
	var errs []error
	for i, declared := range c.Dashboard {
		found := []error{errors.New("the panel is nil")}
		if declared != nil {
			found = declared.panel().check(api, c)
		}
		for _, err := range found {
			errs = append(errs, fmt.Errorf("config: Dashboard[%d]: %w", i, err))
		}
	}
	return errors.Join(errs...)
}

// check returns what is wrong with the panel.
func (p panel) check(api *invoke.API, c *Config) (errs []error) {
	r, err := api.Resource(p.Resource)
	if err != nil {
		return []error{err}
	}
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(r.ShortName+": "+format, args...)) }
	if slices.ContainsFunc(c.Resources, func(one Resource) bool { return one.Name == r.ShortName && one.Hidden }) {
		fail("the resource is hidden in the admin")
	}
	op := sourceOf(r, p.Kind != "newest")
	if op == nil {
		needed := map[bool]string{true: "operation.GetCollection", false: "operation.Aggregate"}
		fail("the panel needs an %s; add it to the operations of the resource", needed[p.Kind == "newest"])
		return errs
	}
	for _, err := range op.CheckFilter(p.Query) {
		fail("Filter: %w", err)
	}
	for _, err := range op.CheckSort(p.sort) {
		fail("Sort: %w", err)
	}
	isTimed := p.Kind == "line"
	if p.Kind == "bars" || isTimed {
		groups := slices.DeleteFunc(op.ChoicesOf("group"), func(name string) bool { return strings.Contains(name, ":") != isTimed })
		if !slices.Contains(groups, p.Group) {
			fail("Group: cannot group by %q%s", p.Group, allowedOr(p.Group, groups, "add the word group to the api tag of a field"))
		}
	}
	if sums := op.ChoicesOf("sum"); p.Sum != "" && !slices.Contains(sums, p.Sum) {
		fail("Sum: cannot add the values of %q%s", p.Sum, allowedOr(p.Sum, sums, "add the word aggregate to the api tag of a number"))
	}
	if p.Currency != "" && (p.Sum == "" || !currencies.MatchString(p.Currency)) {
		fail("Currency: %q is not the currency of a sum; set Sum, and write it as %q", p.Currency, "EUR")
	}
	if p.Count < 0 || p.Count > mostNewest {
		fail("Count: %d is out of range; allowed: 1 to %d", p.Count, mostNewest)
	}
	return errs
}

// allowedOr returns a clause that suggests one of the options, or what to do if there are none.
func allowedOr(word string, options []string, advice string) string {
	if len(options) == 0 {
		return "; " + advice
	}
	return naming.Allowed(word, options)
}

// dashboard lists the panels that the caller may see: figures without a part of their filter would be others.
func (v *view) dashboard() []panel {
	list := []panel{}
	for _, declared := range v.config.Dashboard {
		p := declared.panel()
		r, _ := v.api.Resource(p.Resource) // checked before
		op := v.shown(sourceOf(r, p.Kind != "newest"))
		if op == nil || !v.shows[r] {
			continue
		}
		query, isWhole := op.Usable(p.Query, p.sort)
		hides := func(name, parameter string) bool {
			return name != "" && !slices.Contains(op.ChoicesOf(parameter), name)
		}
		if !isWhole || hides(p.Group, "group") || hides(p.Sum, "sum") {
			continue
		}
		p.Query = query
		list = append(list, p)
	}
	return list
}
