package filter_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/store"
)

// gem has a field of each kind that conditions compare.
type gem struct {
	ID      string     `json:"id"`
	Bool    *bool      `json:"bool"`
	Int     *int16     `json:"int"`
	Uint    *uint32    `json:"uint"`
	Float   *float64   `json:"float"`
	String  *string    `json:"string"`
	Named   *grade     `json:"named"`
	Time    *time.Time `json:"time"`
	Text    *uuid.UUID `json:"text"`
	Number  *number    `json:"number"`
	Key     *spot      `json:"key" api:"ref=Mine"`
	Names   []string   `json:"names"`
	Keys    []spot     `json:"keys" api:"ref=Mine" validate:"max=9"`
	Setting *setting   `json:"setting"`
	Free    any        `json:"free"`
}

type grade string

// number is a number that sorts by value, not by its text.
type number string

func (n number) MarshalText() ([]byte, error)     { return []byte(n), nil }
func (n *number) UnmarshalText(text []byte) error { *n = number(text); return nil }
func (n number) OrderKey() string                 { return store.NumberKey(string(n)) }

// spot is the identifier of a mine.
type spot struct {
	Hall int64  `json:"hall"`
	Name string `json:"name"`
}

// mine is the record that gems refer to.
type mine struct {
	Hall  int64   `json:"hall" api:"id"`
	Name  string  `json:"name" api:"id"`
	Owner *string `json:"owner"`
}

type setting struct {
	Metal string `json:"metal"`
	Carat *int   `json:"carat"`
}

// found returns the identifiers of the gems that match conditions, in the order of the gems.
func found(t *testing.T, in source, conditions []store.Condition, gems ...*gem) string {
	t.Helper()
	match, err := filter.Compile(in, conditions)
	if err != nil {
		t.Fatalf("%+v: %v", conditions, err)
	}
	var ids []string
	for _, each := range gems {
		ok := match == nil
		if !ok {
			if ok, err = match(t.Context(), reflect.ValueOf(each).Elem()); err != nil {
				t.Fatalf("%+v: %v", conditions, err)
			}
		}
		if ok {
			ids = append(ids, each.ID)
		}
	}
	return strings.Join(ids, " ")
}

func on(field string, operator store.Operator, values ...any) []store.Condition {
	return []store.Condition{{Fields: []string{field}, Operator: operator, Values: values}}
}

// TestOperatorsCompareEveryKind compares a null and three values in ascending order, of each kind with an order.
func TestOperatorsCompareEveryKind(t *testing.T) {
	t.Parallel()
	noon := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
	first, second, third := uuid.MustParse("00000000-0000-4000-8000-00000000000a"), uuid.MustParse("0a000000-0000-4000-8000-000000000001"), uuid.MustParse("a0000000-0000-4000-8000-000000000001")
	null := &gem{ID: "null"}
	low := &gem{
		ID: "low", Int: new(int16(-7)), Uint: new(uint32(0)), Float: new(-1.5), String: new("A"), Named: new(grade("")), Time: new(noon.AddDate(-100, 0, 0)), Text: &first,
		Number: new(number("-10")), Key: &spot{-2, "b"}, Setting: &setting{Metal: "Gold", Carat: new(-1)},
	}
	mid := &gem{
		ID: "mid", Int: new(int16(0)), Uint: new(uint32(7)), Float: new(0.0), String: new("AB"), Named: new(grade("a")), Time: new(noon), Text: &second,
		Number: new(number("9")), Key: &spot{2, "a"}, Setting: &setting{Metal: "gold", Carat: new(0)},
	}
	high := &gem{
		ID: "high", Int: new(int16(300)), Uint: new(uint32(1 << 31)), Float: new(1e300), String: new("a"), Named: new(grade("é")), Time: new(noon.Add(time.Microsecond)), Text: &third,
		Number: new(number("10.0")), Key: &spot{2, "a\x00"}, Setting: &setting{Metal: "é", Carat: new(9)},
	}
	in := compiled[gem]()
	for field, values := range map[string][3]any{
		"int":           {int16(-7), int16(0), int16(300)},
		"uint":          {uint32(0), uint32(7), uint32(1 << 31)},
		"float":         {-1.5, 0.0, 1e300},
		"string":        {"A", "AB", "a"},
		"named":         {grade(""), grade("a"), grade("é")},
		"time":          {noon.AddDate(-100, 0, 0), noon, noon.Add(time.Microsecond)},
		"text":          {first, second, third},
		"number":        {number("-10.00"), number("9.0"), number("1e1")},
		"key":           {store.Key{int64(-2), "b"}, store.Key{int64(2), "a"}, store.Key{int64(2), "a\x00"}},
		"setting.metal": {"Gold", "gold", "é"},
		"setting.carat": {-1, 0, 9},
	} {
		for _, test := range []struct {
			operator store.Operator
			values   []any
			want     string
		}{
			{store.Equal, []any{values[1]}, "mid"},
			{store.Equal, []any{values[2], values[0], values[2]}, "low high"},
			{store.NotEqual, []any{values[1]}, "null low high"},
			{store.NotEqual, []any{values[2], values[0]}, "null mid"},
			{store.Less, []any{values[1]}, "low"},
			{store.Less, []any{values[0]}, ""},
			{store.LessEqual, []any{values[1]}, "low mid"},
			{store.Greater, []any{values[1]}, "high"},
			{store.Greater, []any{values[2]}, ""},
			{store.GreaterEqual, []any{values[1]}, "mid high"},
			{store.Exists, []any{true}, "low mid high"},
			{store.Exists, []any{false}, "null"},
		} {
			if got := found(t, in, on(field, test.operator, test.values...), null, low, mid, high); got != test.want {
				t.Errorf("%s %s %v finds %q, want %q", field, test.operator, test.values, got, test.want)
			}
		}
		for descending, want := range map[bool]string{false: "null low mid high", true: "high mid low null"} {
			order := []store.Order{{Field: field, Descending: descending}}
			if got := sorted(t, in, order, mid, high, null, low); got != want {
				t.Errorf("by %s the gems are %s, want %s", field, got, want)
			}
		}
	}
}

