package memory_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

func TestErrorsInConditionsOfIndexedFieldsAreReported(t *testing.T) {
	t.Parallel()
	s := memory.New(filtered(1000)...)
	fine := condition("code", store.Equal, "Code-7")
	for name, test := range map[string]struct {
		where []store.Condition
		want  string
	}{
		"no value":              {condition("group", store.Equal), "a condition on group has 0 values"},
		"null":                  {condition("group", store.Equal, nil), "a condition on group has a null value"},
		"null behind a value":   {condition("group", store.Equal, 1, nil), "a condition on group has a null value"},
		"another type":          {condition("group", store.Equal, "1"), "a value for group must be of type int, not string"},
		"another type of text":  {condition("code", store.Equal, 1), "a value for code must be of type string, not int"},
		"no value to fold":      {condition("label", store.EqualFold), "a condition on label has 0 values"},
		"two values to compare": {condition("group", store.Less, 1, 2), "a condition on group has 2 values"},
		"null behind a text":    {condition("label", store.EqualFold, "a", nil), `"equal, folded" on label needs strings`},
		"no text to fold":       {condition("label", store.EqualFold, 1), `"equal, folded" on label needs strings`},
		"a field that is not":   {condition("colour", store.Equal, "red"), `a query has the unknown field "colour"`},
		"an operator that none": {condition("group", store.HasPrefix, 1), "on group needs strings"},
	} {
		for _, where := range [][]store.Condition{test.where, slices.Concat(fine, test.where), slices.Concat(test.where, fine)} {
			_, err := s.List(t.Context(), store.Query{Where: where, Limit: 5})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s among %d conditions: %v, want %s", name, len(where), err, test.want)
			}
		}
	}
}

func TestConditionsOfSeveralIndexesHoldTogether(t *testing.T) {
	t.Parallel()
	s := memory.New(filtered(1000)...)
	group, active, label := condition("group", store.Equal, 3, 4, 3), condition("active", store.Equal, true), condition("label", store.EqualFold, "LABEL-14")
	for name, test := range map[string]struct {
		where []store.Condition
		total int
	}{
		"one":                  {group, 200},
		"two":                  {slices.Concat(active, group), 100},
		"two, the other way":   {slices.Concat(group, active), 100},
		"three":                {slices.Concat(active, group, label), 1},
		"with a scan between":  {slices.Concat(group, condition("name", store.Contains, "4"), label), 1},
		"none":                 {slices.Concat(label, condition("group", store.Equal, 5)), 0},
		"behind what none has": {slices.Concat(condition("code", store.Equal, "none"), group), 0},
	} {
		for _, order := range []string{"id", "rank", "name"} {
			page, err := s.List(t.Context(), store.Query{Where: test.where, Order: []store.Order{{Field: order}}, Limit: 3, Count: true})
			if err != nil || page.Total != test.total || len(page.Items) != min(3, test.total) {
				t.Errorf("%s by %s: %d of %d (error %v), want %d", name, order, len(page.Items), page.Total, err, test.total)
			}
		}
	}
}

func TestAQueryLeavesNothingToTheNext(t *testing.T) {
	t.Parallel()
	s := memory.New(filtered(1000)...)
	for range 3 {
		for _, query := range []store.Query{
			{Where: condition("group", store.Equal, 3), Order: []store.Order{{Field: "name"}}, Count: true},
			{Order: []store.Order{{Field: "rank", Descending: true}, {Field: "id"}}, After: []any{500, int64(3)}, Limit: 2},
			{Where: condition("weight", store.Equal, "heavy")},
			{Where: condition("group", store.Equal, 1), Order: []store.Order{{Field: "colour"}}},
		} {
			_, _ = s.List(t.Context(), query)
		}
		page, err := s.List(t.Context(), store.Query{Offset: 2, Limit: 2, Count: true})
		if err != nil || page.Total != 1000 || len(page.Items) != 2 || page.Items[0].ID != 3 || page.Items[1].ID != 4 {
			t.Fatalf("another query left: %v (error %v)", page, err)
		}
	}
}
