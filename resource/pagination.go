package resource

import (
	"cmp"
	"fmt"

	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/operation"
)

const (
	defaultItemsPerPage    = 30
	defaultMaxItemsPerPage = 100
	defaultMaxPage         = 10_000
)

// paginate fills in what the operation leaves to the resource, that to the API, and that
// to the default.
func paginate(operation, resource, api operation.Pagination) parameters.Paging {
	number := func(of func(pagination) int, byDefault int) int {
		return cmp.Or(of(operation), of(resource), of(api), byDefault)
	}
	chosen := func(of func(pagination) *bool, byDefault bool) bool {
		return *cmp.Or(of(operation), of(resource), of(api), &byDefault)
	}
	p := parameters.Paging{
		Enabled:            chosen(func(p pagination) *bool { return p.Enabled }, true),
		ClientEnabled:      chosen(func(p pagination) *bool { return p.ClientEnabled }, false),
		ItemsPerPage:       number(func(p pagination) int { return p.ItemsPerPage }, defaultItemsPerPage),
		ClientItemsPerPage: chosen(func(p pagination) *bool { return p.ClientItemsPerPage }, true),
		MaxPage:            number(func(p pagination) int { return p.MaxPage }, defaultMaxPage),
		Partial:            chosen(func(p pagination) *bool { return p.Partial }, false),
		ClientPartial:      chosen(func(p pagination) *bool { return p.ClientPartial }, false),
		ViaCursor:          chosen(func(p pagination) *bool { return p.ViaCursor }, false),
	}
	p.MaxItemsPerPage = number(func(p pagination) int { return p.MaxItemsPerPage }, max(defaultMaxItemsPerPage, p.ItemsPerPage))
	return p
}

type pagination = operation.Pagination

// mistakesIn lists the numbers that are none of pages.
func mistakesIn(p operation.Pagination) []string {
	var mistakes []string
	for _, number := range []struct {
		name  string
		value int
	}{{"ItemsPerPage", p.ItemsPerPage}, {"MaxItemsPerPage", p.MaxItemsPerPage}, {"MaxPage", p.MaxPage}} {
		if number.value < 0 {
			mistakes = append(mistakes, fmt.Sprintf("Pagination: %s is %d; allowed: a positive number, or 0 for the default", number.name, number.value))
		}
	}
	return mistakes
}