func TestBoolsAreFalseBeforeTrue(t *testing.T) {
	t.Parallel()
	in, all := compiled[gem](), []*gem{{ID: "null"}, {ID: "no", Bool: new(false)}, {ID: "yes", Bool: new(true)}}
	for want, condition := range map[string][]store.Condition{
		"no":          on("bool", store.Equal, false),
		"yes":         on("bool", store.Greater, false),
		"null yes":    on("bool", store.NotEqual, false),
		"no yes":      on("bool", store.Exists, true),
		"null":        on("bool", store.NotEqual, false, true),
		"null no yes": {{Any: [][]store.Condition{on("bool", store.Exists, false), on("bool", store.LessEqual, true)}}},
	} {
		if got := found(t, in, condition, all...); got != want {
			t.Errorf("%+v finds %q, want %q", condition, got, want)
		}
	}
}

func TestStringsAreSearchedWithoutCase(t *testing.T) {
	t.Parallel()
	in := compiled[gem]()
	all := []*gem{
		{ID: "null"},
		{ID: "empty", String: new("")},
		{ID: "percent", String: new("100%")},
		{ID: "ete", String: new("un ÉTÉ chaud")},
		{ID: "kelvin", String: new("\u212Aelvin")},
		{ID: "sigma", String: new("ΣΊΣΥΦΟΣ")},
		{ID: "straße", String: new("Straße")},
	}
	for _, test := range []struct {
		operator store.Operator
		values   []any
		want     string
	}{
		{store.EqualFold, []any{"KELVIN"}, "kelvin"},
		{store.EqualFold, []any{"σίσυφος"}, "sigma"},
		{store.EqualFold, []any{""}, "empty"},
		{store.EqualFold, []any{"un été"}, ""},
		{store.EqualFold, []any{"strasse"}, ""},
		{store.EqualFold, []any{"nothing", "STRAßE", ""}, "empty straße"},
		{store.Contains, []any{"été"}, "ete"},
		{store.Contains, []any{"%"}, "percent"},
		{store.Contains, []any{"_"}, ""},
		{store.Contains, []any{""}, "empty percent ete kelvin sigma straße"},
		{store.Contains, []any{"LV", "υφ"}, "kelvin sigma"},
		{store.HasPrefix, []any{"k"}, "kelvin"},
		{store.HasPrefix, []any{"été"}, ""},
		{store.HasPrefix, []any{"UN é", "str"}, "ete straße"},
		{store.HasSuffix, []any{"Aud"}, "ete"},
		{store.HasSuffix, []any{"σ"}, "sigma"},
		{store.HasSuffix, []any{"0%", "E"}, "percent straße"},
		{store.HasWordPrefix, []any{"éT"}, "ete"},
		{store.HasWordPrefix, []any{"été c"}, "ete"},
		{store.HasWordPrefix, []any{"té"}, ""},
		{store.HasWordPrefix, []any{"u", "K"}, "ete kelvin"},
	} {
		if got := found(t, in, on("string", test.operator, test.values...), all...); got != test.want {
			t.Errorf("%s %q finds %q, want %q", test.operator, test.values, got, test.want)
		}
	}
}

