package filter_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/store"
)

// sorted returns the identifiers of gems in a sort order.
func sorted(t *testing.T, in source, order []store.Order, gems ...*gem) string {
	t.Helper()
	compiled, err := filter.CompileOrder(in, filter.Identifier(in.record), order)
	if err != nil {
		t.Fatalf("%+v: %v", order, err)
	}
	values := map[*gem][]filter.Value{}
	for _, each := range gems {
		if values[each], err = compiled.Values(t.Context(), reflect.ValueOf(each).Elem(), nil); err != nil {
			t.Fatalf("%+v: %v", order, err)
		}
	}
	slices.SortFunc(gems, func(a, b *gem) int { return compiled.Compare(values[a], values[b]) })
	ids := make([]string, len(gems))
	for i, each := range gems {
		ids[i] = each.ID
	}
	return strings.Join(ids, " ")
}

func TestOrdersAreTotal(t *testing.T) {
	t.Parallel()
	in := compiled[gem]()
	in.mines = &[]*mine{{Hall: 1, Name: "a", Owner: new("ann")}, {Hall: 1, Name: "b", Owner: new("zoe")}, {Hall: 1, Name: "c"}}
	all := []*gem{
		{ID: "a", Int: new(int16(1)), Key: &spot{1, "b"}}, {ID: "b", Int: new(int16(1)), Key: &spot{1, "a"}}, {ID: "c", Int: new(int16(0)), Key: &spot{9, "z"}}, {ID: "d", Key: &spot{1, "c"}},
	}
	visible := on("key", store.NotEqual, store.Key{int64(1), "b"})
	for _, test := range []struct {
		order []store.Order
		want  string
	}{
		{nil, "a b c d"},
		{[]store.Order{{Field: "int"}}, "d c a b"},
		{[]store.Order{{Field: "int", Descending: true}}, "b a c d"},
		{[]store.Order{{Field: "int", Descending: true}, {Field: "id"}}, "a b c d"},
		{[]store.Order{{Field: "id", Descending: true}, {Field: "int"}}, "d c b a"},
		{[]store.Order{{Field: "int", NullUnless: visible}}, "a d c b"},
		{[]store.Order{{Field: "id", NullUnless: visible}}, "a b c d"},
		{[]store.Order{{Field: "id", NullUnless: visible, Descending: true}}, "d c b a"},
		{[]store.Order{{Field: "owner", Through: "key"}}, "c d b a"},
		{[]store.Order{{Field: "owner", Through: "key", NullUnless: visible}}, "a c d b"},
		{[]store.Order{{Field: "name", Through: "key", Descending: true}}, "d a b c"},
	} {
		if got := sorted(t, in, test.order, slices.Clone(all)...); got != test.want {
			t.Errorf("by %+v the gems are %s, want %s", test.order, got, test.want)
		}
	}
}

