package check_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

type author struct {
	Nickname string `json:"nickname" api:"id"`
}

type article struct {
	ID     int64  `json:"id"`
	Author author `json:"author"`
}

func TestTheRulesOfATypeDoNotMixBetweenResources(t *testing.T) {
	t.Parallel()
	compiler, err := check.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	checkers := map[reflect.Type]*check.Checker{}
	for _, of := range []reflect.Type{reflect.TypeFor[article](), reflect.TypeFor[author](), reflect.TypeFor[article]()} {
		s, err := model.Compile(of)
		if err != nil {
			t.Fatal(err)
		}
		if checkers[of], err = compiler.Compile(s, nil); err != nil {
			t.Fatal(err)
		}
	}
	found, err := checkers[reflect.TypeFor[author]()].Check(t.Context(), &author{Nickname: " "}, codec.Decoded{})
	if err != nil || len(found.Violations) != 1 || found.Violations[0].Code != "notblank" {
		t.Errorf("a blank identifier gives %v, %v", plain(found), err)
	}
	found, err = checkers[reflect.TypeFor[article]()].Check(t.Context(), &article{}, codec.Decoded{})
	if err != nil || !found.IsEmpty() {
		t.Errorf("a nested struct, whose field is no identifier, gives %v, %v", plain(found), err)
	}
}

func TestRulesThatWouldPanicAtARequestAreMistakes(t *testing.T) {
	t.Parallel()
	type item struct {
		Name string
		Any  any
	}
	for _, test := range []struct {
		of   reflect.Type
		want string
	}{
		{reflect.TypeFor[struct {
			A []any `validate:"unique"`
		}](), `validate rule "unique" cannot compare`},
		{reflect.TypeFor[struct {
			A [][]string `validate:"unique"`
		}](), `validate rule "unique" cannot compare`},
		{reflect.TypeFor[struct {
			A map[string]any `validate:"unique"`
		}](), `validate rule "unique" cannot compare`},
		{reflect.TypeFor[struct {
			A []item `validate:"unique"`
		}](), `validate rule "unique" cannot compare`},
		{reflect.TypeFor[struct {
			A []item `validate:"unique=Nam"`
		}](), `validate rule "unique" names the unknown field "Nam"; allowed: Name, Any; did you mean "Name"?`},
		{reflect.TypeFor[struct {
			A []item `validate:"unique=Any"`
		}](), `validate rule "unique" cannot compare`},
		{reflect.TypeFor[struct {
			A []string `validate:"unique=Name"`
		}](), `validate rule "unique" names the unknown field "Name"`},
		{reflect.TypeFor[struct {
			N int
			A string `validate:"required_if=N many"`
		}](), `compares "many" with the field N, which has the type int`},
		{reflect.TypeFor[struct {
			N uint
			A string `validate:"excluded_unless=N -1"`
		}](), `compares "-1" with the field N, which has the type uint`},
		{reflect.TypeFor[struct {
			N int
			A string `validate:"required_if=N"`
		}](), `needs pairs of a field and a value`},
	} {
		if _, err := tryCompile(test.of); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s gives the error %v, want one with %q", test.of, err, test.want)
		}
	}
	type fine struct {
		N     int
		A     string   `json:"a" validate:"required_if=N 3"`
		Tags  []string `json:"tags" validate:"unique"`
		Items []item   `json:"items" validate:"unique=Name"`
	}
	compile[fine](t).finds(`{"tags":["a","a"],"items":[{"Name":"x"},{"Name":"x"}]}`,
		"tags", "tags must not contain duplicates", "items", "items must not contain duplicates")
}

type window struct {
	From int `json:"from"`
	To   int `json:"to" validate:"gtefield=From"`
}

func TestRulesThatWereLost(t *testing.T) {
	t.Parallel()
	type embedding struct {
		window
		Kind  string `json:"kind"`
		Count int    `json:"count" validate:"required_if=Kind box,omitempty,gte=5"`
	}
	s := compile[embedding](t)
	s.finds(`{"from":3,"to":1}`, "to", "to must be greater than or equal to from")
	s.finds(`{"kind":"box","count":0}`, "count", "count must be at least 5")
	s.finds(`{"kind":"box","count":6}`)
	s.finds(`{"kind":"bag"}`)
	s.finds(`{"kind":"box"}`, "count", "count is required if kind is box")
}

type labelled struct {
	Label string `json:"label" validate:"min=2"`
}

func TestAHiddenFieldOfAnEmbeddedStructHasNoRules(t *testing.T) {
	t.Parallel()
	type hiding struct {
		labelled

		Label string   `json:"label" validate:"max=1"`
		Inner labelled `json:"inner"`
	}
	s := compile[hiding](t)
	s.finds(`{"label":"a","inner":{"label":"ab"}}`)
	s.finds(`{"label":"ab","inner":{"label":"a"}}`,
		"label", "label must be at most 1 character long", "inner.label", "label must be at least 2 characters long")
}

// TestLongNamesAreNotMultiplied puts a long name from a client above many values whose rules read other fields, and
// above one whose rule needs field names.
func TestLongNamesAreNotMultiplied(t *testing.T) {
	t.Parallel()
	type form struct {
		Kind  string              `json:"kind"`
		Lists map[string][]string `json:"lists" validate:"dive,dive,named,required_with=Kind"`
	}
	bytes := 0
	named := validation.Rule{Name: "named", Check: func(f validator.FieldLevel) bool {
		bytes += len(f.FieldName())
		return strings.HasPrefix(f.FieldName(), "Lists[xx") && strings.HasSuffix(f.StructFieldName(), "]")
	}}
	s := compile[form](t, named)
	record := form{Kind: "a", Lists: map[string][]string{strings.Repeat("x", 1<<20): slices.Repeat([]string{"a"}, 10_000)}}
	found, err := s.checker.Check(t.Context(), &record, codec.Decoded{})
	if err != nil || !found.IsEmpty() || bytes == 0 || bytes > 10_000*300*2 {
		t.Errorf("the violations are %v, %v, and names have %d bytes", plain(found), err, bytes)
	}
}
