package parameters_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/store"
)

// treeOf reads a tree.
func treeOf(t testing.TB, text string) (*parameters.Values, error) {
	t.Helper()
	set := compile(t, func(o *parameters.Options) { o.Nodes = 12 })
	return set.Read(t.Context(), "filter="+url.QueryEscape(text), http.Header{}, func(string) bool { return false }, nil)
}

func TestATreeIsConditionsThatAreReversedOnlyOnFields(t *testing.T) {
	t.Parallel()
	one := func(field string, operator store.Operator, values ...any) store.Condition {
		return store.Condition{Fields: []string{field}, Operator: operator, Values: values}
	}
	not := func(c store.Condition) store.Condition { c.Not = true; return c }
	anyOf := func(lists ...[]store.Condition) store.Condition {
		return store.Condition{Any: append([][]store.Condition{}, lists...)}
	}
	list := func(all ...store.Condition) []store.Condition { return all }
	name, small := one("name", store.Contains, "x"), one("small", store.Less, int8(3))
	for text, want := range map[string][]store.Condition{
		`{}`:                            nil,
		`{"all":[]}`:                    nil,
		`{"not":{"any":[]}}`:            nil,
		`{"any":[{}]}`:                  nil,
		`{"any":[{"name":"x"},{}]}`:     nil,
		`{"any":[]}`:                    {anyOf()},
		`{"not":{}}`:                    {anyOf()},
		`{"name":"x"}`:                  {name},
		`{"name":{"partial":"x"}}`:      {name},
		`{"name":["x","y"]}`:            {one("name", store.Contains, "x", "y")},
		`{"name":"x","small":{"lt":3}}`: {name, small},
		`{"all":[{"name":"x"},{"small":{"lt":3}}]}`:                                  {name, small},
		`{"any":[{"name":"x"},{"small":{"lt":3}}]}`:                                  {anyOf(list(name), list(small))},
		`{"not":{"name":"x","small":{"lt":3}}}`:                                      {anyOf(list(not(name)), list(not(small)))},
		`{"not":{"any":[{"name":"x"},{"small":{"lt":3}}]}}`:                          {not(name), not(small)},
		`{"not":{"not":{"name":"x"}}}`:                                               {name},
		`{"any":[{"any":[{"name":"x"}]},{"all":[{"name":"x"},{"small":{"lt":3}}]}]}`: {anyOf(list(name), list(name, small))},
		`{"exact":"a"}`:                      {one("exact", store.Equal, "a")},
		`{"exact":["a","b"]}`:                {one("exact", store.Equal, "a", "b")},
		`{"exact":[]}`:                       {anyOf()},
		`{"not":{"exact":[]}}`:               {anyOf(list(one("exact", store.Exists, true)), list(one("exact", store.Exists, false)))},
		`{"exact":{"ne":[]}}`:                {anyOf(list(one("exact", store.Exists, true)), list(one("exact", store.Exists, false)))},
		`{"not":{"exact":"a"}}`:              {one("exact", store.NotEqual, "a")},
		`{"not":{"exact":{"ne":["a","b"]}}}`: {one("exact", store.Equal, "a", "b")},
		`{"alias":{"exists":true}}`:          {one("alias", store.Exists, true)},
		`{"not":{"alias":{"exists":true}}}`:  {one("alias", store.Exists, false)},
		`{"small":{"between":[1,2]}}`:        {one("small", store.GreaterEqual, int8(1)), one("small", store.LessEqual, int8(2))},
		`{"not":{"small":{"between":[1,2]}}}`: {anyOf(
			list(not(one("small", store.GreaterEqual, int8(1)))), list(not(one("small", store.LessEqual, int8(2)))),
		)},
		`{"small":{"gte":1,"lt":3}}`:      {one("small", store.GreaterEqual, int8(1)), small},
		`{"small":1.0}`:                   {one("small", store.Equal, int8(1))},
		`{"open":true}`:                   {one("open", store.Equal, true)},
		`{"lair.depth":{"gt":7}}`:         {one("lair.depth", store.Greater, 7)},
		`{"at":{"gt":"2024-02-29"}}`:      {one("at", store.Greater, time.Date(2024, 2, 29, 23, 59, 59, 999999999, time.UTC))},
		`{"level":["low","very high"]}`:   {one("level", store.Equal, level("low"), level("very high"))},
		` { "name" : "x" } `:              {name},
		`{"stars":2,"id":[1,2]}`:          {one("stars", store.Equal, 2), one("id", store.Equal, int64(1), int64(2))},
		`{"name":"x","not":{"name":"x"}}`: {name, not(name)},
	} {
		values, err := treeOf(t, text)
		if err != nil {
			t.Errorf("%s: %v", text, describe(err))
			continue
		}
		if diff := cmp.Diff(want, values.Query.Where); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// describe returns what is wrong, as place and message.
func describe(err error) string {
	var all []string
	if invalid, ok := errors.AsType[*parameters.InvalidError](err); ok {
		for _, p := range invalid.Parameters {
			all = append(all, p.Pointer+": "+p.Message)
		}
	}
	return strings.Join(all, "\n")
}

func TestWhatIsWrongInATreeIsNamedWithItsPlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		``:                              ": filter must be one JSON object",
		`x`:                             ": filter must be one JSON object",
		`{`:                             ": filter must be one JSON object",
		`{}{}`:                          ": filter must be one JSON object",
		`{"name":"x"`:                   ": filter must be one JSON object",
		`[]`:                            ": filter must be an object of conditions",
		`null`:                          ": filter must be an object of conditions",
		`"x"`:                           ": filter must be an object of conditions",
		`{"open":true,"open":true}`:     ": filter has an object in which a name appears twice",
		`{"any":{}}`:                    "/any: filter must be a list of objects of conditions",
		`{"any":[1]}`:                   "/any/0: filter must be an object of conditions",
		`{"not":[]}`:                    "/not: filter must be an object of conditions",
		`{"any":[{},{"nme":1}]}`:        `/any/1/nme: Unknown field "nme" in filter; did you mean "name"?`,
		`{"name":{"partiel":"x"}}`:      `/name/partiel: Unknown operator "partiel" in filter; did you mean "partial"?`,
		`{"plain":"x"}`:                 `/plain: Unknown field "plain" in filter`,
		`{"secret":"x"}`:                `/secret: Unknown field "secret" in filter`,
		`{"name":{}}`:                   "/name: name must be an object with an operator",
		`{"size":1}`:                    "/size: size must be an object with an operator",
		`{"size":[1]}`:                  "/size: size must be an object with an operator",
		`{"small":"1"}`:                 "/small: small must be an integer",
		`{"small":1.5}`:                 "/small: small must be an integer",
		`{"small":null}`:                "/small: small must be an integer",
		`{"small":[1,"x"]}`:             "/small/1: small must be an integer",
		`{"small":{"gt":[1]}}`:          "/small/gt: small[gt] must be an integer",
		`{"open":"true"}`:               "/open: open must be true or false",
		`{"name":1}`:                    "/name: name must be a string",
		`{"name":""}`:                   "/name: name must not be empty",
		`{"name":"\u0000"}`:             "/name: name must not contain the character U+0000",
		`{"exact":{"ne":1}}`:            "/exact/ne: exact[ne] must be a string",
		`{"level":"odd"}`:               "/level: level must be one of: low, very high",
		`{"alias":{"exists":"x"}}`:      "/alias/exists: exists[alias] must be true or false",
		`{"small":{"between":[1]}}`:     "/small/between: small[between] must be a list of two values",
		`{"small":{"between":1}}`:       "/small/between: filter must be a list of two values",
		`{"small":{"between":[1,2,3]}}`: "/small/between: small[between] must be a list of two values",
		`{"small":"x","open":1}`:        "/small: small must be an integer\n/open: open must be true or false",
		`{"all":[` + strings.Repeat(`{"open":true},`, 11) + `{"open":true}]}`: ": filter must have at most 12 conditions, any, all and not",
		strings.Repeat(`{"not":`, 13) + `{}` + strings.Repeat(`}`, 13):        ": filter must have at most 12 conditions, any, all and not",
		strings.Repeat(`{"not":`, 9000) + `{}` + strings.Repeat(`}`, 9000):    ": filter must have at most 12 conditions, any, all and not",
		`{"id":[` + strings.Repeat("1,", 100) + `1]}`:                         "/id/99: id must have at most 100 values",
	} {
		_, err := treeOf(t, text)
		if got := describe(err); got != want && !strings.HasPrefix(got, want) {
			t.Errorf("%s is\n%s\nwant\n%s", text[:min(len(text), 100)], got, want)
		}
	}
}

