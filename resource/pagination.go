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

// paginate takes each thing from the first of the levels that says it, from an operation or a resource to the
// API, else the default. A negative number is told elsewhere.
func paginate(levels ...*pagination) parameters.Paging {
	var said pagination
	for _, level := range levels {
		said.Enabled = cmp.Or(said.Enabled, level.Enabled)
		said.ClientEnabled = cmp.Or(said.ClientEnabled, level.ClientEnabled)
		said.ItemsPerPage = cmp.Or(said.ItemsPerPage, max(level.ItemsPerPage, 0))
		said.MaxItemsPerPage = cmp.Or(said.MaxItemsPerPage, max(level.MaxItemsPerPage, 0))
		said.ClientItemsPerPage = cmp.Or(said.ClientItemsPerPage, level.ClientItemsPerPage)
		said.MaxPage = cmp.Or(said.MaxPage, max(level.MaxPage, 0))
		said.Partial = cmp.Or(said.Partial, level.Partial)
		said.ClientPartial = cmp.Or(said.ClientPartial, level.ClientPartial)
		said.ClientOffset = cmp.Or(said.ClientOffset, level.ClientOffset)
		said.ViaCursor = cmp.Or(said.ViaCursor, level.ViaCursor)
	}
	itemsPerPage := cmp.Or(said.ItemsPerPage, defaultItemsPerPage)
	return parameters.Paging{
		Enabled:            isChosen(said.Enabled, true),
		ClientEnabled:      isChosen(said.ClientEnabled, false),
		ItemsPerPage:       itemsPerPage,
		MaxItemsPerPage:    cmp.Or(said.MaxItemsPerPage, max(defaultMaxItemsPerPage, itemsPerPage)),
		ClientItemsPerPage: isChosen(said.ClientItemsPerPage, true),
		MaxPage:            cmp.Or(said.MaxPage, defaultMaxPage),
		Partial:            isChosen(said.Partial, false),
		ClientPartial:      isChosen(said.ClientPartial, false),
		ClientOffset:       isChosen(said.ClientOffset, false),
		ViaCursor:          isChosen(said.ViaCursor, false),
	}
}

func isChosen(choice *bool, byDefault bool) bool {
	if choice == nil {
		return byDefault
	}
	return *choice
}

type pagination = operation.Pagination

// The greatest numbers of pages. Their product, which is how many records a store passes
// over at most, is far from the end of an integer.
const (
	mostItemsPerPage = 1_000_000
	mostPages        = 1_000_000_000
)

// mistakesIn lists the numbers of the first level that are none of pages, and that it makes a page
// longer than the longest. Mistakes of the wider levels are told there.
func mistakesIn(levels ...*pagination) []string {
	level := levels[0]
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
	paging, outer := paginate(levels...), paginate(levels[1:]...)
	if mistakes == nil && paging.ItemsPerPage > paging.MaxItemsPerPage && outer.ItemsPerPage <= outer.MaxItemsPerPage {
		mistakes = append(mistakes, fmt.Sprintf("Pagination: ItemsPerPage is %d, more than MaxItemsPerPage, %d", paging.ItemsPerPage, paging.MaxItemsPerPage))
	}
	return mistakes
}
