package resource

import (
	"fmt"

	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/operation"
)

const (
	defaultItemsPerPage    = 30
	defaultMaxItemsPerPage = 100
	defaultMaxPage         = 10_000
)

// paginate fills in what each level leaves to the next wider one, from an operation or a
// resource to the API, and the last to the default.
func paginate(levels ...*pagination) parameters.Paging {
	number := func(of func(*pagination) int, byDefault int) int {
		for _, level := range levels {
			if n := of(level); n > 0 { // a negative one is told elsewhere
				return n
			}
		}
		return byDefault
	}
	chosen := func(of func(*pagination) *bool, byDefault bool) bool {
		for _, level := range levels {
			if choice := of(level); choice != nil {
				return *choice
			}
		}
		return byDefault
	}
	p := parameters.Paging{
		Enabled:            chosen(func(p *pagination) *bool { return p.Enabled }, true),
		ClientEnabled:      chosen(func(p *pagination) *bool { return p.ClientEnabled }, false),
		ItemsPerPage:       number(func(p *pagination) int { return p.ItemsPerPage }, defaultItemsPerPage),
		ClientItemsPerPage: chosen(func(p *pagination) *bool { return p.ClientItemsPerPage }, true),
		MaxPage:            number(func(p *pagination) int { return p.MaxPage }, defaultMaxPage),
		Partial:            chosen(func(p *pagination) *bool { return p.Partial }, false),
		ClientPartial:      chosen(func(p *pagination) *bool { return p.ClientPartial }, false),
		ViaCursor:          chosen(func(p *pagination) *bool { return p.ViaCursor }, false),
	}
	p.MaxItemsPerPage = number(func(p *pagination) int { return p.MaxItemsPerPage }, max(defaultMaxItemsPerPage, p.ItemsPerPage))
	return p
}

type pagination = operation.Pagination

// The greatest numbers of pages. Their product, which is how many records a store passes
// over at most, is far from the end of an integer.
const (
	mostItemsPerPage = 1_000_000
	mostPages        = 1_000_000_000
)

// mistakesIn lists the numbers of a level that are none of pages, and that it makes a page
// longer than the longest. Mistakes of the wider levels are told there.
func mistakesIn(level *pagination, wider ...*pagination) []string {
	if *level == (pagination{}) {
		return nil
	}
	var mistakes []string
	for _, number := range []struct {
		name        string
		value, most int
		mostText    string
	}{
		{"ItemsPerPage", level.ItemsPerPage, mostItemsPerPage, "1,000,000"},
		{"MaxItemsPerPage", level.MaxItemsPerPage, mostItemsPerPage, "1,000,000"},
		{"MaxPage", level.MaxPage, mostPages, "1,000,000,000"},
	} {
		if number.value < 0 || number.value > number.most {
			mistakes = append(mistakes, fmt.Sprintf("Pagination: %s is %d; allowed: 1 to %s, or 0 for the default", number.name, number.value, number.mostText))
		}
	}
	paging, outer := paginate(append([]*pagination{level}, wider...)...), paginate(wider...)
	if mistakes == nil && paging.ItemsPerPage > paging.MaxItemsPerPage && outer.ItemsPerPage <= outer.MaxItemsPerPage {
		mistakes = append(mistakes, fmt.Sprintf("Pagination: ItemsPerPage is %d, more than MaxItemsPerPage, %d", paging.ItemsPerPage, paging.MaxItemsPerPage))
	}
	return mistakes
}
