package tables_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/store"
)

// Grade is a named string.
type Grade string

// Amount is a number of cents that is written as text.
type Amount struct{ Cents int64 }

func (a Amount) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%d.%02d", a.Cents/100, a.Cents%100), nil
}

func (a *Amount) UnmarshalText(text []byte) error {
	var whole, cents int64
	if n, err := fmt.Sscanf(string(text), "%d.%02d", &whole, &cents); n != 2 || err != nil {
		return errors.New("must be an amount")
	}
	a.Cents = 100*whole + cents
	return nil
}

func (a Amount) OrderKey() string { return store.NumberKey(fmt.Sprint(a.Cents)) }

// Jar has fields of the types that conditions compare.
type Jar struct {
	ID    int64    `json:"id"`
	Name  string   `json:"name"`
	Grade Grade    `json:"grade"`
	Size  int64    `json:"size"`
	Small uint8    `json:"small"`
	Share float64  `json:"share"`
	Price Amount   `json:"price"`
	Note  *string  `json:"note"`
	Tags  []string `json:"tags"`
}

func jars(t *testing.T, in store.Store[Jar]) {
	t.Helper()
	for i := range 6 {
		jar := Jar{
			Name: fmt.Sprintf("jar %d", i+1), Grade: Grade("abc"[i/2 : i/2+1]), Size: int64(i + 1), Small: uint8(i + 1),
			Share: float64(i+1) / 2, Price: Amount{int64(i+1) * 300}, Tags: []string{"abc"[i/2 : i/2+1]},
		}
		if i%2 == 1 {
			jar.Note = new("odd")
		}
		if err := store.Insert(t.Context(), in, &jar); err != nil {
			t.Fatal(err)
		}
	}
}

func TestConditionsTakeValuesThatConvertExactly(t *testing.T) {
	t.Parallel()
	for name, in := range spec.Stores[Jar](t) {
		jars(t, in)
		for condition, test := range map[string]struct {
			where []store.Condition
			want  []int64
		}{
			"an int for an int64":             {[]store.Condition{store.Eq("size", 2)}, []int64{2}},
			"an int for a uint8":              {[]store.Condition{store.Gt("small", 4)}, []int64{5, 6}},
			"an int for a float64":            {[]store.Condition{store.Lte("share", 1)}, []int64{1, 2}},
			"a whole float for an int64":      {[]store.Condition{store.Gte("size", 5.0)}, []int64{5, 6}},
			"an int for the identifier":       {[]store.Condition{store.Eq("id", 3)}, []int64{3}},
			"a string for a named string":     {[]store.Condition{store.Eq("grade", "b")}, []int64{3, 4}},
			"a named string for a string":     {[]store.Condition{store.Eq("name", Grade("jar 1"))}, []int64{1}},
			"a string for text":               {[]store.Condition{store.Lt("price", "10.00")}, []int64{1, 2, 3}},
			"a pointer":                       {[]store.Condition{store.Eq("size", new(int64(4)))}, []int64{4}},
			"a value of an element":           {[]store.Condition{store.Eq("tags", "c")}, []int64{5, 6}},
			"one of several values":           {[]store.Condition{store.Eq("size", 1, 3, int64(9))}, []int64{1, 3}},
			"a slice":                         {[]store.Condition{store.In("id", []int{6, 2}...)}, []int64{2, 6}},
			"an empty slice":                  {[]store.Condition{store.In("id", []int64{}...)}, nil},
			"none of several values":          {[]store.Condition{store.Ne("grade", "a", "b")}, []int64{5, 6}},
			"null":                            {[]store.Condition{store.Eq("note", nil)}, []int64{1, 3, 5}},
			"not null":                        {[]store.Condition{store.Ne("note", nil)}, []int64{2, 4, 6}},
			"a value of a pointer":            {[]store.Condition{store.Eq("note", "odd")}, []int64{2, 4, 6}},
			"two conditions, which must hold": {[]store.Condition{store.Eq("note", "odd"), store.Lt("size", 6)}, []int64{2, 4}},
			"no condition":                    {nil, []int64{1, 2, 3, 4, 5, 6}},
		} {
			found, err := store.List(t.Context(), in, test.where...)
			var ids []int64
			for _, jar := range found {
				ids = append(ids, jar.ID)
			}
			if err != nil || !slices.Equal(ids, test.want) {
				t.Errorf("%s, %s: %v %v, want %v", name, condition, ids, err, test.want)
			}
			if n, err := store.Count(t.Context(), in, test.where...); err != nil || n != len(test.want) {
				t.Errorf("%s, %s: %d records %v", name, condition, n, err)
			}
		}
	}
}

