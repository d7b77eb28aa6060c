package aggregates_test

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"
)

// group is a group of the oracle.
type group struct {
	keys []value
	all  []*sale
}

// rows returns what the response must be, and the number of groups.
func (w *world) rows(t *testing.T, a *asked) (body string, total int) {
	t.Helper()
	zone, err := time.LoadLocation(a.zone)
	if err != nil {
		t.Fatal(err)
	}
	var groups []*group
	if a.groups == nil {
		groups = []*group{{}}
	}
	for _, s := range w.sales {
		if cost, ok := w.of(s, "price").sort.(*big.Rat); !w.sees(s.Open, s.Owner) || s.ID == deletedSale || a.cheap && (!ok || cost.Cmp(big.NewRat(5, 1)) >= 0) {
			continue
		}
		var keys []value
		for i, name := range a.groups {
			keys = append(keys, w.of(s, name).in(a.units[i], zone))
		}
		i := slices.IndexFunc(groups, func(g *group) bool {
			return !slices.ContainsFunc(a.groups, func(name string) bool {
				n := slices.Index(a.groups, name)
				return g.keys[n].compare(keys[n]) != 0
			})
		})
		if i < 0 {
			i = len(groups)
			groups = append(groups, &group{keys: slices.Clone(keys)})
		}
		g := groups[i]
		g.all = append(g.all, s)
		for n := range keys { // of equal numbers, the least text
			if text, ok := keys[n].shown.(string); ok && text < g.keys[n].shown.(string) {
				g.keys[n] = keys[n]
			}
		}
	}
	slices.SortFunc(groups, func(x, y *group) int { return w.order(a, x, y) })
	var texts []string
	for _, g := range groups[min((a.page-1)*a.size, len(groups)):min(a.page*a.size, len(groups))] {
		row := map[string]any{"count": len(g.all)}
		keys := map[string]any{}
		for i, name := range a.groups {
			keys[name] = g.keys[i].shown
		}
		row["group"] = keys
		for _, f := range a.functions {
			if row[f[0]] == nil {
				row[f[0]] = map[string]any{}
			}
			row[f[0]].(map[string]any)[f[1]] = w.compute(g, f[0], f[1]).shown
		}
		text, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return "[" + strings.Join(texts, ",") + "]", len(groups)
}

// order compares two groups.
func (w *world) order(a *asked, x, y *group) int {
	for _, key := range a.sorts {
		key, isDescending := strings.CutPrefix(key, "-")
		compared := 0
		function, field, _ := strings.Cut(key, ".")
		switch i := slices.Index(a.groups, key); {
		case key == "count":
			compared = len(x.all) - len(y.all)
		case i >= 0:
			compared = x.keys[i].compare(y.keys[i])
		case slices.Contains([]string{"sum", "avg", "min", "max"}, function):
			compared = w.compute(x, function, field).compare(w.compute(y, function, field))
		}
		if isDescending {
			compared = -compared
		}
		if compared != 0 {
			return compared
		}
	}
	for i := range x.keys {
		if compared := x.keys[i].compare(y.keys[i]); compared != 0 {
			return compared
		}
	}
	return 0
}

// compute returns the value of a function.
func (w *world) compute(g *group, function, field string) value {
	var result value
	sum, n := new(big.Rat), int64(0)
	for _, s := range g.all {
		v := w.of(s, field)
		if v.sort == nil {
			continue
		}
		n++
		if number, ok := v.sort.(*big.Rat); ok {
			sum.Add(sum, number)
		}
		compared := v.compare(result)
		if text, ok := v.shown.(string); ok && compared == 0 {
			compared = strings.Compare(text, result.shown.(string))
		}
		if n == 1 || function == "min" && compared < 0 || function == "max" && compared > 0 {
			result = v
		}
	}
	switch {
	case n == 0 || function[0] == 'm':
		return result
	case function == "avg":
		sum.Quo(sum, new(big.Rat).SetInt64(n))
	}
	rounded, _ := sum.Float64()
	switch {
	case field == "price" && function == "sum":
		return number(sum, sum.FloatString(2))
	case field == "price":
		text := sum.FloatString(6)
		for len(text)-strings.Index(text, ".") > 3 && text[len(text)-1] == '0' {
			text = text[:len(text)-1]
		}
		return number(new(big.Rat).SetFloat64(rounded), text)
	case function == "sum" && field != "weight":
		return number(sum, json.Number(sum.RatString()))
	}
	return number(new(big.Rat).SetFloat64(rounded), rounded)
}
