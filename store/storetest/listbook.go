package storetest

import (
	"slices"
	"strconv"

	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
)

// listQueries are queries that lists answer.
func listQueries() []store.Query {
	first, last := tokenIDs()[0], tokenIDs()[1]
	queries := []store.Query{
		where("keys", store.Equal, "a"), where("keys", store.Equal, "A", "é"), where("keys", store.Equal, `say "no"`, "[1]", "1", "1"),
		where("keys", store.Equal, "nobody"), where("tokens", store.Equal, first), where("tokens", store.Equal, last, first, uuid.UUID{7}),
		where("labels", store.Equal, "red"), where("labels", store.Equal, "", `"`), where("labels", store.Equal, "a\\b", "ü"), where("labels", store.Equal, "a\x00"),
		where("counts", store.Equal, int64(1<<53+1)), where("counts", store.Equal, int64(-1<<63), int64(1<<63-1)), where("counts", store.Equal, int64(1<<53)),
		where("inside.labels", store.Equal, last), where("inside.labels", store.Equal, last, first),
		{Where: both(on("keys", store.Equal, "a", "A"), on("keys", store.Equal, "é"), on("labels", store.Equal, "red", "1"))},
		{Where: both(on("keys", store.Equal, "a"), on("name", store.Equal, "b"), on("tokens", store.Equal, first))},
		where("keys", store.NotEqual, "a", "é"), where("tokens", store.NotEqual, last), where("labels", store.NotEqual, "red"), where("inside.labels", store.NotEqual, first),
		{Where: both(on("keys", store.Equal, "a"), on("keys", store.NotEqual, "a"))},
	}
	for _, query := range slices.Clone(queries) {
		query.Order, query.Limit, query.Offset = []store.Order{{Field: "name", Descending: true}}, 4, 1
		queries = append(queries, query)
	}
	return append(queries, manyKeys("keys", manyValues), manyKeys("labels", manyLabels))
}

// manyLabels are fewer than manyValues: a list without a table of its own is compared with all of
// them for each record.
const manyLabels = 3_000

// manyKeys returns a query for one of many values.
func manyKeys(name string, many int) store.Query {
	values := make([]any, 0, many+1)
	for i := range many {
		values = append(values, "none "+strconv.Itoa(i))
	}
	return where(name, store.Equal, append(values, "1")...)
}

// bookOfLists answers a query by the book, and slowly.
func bookOfLists(bundles []*Bundle, query store.Query) (found []*Bundle, total int) {
	for _, bundle := range bundles {
		if bundleHolds(query.Where, bundle) {
			found = append(found, bundle)
		}
	}
	descending := len(query.Order) > 0 && query.Order[0].Descending
	slices.SortFunc(found, func(a, b *Bundle) int {
		by := compareValues(a.ID, b.ID)
		if len(query.Order) > 0 && a.Name != b.Name {
			by = compareValues(a.Name, b.Name)
		}
		if descending {
			return -by
		}
		return by
	})
	total = len(found)
	found = found[min(query.Offset, total):]
	if query.Limit > 0 {
		found = found[:min(query.Limit, len(found))]
	}
	return found, total
}

func bundleHolds(conditions []store.Condition, bundle *Bundle) bool {
	return !slices.ContainsFunc(conditions, func(c store.Condition) bool {
		if c.Any != nil {
			return !slices.ContainsFunc(c.Any, func(list []store.Condition) bool { return bundleHolds(list, bundle) })
		}
		return !slices.ContainsFunc(c.Fields, func(name string) bool {
			has := slices.ContainsFunc(elementsOf(bundle, name), func(element any) bool { return slices.Contains(c.Values, element) })
			return has == (c.Operator == store.Equal)
		})
	})
}
