package validation_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/go-playground/validator/v10"
	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/validation"
)

func TestViolationsAreFoundInATreeOfErrors(t *testing.T) {
	t.Parallel()
	a := validation.Violation{Field: "a", Code: "invalid", Message: "x"}
	b := validation.Violation{Field: "b", Code: "max", Message: "y", Params: map[string]any{"max": 1}}
	other := errors.New("other")
	for _, test := range []struct {
		rule string
		err  error
		want []validation.Violation
		only bool
	}{
		{"no error", nil, nil, true},
		{"one from Fail", validation.Fail("a", "x"), []validation.Violation{a}, true},
		{"one that is wrapped", fmt.Errorf("while saving: %w", a), []validation.Violation{a}, true},
		{"several", errors.Join(a, fmt.Errorf("deep: %w", errors.Join(b))), []validation.Violation{a, b}, true},
		{"something else", other, nil, false},
		{"something else beside them", errors.Join(a, other, b), []validation.Violation{a, b}, false},
		{"something else that is wrapped", fmt.Errorf("more: %w", other), nil, false},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			got, only := validation.Violations(test.err)
			if diff := cmp.Diff(test.want, got); diff != "" || only != test.only {
				t.Errorf("only is %v, want %v; the violations differ (-want +got):\n%s", only, test.only, diff)
			}
		})
	}
}

func TestAViolationIsAnErrorWithItsPath(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"tags[1]: too short": validation.Fail("tags[1]", "too short"),
		"too late":           validation.Fail("", "too late"),
	} {
		if err.Error() != want {
			t.Errorf("the error reads %q, want %q", err, want)
		}
	}
}

func TestTheStatusOfAShape(t *testing.T) {
	t.Parallel()
	for shape, want := range map[validation.Shape]int{0: 400, validation.Map: 400, validation.Problem: 422} {
		if got := shape.Status(); got != want {
			t.Errorf("the status of %d is %d, want %d", shape, got, want)
		}
	}
}

// asking is what New hands to a rule without a name.
type asking struct {
	validator.FieldLevel

	of    reflect.Type
	check func(ctx context.Context, value any) error
}

func (a *asking) OverStruct(of reflect.Type, check func(ctx context.Context, value any) error) {
	a.of, a.check = of, check
}

func TestARuleOfStructKnowsItsType(t *testing.T) {
	t.Parallel()
	type span struct{ From, To int }
	refused := errors.New("refused")
	rule := validation.Struct(func(_ context.Context, s *span) error {
		if s.From > s.To {
			return refused
		}
		return nil
	})
	var a asking
	if isAsked := rule.Check(&a); !isAsked || rule.Name != "" || a.of.Name() != "span" {
		t.Fatalf("the rule %q is of the type %v: %v", rule.Name, a.of, isAsked)
	}
	if err := a.check(t.Context(), &span{2, 1}); !errors.Is(err, refused) {
		t.Errorf("the check gives %v", err)
	}
	if err := a.check(t.Context(), &span{1, 2}); err != nil {
		t.Errorf("the check gives %v", err)
	}
	if validation.Struct[span](nil).Check(&a); a.of == nil || a.check != nil {
		t.Errorf("of a nil function, Struct gives %v and a check: %v", a.of, a.check != nil)
	}
	if rule.Check(a.FieldLevel) {
		t.Error("it holds for a field")
	}
}