func TestPositionsAreThoseOfTheRecord(t *testing.T) {
	t.Parallel()
	in := compiled[gem]()
	in.mines = &[]*mine{{Hall: 1, Name: "a", Owner: new("ann")}}
	first, second := &gem{ID: "a", Int: new(int16(1)), Key: &spot{1, "a"}}, &gem{ID: "b", Key: &spot{9, "a"}}
	order, err := filter.CompileOrder(in, filter.Identifier(in.record), []store.Order{{Field: "owner", Through: "key"}, {Field: "int"}, {Field: "key"}, {Field: "id"}})
	if err != nil {
		t.Fatal(err)
	}
	for record, want := range map[*gem][]any{
		first:  {"ann", int16(1), store.Key{int64(1), "a"}, "a"},
		second: {nil, nil, store.Key{int64(9), "a"}, "b"},
	} {
		got, err := order.Position(t.Context(), reflect.ValueOf(record).Elem())
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("the position of %s is %v, want %v (%v)", record.ID, got, want, err)
		}
		values, err := order.Values(t.Context(), reflect.ValueOf(record).Elem(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if after, err := order.After(got); err != nil || order.Compare(values, after) != 0 {
			t.Errorf("the position of %s is not equal to its record (%v)", record.ID, err)
		}
	}
}

func TestErrorsInOrders(t *testing.T) {
	t.Parallel()
	in := compiled[gem]()
	in.mines = &[]*mine{}
	for name, test := range map[string]struct {
		order store.Order
		want  string
	}{
		"a field that is not":    {store.Order{Field: "colour"}, `a query has the unknown field "colour"`},
		"a list":                 {store.Order{Field: "names"}, "names cannot be sorted by"},
		"an object":              {store.Order{Field: "setting"}, "setting cannot be sorted by"},
		"through a list":         {store.Order{Field: "owner", Through: "keys"}, `cannot sort through "keys": it references several records`},
		"through a missing one":  {store.Order{Field: "owner", Through: "colour"}, `a query has the unknown field "colour"`},
		"a field of the records": {store.Order{Field: "int", Through: "key"}, `a query has the unknown field "int"`},
		"a hidden condition":     {store.Order{Field: "int", NullUnless: on("int", store.Equal)}, "a condition on int has 0 values"},
	} {
		if _, err := filter.CompileOrder(in, filter.Identifier(in.record), []store.Order{test.order}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
	for name, test := range map[string]struct {
		order []store.Order
		after []any
	}{
		"without an identifier":  {[]store.Order{{Field: "int"}}, []any{int16(1)}},
		"with too few values":    {[]store.Order{{Field: "int"}, {Field: "id"}}, []any{int16(1)}},
		"with too many values":   {[]store.Order{{Field: "id"}}, []any{"a", "b"}},
		"with a value of a type": {[]store.Order{{Field: "id"}}, []any{1}},
		"with a hidden id":       {[]store.Order{{Field: "id", NullUnless: on("int", store.Exists, true)}}, []any{"a"}},
	} {
		order, err := filter.CompileOrder(in, filter.Identifier(in.record), test.order)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := order.After(test.after); err == nil {
			t.Errorf("a position %s: no error", name)
		}
	}
}

func TestIdentifiersOfSeveralFieldsAreOneValue(t *testing.T) {
	t.Parallel()
	in := compiled[mine]()
	id := filter.Identifier(in.record)
	ordered := []mine{{Hall: -1 << 63, Name: "z"}, {Hall: -1}, {Hall: 2, Name: "a"}, {Hall: 2, Name: "a\x00"}, {Hall: 2, Name: "a\x00\x00"}, {Hall: 2, Name: "a\x00b"}, {Hall: 2, Name: "a\x01"}, {Hall: 2, Name: "ab"}, {Hall: 10, Name: "a"}}
	var before filter.Value
	for _, each := range ordered {
		value, err := id.Of(reflect.ValueOf(&each).Elem())
		if err != nil || value.Compare(before) != 1 {
			t.Errorf("%+v does not come after the one before (%v)", each, err)
		}
		given, err := id.Value(store.Key{each.Hall, each.Name})
		if err != nil || given != value {
			t.Errorf("the identifier %+v is another value as a key (%v)", each, err)
		}
		before = value
	}
}

func TestAValueIsRemovedFromAField(t *testing.T) {
	t.Parallel()
	in := compiled[gem]()
	record := &gem{ID: "a", Key: &spot{1, "a"}, Keys: []spot{{1, "a"}, {1, "b"}, {1, "a"}}, Names: []string{"x"}}
	for _, name := range []string{"key", "keys"} {
		f, err := in.Field(name)
		if err != nil {
			t.Fatal(err)
		}
		removed, err := f.Value(store.Key{int64(1), "a"})
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Remove(reflect.ValueOf(record).Elem(), removed); err != nil {
			t.Fatal(err)
		}
	}
	if record.Key != nil || !slices.Equal(record.Keys, []spot{{1, "b"}}) {
		t.Errorf("the keys are %v and %v", record.Key, record.Keys)
	}
}