func TestOperatorsThatSearchStrings(t *testing.T) {
	t.Parallel()
	want := []store.Operator{store.Contains, store.EqualFold, store.HasPrefix, store.HasSuffix, store.HasWordPrefix}
	if got := filter.Searching(); !slices.Equal(got, want) {
		t.Errorf("%q search strings, want %q", got, want)
	}
	for _, operator := range []store.Operator{store.Equal, store.NotEqual, store.Less, store.GreaterEqual, store.Exists, "resembles"} {
		if filter.Searches(operator) {
			t.Errorf("%q searches strings", operator)
		}
	}
	var named []store.Operator
	for _, word := range []string{"partial", "iexact", "start", "end", "word_start", "exact", "range", ""} {
		if operator, ok := filter.SearchOf(word); ok {
			named = append(named, operator)
		}
	}
	if !slices.Equal(named, want) {
		t.Errorf("words of the tag filter search with %q, want %q", named, want)
	}
}

func TestFloatsAndTimesAreComparedByValue(t *testing.T) {
	t.Parallel()
	in, at := compiled[gem](), time.Date(2024, 2, 29, 12, 0, 0, 1999, time.UTC)
	all := []*gem{
		{ID: "nan", Float: new(math.NaN())},
		{ID: "-inf", Float: new(math.Inf(-1))},
		{ID: "-0", Float: new(math.Copysign(0, -1))},
		{ID: "0", Float: new(0.0)},
		{ID: "inf", Float: new(math.Inf(1))},
		{ID: "utc", Time: &at},
		{ID: "east", Time: new(at.In(time.FixedZone("", 3600)))},
	}
	for _, test := range []struct {
		where []store.Condition
		want  string
	}{
		{on("float", store.Equal, 0.0), "-0 0"},
		{on("float", store.Less, 0.0), "nan -inf"},
		{on("float", store.Equal, math.NaN()), "nan"},
		{on("float", store.GreaterEqual, math.MaxFloat64), "inf"},
		{on("time", store.Equal, at.Truncate(time.Microsecond)), "utc east"},
		{on("time", store.Greater, at.Truncate(time.Microsecond)), ""},
		{on("time", store.Less, at.Add(time.Microsecond)), "utc east"},
	} {
		if got := found(t, in, test.where, all...); got != test.want {
			t.Errorf("%+v finds %q, want %q", test.where, got, test.want)
		}
	}
}

func TestListsHaveOneOfTheValuesOrNone(t *testing.T) {
	t.Parallel()
	in := compiled[gem]()
	all := []*gem{
		{ID: "nil"},
		{ID: "empty", Names: []string{}, Keys: []spot{}},
		{ID: "a", Names: []string{"a", "a"}, Keys: []spot{{1, "a"}, {1, "a"}}},
		{ID: "ab", Names: []string{"b", "a"}, Keys: []spot{{1, "b"}, {1, "a"}}},
		{ID: "A", Names: []string{"A"}, Keys: []spot{{2, "a"}}},
	}
	for _, test := range []struct {
		operator store.Operator
		names    []any
		want     string
	}{
		{store.Equal, []any{"a"}, "a ab"},
		{store.Equal, []any{"b", "none"}, "ab"},
		{store.Equal, []any{"none"}, ""},
		{store.NotEqual, []any{"a"}, "nil empty A"},
		{store.NotEqual, []any{"a", "b"}, "nil empty A"},
	} {
		if got := found(t, in, on("names", test.operator, test.names...), all...); got != test.want {
			t.Errorf("names %s %v finds %q, want %q", test.operator, test.names, got, test.want)
		}
		keys := make([]any, len(test.names))
		for i, name := range test.names {
			keys[i] = store.Key{int64(1), name}
		}
		if got := found(t, in, on("keys", test.operator, keys...), all...); got != test.want {
			t.Errorf("keys %s %v finds %q, want %q", test.operator, keys, got, test.want)
		}
	}
	if got, want := found(t, in, on("names", store.Exists, true), all...), "nil empty a ab A"; got != want {
		t.Errorf("lists exist in %q, want %q", got, want)
	}
}