func TestATreeMayHaveItsMaximumOfConditions(t *testing.T) {
	t.Parallel()
	text := `{"all":[` + strings.Repeat(`{"open":true},`, 10) + `{"open":true}]}`
	values, err := treeOf(t, text)
	if err != nil || len(values.Query.Where) != 11 {
		t.Errorf("%d conditions, %v", len(values.Query.Where), describe(err))
	}
}

func TestATreeDoesNotChangeOtherFilters(t *testing.T) {
	t.Parallel()
	set := compile(t, func(o *parameters.Options) { o.Nodes = 12 })
	query := "filter=" + url.QueryEscape(`{"exact":"a"}`) + "&exact=b&exact=c"
	values, err := set.Read(t.Context(), query, http.Header{}, func(string) bool { return false }, nil)
	if err != nil {
		t.Fatal(describe(err))
	}
	want := []store.Condition{
		{Fields: []string{"exact"}, Operator: store.Equal, Values: []any{"b", "c"}},
		{Fields: []string{"exact"}, Operator: store.Equal, Values: []any{"a"}},
	}
	if diff := cmp.Diff(want, values.Query.Where); diff != "" {
		t.Error(diff)
	}
}

func TestABodyOfParametersIsAQuery(t *testing.T) {
	t.Parallel()
	set := compile(t, func(o *parameters.Options) { o.Nodes = 12 })
	for body, want := range map[string]string{
		`{}`:                                     "",
		`{"page":2,"sort":["-name","small"]}`:    "page=2&sort=-name%2Csmall",
		`{"filter":{ "name" : ["a", "b"] }}`:     "filter=%7B%22name%22%3A%5B%22a%22%2C%22b%22%5D%7D",
		`{"name":["a b","c"],"open":true}`:       "name=a+b&name=c&open=true",
		`{"small[gt]":1.0,"exists[alias]":true}`: "small%5Bgt%5D=1.0&exists%5Balias%5D=true",
		`{"small":7,"q":"x&y"}`:                  "small=7&q=x%26y",
		`{"unknown":{"a":[1]}}`:                  "unknown=",
	} {
		if got, err := set.QueryOf([]byte(body)); got != want || err != nil {
			t.Errorf("%s is %q, want %q (%v)", body, got, want, err)
		}
	}
	for body, want := range map[string]string{
		`{"page":"2"}`:         ": page must be an integer",
		`{"open":"true"}`:      ": open must be true or false",
		`{"small":["1"]}`:      ": small must be an integer",
		`{"name":[1]}`:         ": name must be a string",
		`{"sort":"name"}`:      ": sort must be an array",
		`{"sort":["name,at"]}`: ": sort must be an array of single names",
		`{"sort":[]}`:          ": sort must not be empty",
		`{"at":null}`:          ": at must be a date and time such as 2006-01-02T15:04:05Z, or a date such as 2006-01-02",
		`{"page":[2]}`:         ": page must be an integer",
	} {
		if _, err := set.QueryOf([]byte(body)); describe(err) != want {
			t.Errorf("%s is %q, want %q", body, describe(err), want)
		}
	}
	for _, body := range []string{"", "[]", "1", "{", `{"a":1,"a":2}`, "{}{}", "{}x"} {
		if query, err := set.QueryOf([]byte(body)); err == nil {
			t.Errorf("%s is accepted: %q", body, query)
		}
	}
}

func FuzzTreesAreReadOrRejected(f *testing.F) {
	for _, seed := range []string{`{}`, `{"any":[{"name":"x"},{"not":{"small":{"between":[1,2]}}}]}`, `{"at":{"gt":"2024-02-29"}}`, "\xff", `{"id":[1,2]}`} {
		f.Add(seed)
	}
	set := compile(f, func(o *parameters.Options) { o.Nodes = 12 })
	f.Fuzz(func(t *testing.T, text string) {
		_, err := set.Read(t.Context(), "filter="+url.QueryEscape(text), http.Header{}, func(string) bool { return false }, nil)
		if _, isInvalid := errors.AsType[*parameters.InvalidError](err); err != nil && !isInvalid {
			t.Error(err)
		}
	})
}
