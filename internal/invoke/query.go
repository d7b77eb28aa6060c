package invoke

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/parameters"
)

// CheckQuery returns what is wrong with a query, as a caller who may see everything gets it: one error a parameter.
func (o *Operation) CheckQuery(query string) []error {
	_, err := o.Operation.Parameters.Read(context.Background(), query, http.Header{}, func(string) bool { return false }, nil)
	invalid, ok := errors.AsType[*parameters.InvalidError](err)
	if !ok {
		return slices.DeleteFunc([]error{err}, func(err error) bool { return err == nil })
	}
	var errs []error
	for _, p := range invalid.For(func(string) bool { return true }).Parameters {
		errs = append(errs, errors.New(p.Message))
	}
	return errs
}

// choosing are the kinds of parameters that a filter may have. A tree is not, because it names fields in its value.
var choosing = []string{"filter", "q", "own"}

// CheckFilter returns what is wrong with a query that only chooses records, "" for all.
func (o *Operation) CheckFilter(query string) []error {
	if query == "" {
		return nil
	}
	errs := o.CheckQuery(query)
	for _, name := range namesIn(query) {
		at := slices.IndexFunc(o.Parameters, func(p Parameter) bool { return p.Name == name })
		if at >= 0 && !slices.Contains(choosing, o.Parameters[at].Kind) {
			errs = append(errs, fmt.Errorf("the parameter %s does not choose records; allowed: filters and the search", name))
		}
	}
	return errs
}

// CheckSort returns what is wrong with a sort order, "" for the usual one.
func (o *Operation) CheckSort(order string) (errs []error) {
	p := o.sort()
	switch {
	case order == "":
		return nil
	case p == nil:
		return []error{errors.New("no field of the list can be sorted by; add the word sort to its api tag")}
	}
	for key := range strings.SplitSeq(order, ",") {
		if !slices.Contains(p.Choices, key) {
			errs = append(errs, fmt.Errorf("unknown sort key %q%s", key, naming.Allowed(key, p.Choices)))
		}
	}
	return errs
}

// sort returns the parameter of the sort order, nil for none.
func (o *Operation) sort() *Parameter {
	if at := slices.IndexFunc(o.Parameters, func(p Parameter) bool { return p.Kind == "sort" }); at >= 0 {
		return &o.Parameters[at]
	}
	return nil
}

// ChoicesOf lists what the parameter with a name allows, nil for no such parameter.
func (o *Operation) ChoicesOf(name string) []string {
	if at := slices.IndexFunc(o.Parameters, func(p Parameter) bool { return p.Name == name }); at >= 0 {
		return slices.Clone(o.Parameters[at].Choices)
	}
	return nil
}

// Usable returns the parts of a filter and of a sort order that the parameters allow, as a query: for the result of
// [Caller.Shown], those that the caller may use. It is not whole if a part of the filter or the whole order is left out.
func (o *Operation) Usable(filter, order string) (query string, isWhole bool) {
	var pairs []string
	isWhole = true
	for pair := range strings.SplitSeq(filter, "&") {
		isOf := func(p Parameter) bool { return slices.Contains(namesIn(pair), p.Name) }
		if pair != "" && slices.ContainsFunc(o.Parameters, isOf) {
			pairs = append(pairs, pair)
		} else if pair != "" {
			isWhole = false
		}
	}
	if order == "" {
		return strings.Join(pairs, "&"), isWhole
	}
	var keys []string
	p := o.sort()
	if p != nil {
		keys = slices.DeleteFunc(strings.Split(order, ","), func(key string) bool { return !slices.Contains(p.Choices, key) })
	}
	if len(keys) == 0 {
		return strings.Join(pairs, "&"), false
	}
	return strings.Join(append(pairs, url.QueryEscape(p.Name)+"="+url.QueryEscape(strings.Join(keys, ","))), "&"), isWhole
}

// namesIn lists the names of the parameters in a query, each once.
func namesIn(query string) (names []string) {
	for pair := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); err == nil && plain != "" && !slices.Contains(names, plain) {
			names = append(names, plain)
		}
	}
	return names
}
