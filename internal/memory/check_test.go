package memory_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

type (
	anonymous struct{ Name string }
	misspelt  struct {
		ID int64 `api:"uniqe"`
	}
	uniqueList struct {
		ID   int64
		Tags []string       `json:"tags" api:"unique"`
		Any  any            `json:"any" api:"unique"`
		Map  map[string]int `json:"map" api:"unique"`
	}
	word    string // a type that does not accept a UUID
	worded  struct{ ID word }
	boxed   struct{ text *string } // a type whose equal values are not ==
	boxedID struct{ ID boxed }
	listed  []string // a type that is not comparable
	listID  struct{ ID listed }
)

func (w word) MarshalText() ([]byte, error) { return []byte(w), nil }
func (w *word) UnmarshalText(text []byte) error {
	if len(text) > 8 {
		return errors.New("too long")
	}
	*w = word(text)
	return nil
}

func (b boxed) MarshalText() ([]byte, error)     { return []byte(*b.text), nil }
func (b *boxed) UnmarshalText(text []byte) error { b.text = new(string(text)); return nil }

func (l listed) MarshalText() ([]byte, error)     { return []byte(strings.Join(l, ",")), nil }
func (l *listed) UnmarshalText(text []byte) error { *l = strings.Split(string(text), ","); return nil }

func TestCheck(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		store store.Checker
		want  []string
	}{
		"a struct with an identifier is fine":  {memory.New[item](), nil},
		"records that fit are fine":            {memory.New(item{}, item{}), nil},
		"a type that is no struct":             {memory.New[int](), []string{"int", "struct"}},
		"a struct without an identifier":       {memory.New[anonymous](), []string{"anonymous", `api:"id"`}},
		"a tag that is misspelt":               {memory.New[misspelt](), []string{"misspelt.ID", "uniqe"}},
		"a pointer type":                       {memory.New[*item](), []string{"item", "pointer"}},
		"the zero store":                       {&memory.Store[item]{}, []string{"store/memory", "New"}},
		"a text identifier that takes no UUID": {memory.New[worded](), []string{"store/memory: worded.ID", "memory_test.word", "UUID", "too long"}},
		"a text identifier that is not ==":     {memory.New[boxedID](), []string{"store/memory: boxedID.ID", "memory_test.boxed", "uuid.UUID"}},
		"an identifier that is not comparable": {memory.New[listID](), []string{"store/memory: listID.ID", "memory_test.listed", "=="}},
		"unique fields without a simple equality, all of them": {
			memory.New[uniqueList](),
			[]string{"store/memory: uniqueList.Tags", "[]string", "uniqueList.Any", "uniqueList.Map", "time.Time"},
		},
		"records with one identifier": {
			memory.New(item{ID: 2}, item{}, item{ID: 2}),
			[]string{"store/memory: record 3 given to New[item]: store: id is already in use"},
		},
		"all records that do not fit": {
			memory.New(item{Code: new("a")}, item{Code: new("a")}, item{Code: new("a")}),
			[]string{"record 2 given to New[item]: store: code is already in use", "record 3 given to New[item]: store: code is already in use"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := test.store.Check(t.Context())
			if test.want == nil && err != nil {
				t.Errorf("Check: %v", err)
			}
			for _, part := range test.want {
				if err == nil || !strings.Contains(err.Error(), part) {
					t.Errorf("Check: %v\nwant %q in it", err, part)
				}
			}
		})
	}
}

func TestEveryCallReportsWhatCheckReports(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]*memory.Store[item]{
		"records that do not fit": memory.New(item{ID: 1}, item{ID: 1}),
		"the zero store":          {},
	} {
		want := s.Check(t.Context())
		_, get := s.Get(t.Context(), int64(1))
		_, list := s.List(t.Context(), store.Query{})
		transact := s.Transact(t.Context(), func(context.Context, store.Tx[item]) error {
			t.Errorf("%s: the function of a transaction ran", name)
			return nil
		})
		for call, err := range map[string]error{"Get": get, "List": list, "Transact": transact} {
			if err == nil || err.Error() != want.Error() {
				t.Errorf("%s: %s: %v, want %v", name, call, err, want)
			}
		}
	}
}

func TestWrongCallsAreErrors(t *testing.T) {
	t.Parallel()
	s := memory.New(item{ID: 1})
	for name, call := range map[string]func(context.Context, store.Tx[item]) error{
		"an id of another integer type": func(ctx context.Context, tx store.Tx[item]) error { _, err := tx.Get(ctx, 1); return err },
		"an id that is nil":             func(ctx context.Context, tx store.Tx[item]) error { return tx.Delete(ctx, nil) },
		"an id that has no ==":          func(ctx context.Context, tx store.Tx[item]) error { return tx.Delete(ctx, []int{1}) },
		"an insert of nil":              func(ctx context.Context, tx store.Tx[item]) error { return tx.Insert(ctx, nil) },
		"an update with nil":            func(ctx context.Context, tx store.Tx[item]) error { return tx.Update(ctx, int64(1), nil) },
	} {
		err := s.Transact(t.Context(), call)
		if err == nil || errors.Is(err, store.ErrNotFound) || !strings.HasPrefix(err.Error(), "store") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := s.Get(t.Context(), "1"); err == nil || !strings.Contains(err.Error(), "int64, not string") {
		t.Errorf("Get with a string: %v", err)
	}
}