func TestManyValuesFindWhatFewFind(t *testing.T) {
	t.Parallel()
	in, all := compiled[gem](), []*gem{{ID: "null"}, {ID: "a", Int: new(int16(7)), Names: []string{"7"}}, {ID: "b", Int: new(int16(-1)), Names: []string{"-1"}}}
	numbers, names := []any{int16(7)}, []any{"7"}
	for i := range int16(100) {
		numbers, names = append(numbers, i+1000), append(names, "none")
	}
	for _, test := range []struct {
		where []store.Condition
		want  string
	}{
		{on("int", store.Equal, numbers...), "a"},
		{on("int", store.NotEqual, numbers...), "null b"},
		{on("names", store.Equal, names...), "a"},
		{on("names", store.NotEqual, names...), "null b"},
	} {
		if got := found(t, in, test.where, all...); got != test.want {
			t.Errorf("%s %s %d values finds %q, want %q", test.where[0].Fields, test.where[0].Operator, len(numbers), got, test.want)
		}
	}
}

func TestGroupsAndSeveralFields(t *testing.T) {
	t.Parallel()
	in := compiled[gem]()
	all := []*gem{{ID: "1", Int: new(int16(1)), String: new("x")}, {ID: "2", Int: new(int16(2)), Named: new(grade("x"))}, {ID: "3"}}
	x, one, two := on("string", store.Equal, "x"), on("int", store.Equal, int16(1)), on("int", store.Equal, int16(2))
	group := func(lists ...[]store.Condition) []store.Condition {
		return []store.Condition{{Any: append([][]store.Condition{}, lists...)}}
	}
	for _, test := range []struct {
		where []store.Condition
		want  string
	}{
		{nil, "1 2 3"},
		{slices.Concat(x, one), "1"},
		{slices.Concat(x, two), ""},
		{group(), ""},
		{group(nil), "1 2 3"},
		{group(x, two), "1 2"},
		{group(slices.Concat(x, two), one), "1"},
		{group(group(group(two))), "2"},
		{group(group()), ""},
		{slices.Concat(group(one, two), on("string", store.Exists, false)), "2"},
		{[]store.Condition{{Fields: []string{"string", "setting.metal"}, Operator: store.Contains, Values: []any{"X"}}}, "1"},
		{[]store.Condition{{Fields: []string{"string", "setting.metal"}, Operator: store.Exists, Values: []any{false}}}, "1 2 3"},
	} {
		if got := found(t, in, test.where, all...); got != test.want {
			t.Errorf("%+v finds %q, want %q", test.where, got, test.want)
		}
	}
}

func TestConditionsGoThroughReferences(t *testing.T) {
	t.Parallel()
	in := compiled[gem]()
	in.mines = &[]*mine{{Hall: 1, Name: "a", Owner: new("ann")}, {Hall: 1, Name: "b"}}
	all := []*gem{
		{ID: "null"}, {ID: "a", Key: &spot{1, "a"}, Keys: []spot{{1, "b"}}}, {ID: "b", Key: &spot{1, "b"}, Keys: []spot{{1, "b"}, {1, "a"}}}, {ID: "gone", Key: &spot{9, "a"}, Keys: []spot{{9, "a"}}},
	}
	through := func(field string, lists ...[]store.Condition) []store.Condition {
		return []store.Condition{{Through: field, Any: lists}}
	}
	ann, nobody := on("owner", store.Equal, "ann"), on("owner", store.Exists, false)
	for _, test := range []struct {
		where []store.Condition
		want  string
	}{
		{through("key", ann), "a"},
		{through("key", on("owner", store.NotEqual, "ann")), "b"},
		{through("key", ann, nobody), "a b"},
		{through("key", slices.Concat(ann, nobody)), ""},
		{through("key", nil), "a b"},
		{through("key"), ""},
		{through("keys", ann), "b"},
		{through("keys", nobody), "a b"},
		{slices.Concat(through("keys", ann), through("keys", nobody)), "b"},
		{[]store.Condition{{Any: [][]store.Condition{through("key", ann), on("key", store.Exists, false)}}}, "null a"},
	} {
		if got := found(t, in, test.where, all...); got != test.want {
			t.Errorf("%+v finds %q, want %q", test.where, got, test.want)
		}
	}
}