func TestConditionsRejectWhatDoesNotConvertExactly(t *testing.T) {
	t.Parallel()
	for name, in := range spec.Stores[Jar](t) {
		for rejected, test := range map[string]struct {
			where store.Condition
			want  string
		}{
			"an unknown field":            {store.Eq("siez", 1), `did you mean "size"`},
			"a string for a number":       {store.Eq("size", "1"), "size"},
			"a number for a string":       {store.Eq("name", 1), "name"},
			"a fraction for an integer":   {store.Eq("size", 1.5), "size"},
			"a number that is too large":  {store.Eq("small", 256), "small"},
			"a negative number":           {store.Eq("small", -1), "small"},
			"an integer beyond a float64": {store.Eq("share", int64(1<<53+1)), "share"},
			"a float beyond an int64":     {store.Eq("size", 1e300), "size"},
			"no text of the type":         {store.Eq("price", "cheap"), "price"},
			"null among others":           {store.Eq("size", 1, nil), "size"},
			"a value for a list":          {store.Eq("tags", 1), "tags"},
			"no value":                    {store.Eq("size"), "0 values"},
		} {
			if _, err := store.List(t.Context(), in, test.where); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s, %s: %v", name, rejected, err)
			}
		}
	}
}

func TestUpdateWhereChangesAllOrNone(t *testing.T) {
	t.Parallel()
	for name, in := range spec.Stores[Jar](t) {
		jars(t, in)
		grow := func(jar *Jar) error { jar.Size += 10; return nil }
		if n, err := store.UpdateWhere(t.Context(), in, grow, store.Lte("size", 3)); n != 3 || err != nil {
			t.Errorf("%s: changed %d %v", name, n, err)
		}
		if n, err := store.Count(t.Context(), in, store.Gt("size", 10)); n != 3 || err != nil {
			t.Errorf("%s: %d have changed %v", name, n, err)
		}
		full := errors.New("full")
		failing := func(jar *Jar) error {
			if jar.ID == 5 {
				return full
			}
			return grow(jar)
		}
		if n, err := store.UpdateWhere(t.Context(), in, failing); n != 0 || !errors.Is(err, full) {
			t.Errorf("%s: changed %d %v", name, n, err)
		}
		if n, err := store.Count(t.Context(), in, store.Gt("size", 20)); n != 0 || err != nil {
			t.Errorf("%s: %d of a failed change are saved %v", name, n, err)
		}
		if _, err := store.UpdateWhere(t.Context(), in, grow, store.Eq("siez", 1)); err == nil {
			t.Errorf("%s: an unknown field is no error", name)
		}
	}
}

// Piece has an identifier of two fields.
type Piece struct {
	Order int64  `json:"order" api:"id"`
	Line  string `json:"line" api:"id"`
	Done  bool   `json:"done"`
}

func TestUpdateWhereReadsAnyNumberOfRecordsInBatches(t *testing.T) {
	t.Parallel()
	for name, in := range spec.Stores[Piece](t) {
		var pieces []*Piece
		for i := range 1203 {
			pieces = append(pieces, &Piece{Order: int64(i % 7), Line: fmt.Sprint(i)})
		}
		if err := store.Insert(t.Context(), in, pieces...); err != nil {
			t.Fatal(err)
		}
		finish := func(piece *Piece) error { piece.Done = true; return nil }
		err := in.Transact(t.Context(), func(ctx context.Context, _ store.Tx[Piece]) error {
			n, err := store.UpdateWhere(ctx, in, finish, store.Ne("order", 3))
			if left, _ := store.Count(ctx, in, store.Eq("done", false)); n+left != 1203 || left != 172 {
				t.Errorf("%s: changed %d, left %d", name, n, left)
			}
			return err
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