func TestErrorsInConditions(t *testing.T) {
	t.Parallel()
	in := compiled[gem]()
	in.mines = &[]*mine{}
	for name, test := range map[string]struct {
		where []store.Condition
		want  string
	}{
		"no value":                   {on("int", store.Equal), "a condition on int has 0 values"},
		"null":                       {on("int", store.Equal, nil), "a condition on int has a null value"},
		"null behind a value":        {on("int", store.Equal, int16(1), nil), "a condition on int has a null value"},
		"another type":               {on("int", store.Equal, "1"), "a value for int must be of type int16, not string"},
		"another integer":            {on("int", store.Equal, 1<<40), "a value for int must be of type int16, not int"},
		"another type of text":       {on("named", store.Equal, 1), "a value for named must be of type filter_test.grade, not int"},
		"two values to compare":      {on("int", store.Less, int16(1), int16(2)), "a condition on int has 2 values"},
		"no bool":                    {on("int", store.Exists, "true"), "the condition exists on int must have a bool, not a string"},
		"two bools":                  {on("int", store.Exists, true, false), "a condition on int has 2 values"},
		"no text to fold":            {on("string", store.EqualFold, 1), `the operator "equal, folded" on string needs strings`},
		"null behind a text":         {on("string", store.Contains, "a", nil), `"contains" on string needs strings`},
		"a text in a number":         {on("int", store.HasPrefix, "1"), `"has prefix" on int needs strings`},
		"a text in a list":           {on("names", store.Contains, "a"), `"contains" on names needs strings`},
		"a comparison of a list":     {on("names", store.Less, "a"), `the operator "less" does not apply to names`},
		"a list instead of a value":  {on("names", store.Equal, []string{"a"}), "a value for names must be of type string, not []string"},
		"a type without order":       {on("free", store.Equal, "a"), `the operator "equal" does not apply to free`},
		"an object":                  {on("setting", store.Equal, setting{}), `the operator "equal" does not apply to setting`},
		"a key that is a struct":     {on("key", store.Equal, spot{}), "a value for key must be of type store.Key, not filter_test.spot"},
		"a key with one part":        {on("key", store.Equal, store.Key{int64(1)}), "a value for key must be of type store.Key"},
		"a key with three parts":     {on("key", store.Equal, store.Key{int64(1), "a", "b"}), "a value for key must be of type store.Key"},
		"a key with another type":    {on("key", store.Equal, store.Key{1, "a"}), "a value for hall must be of type int64, not int"},
		"a key for a field with one": {on("int", store.Equal, store.Key{int16(1)}), "a value for int must be of type int16, not store.Key"},
		"a field that is not":        {on("colour", store.Equal, "red"), `a query has the unknown field "colour"`},
		"a field of a field":         {on("int.colour", store.Equal, "red"), `a query has the unknown field "int.colour"`},
		"an operator that is not":    {on("int", "resembles", int16(1)), `a condition on int has the unknown operator "resembles"`},
		"in a group":                 {[]store.Condition{{Any: [][]store.Condition{on("id", store.Equal, "a"), on("int", store.Equal)}}}, "a condition on int has 0 values"},
		"through a reference":        {[]store.Condition{{Through: "key", Any: [][]store.Condition{on("id", store.Equal, "a")}}}, `a query has the unknown field "id"`},
		"in one of two fields":       {[]store.Condition{{Fields: []string{"id", "int"}, Operator: store.Equal, Values: []any{"a"}}}, "a value for int"},
	} {
		if _, err := filter.Compile(in, test.where); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
		if _, err := filter.Compile(in, slices.Concat(on("id", store.Equal, "a"), test.where)); err == nil {
			t.Errorf("%s behind another condition: no error", name)
		}
	}
}

// unwritable is a type whose text cannot be marshaled.
type unwritable struct{ Text string }

func (unwritable) MarshalText() ([]byte, error) { return nil, errors.New("no text") }
func (unwritable) UnmarshalText([]byte) error   { return nil }

func TestAValueThatCannotBeReadIsAnError(t *testing.T) {
	t.Parallel()
	type letter struct {
		ID   int64      `json:"id"`
		Seal unwritable `json:"seal"`
	}
	in := compiled[letter]()
	if _, err := filter.Compile(in, on("seal", store.Equal, unwritable{})); err == nil || err.Error() != "seal: no text" {
		t.Errorf("as a value of a condition: %v", err)
	}
	order, err := filter.CompileOrder(in, filter.Identifier(in.record), []store.Order{{Field: "seal"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := order.Values(t.Context(), reflect.ValueOf(&letter{}).Elem(), nil); err == nil || err.Error() != "seal: no text" {
		t.Errorf("as a value to sort by: %v", err)
	}
}
