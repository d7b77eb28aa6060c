package check_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

func TestMistakesInRulesAreFoundWhenCompiling(t *testing.T) {
	t.Parallel()
	type far struct {
		A string `validate:"emial"`
	}
	type node struct {
		Next *node  `json:"next"`
		Name string `validate:"mx=3"`
	}
	for _, test := range []struct {
		rule string
		of   reflect.Type
		want string
	}{
		{"unknown", reflect.TypeFor[struct {
			A string `validate:"requird"`
		}](), `A: unknown rule "requird" in the validate tag; did you mean "required"?`},
		{"unknown behind a nil pointer", reflect.TypeFor[struct{ P *far }](), `far.A: unknown rule "emial" in the validate tag; did you mean "email"?`},
		{"unknown behind an empty list", reflect.TypeFor[struct{ P []far }](), `far.A: unknown rule "emial" in the validate tag`},
		{"unknown behind an empty map", reflect.TypeFor[struct{ P map[string][]*far }](), `far.A: unknown rule "emial" in the validate tag`},
		{"unknown in a struct that holds itself", reflect.TypeFor[node](), `node.Name: unknown rule "mx" in the validate tag; did you mean "max"?`},
		{"unknown behind dive", reflect.TypeFor[struct {
			A []string `validate:"dive,mim=1"`
		}](), `unknown rule "mim" in the validate tag; did you mean "min"?`},
		{"unknown in keys", reflect.TypeFor[struct {
			A map[string]int `validate:"dive,keys,aplha,endkeys"`
		}](), `unknown rule "aplha" in the validate tag; did you mean "alpha"?`},
		{"unknown among alternatives", reflect.TypeFor[struct {
			A string `validate:"rgb|hexcolour"`
		}](), `unknown rule "hexcolour" in the validate tag; did you mean "hexcolor"?`},
		{"a word that is no rule", reflect.TypeFor[struct {
			A string `validate:"omitempy,min=2"`
		}](), `A: unknown rule "omitempy" in the validate tag; did you mean "omitempty"?`},
		{"a message for a rule that is not there, beside another mistake", reflect.TypeFor[struct {
			A string `validate:"requird"`
			B string `validate:"min=2" message:"mim: Too short."`
		}](), `B: message tag names "mim", which is not a rule of the field; allowed: min, required; did you mean "min"?`},
		{"on the wrong kind", reflect.TypeFor[struct {
			A int `validate:"email"`
		}](), `A: validate rule "email" does not apply to the type int; allowed: a string`},
		{"on the wrong kind of element", reflect.TypeFor[struct {
			A []bool `validate:"dive,min=1"`
		}](), `validate rule "min" does not apply to the type bool; allowed: a signed integer, an unsigned integer, a float, a string, a []byte, a slice, an array, a map`},
		{"dive into what has no elements", reflect.TypeFor[struct {
			A string `validate:"dive,min=1"`
		}](), "dive in the validate tag needs a list or a map, found the type string"},
		{"keys of a list", reflect.TypeFor[struct {
			A []string `validate:"dive,keys,min=1,endkeys"`
		}](), "keys in the validate tag needs a map, found the type []string"},
		{"a parameter that is no number", reflect.TypeFor[struct {
			A string `validate:"max=abc"`
		}](), `validate rule "max" needs an integer, found "abc"`},
		{"a parameter that is missing", reflect.TypeFor[struct {
			A string `validate:"oneof="`
		}](), `validate rule "oneof" needs a parameter: write oneof=…`},
		{"a rule that reaches for the server", reflect.TypeFor[struct {
			A string `validate:"file"`
		}](), `validate rule "file" is not supported: it would access the server's disk or network`},
		{"a rule that opens what the client names", reflect.TypeFor[struct {
			A string `validate:"mimetype"`
		}](), `validate rule "mimetype" is not supported: it would access the server's disk or network`},
		{"a port in text", reflect.TypeFor[struct {
			A string `validate:"port"`
		}](), `validate rule "port" does not apply to the type string`},
		{"a comparison of lists", reflect.TypeFor[struct {
			Old []string
			New []string `validate:"nefield=Old"`
		}](), `New: validate rule "nefield" does not apply to the type []string; allowed: a bool, a signed integer, an unsigned integer, a float, a string, a time.Time`},
		{"an order of booleans", reflect.TypeFor[struct {
			Old bool
			New bool `validate:"gtfield=Old"`
		}](), `New: validate rule "gtfield" does not apply to the type bool; allowed: a signed integer, an unsigned integer, a float, a string, a time.Time`},
		{"another field that is not there", reflect.TypeFor[struct {
			Password string
			Again    string `validate:"eqfield=Pasword"`
		}](), `validate rule "eqfield" names the unknown field "Pasword"; allowed: Password, Again; did you mean "Password"?`},
		{"a condition on a field that is not there", reflect.TypeFor[struct {
			Kind string
			A    string `validate:"required_if=Kid box"`
		}](), `unknown field "Kid"; allowed: Kind, A; did you mean "Kind"?`},
		{"a default that breaks the rules", reflect.TypeFor[struct {
			A int `validate:"gte=5" default:"1"`
		}](), `A: default 1 breaks the field's own rules: gte=5`},
		{"an example that breaks the rules", reflect.TypeFor[struct {
			A string `validate:"email" example:"x"`
		}](), `A: example "x" breaks the field's own rules: email`},
		{"an example of the wrong type", reflect.TypeFor[struct {
			A int `example:"1.5"`
		}](), "A: example 1.5 must be an integer"},
		{"a message for a rule that is not there", reflect.TypeFor[struct {
			A string `validate:"max=3" message:"mx: x"`
		}](), `A: message tag names "mx", which is not a rule of the field; allowed: max; did you mean "max"?`},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			_, err := tryCompile(test.of)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the error is %v, want one with %q", err, test.want)
			}
		})
	}
}

func TestAllErrorsAreReportedAtOnce(t *testing.T) {
	t.Parallel()
	_, err := tryCompile(reflect.TypeFor[struct {
		A string `validate:"a1,b2"`
		B []int  `validate:"c3,dive,d4"`
	}]())
	if err == nil {
		t.Fatal("no error")
	}
	for _, rule := range []string{"a1", "b2", "c3", "d4"} {
		if !strings.Contains(err.Error(), `"`+rule+`"`) {
			t.Errorf("the error does not tell of %s: %v", rule, err)
		}
	}
}

func TestMistakesInRulesOfTheUsersOwn(t *testing.T) {
	t.Parallel()
	ok := func(validator.FieldLevel) bool { return true }
	_, err := check.New([]validation.Rule{
		{Name: "fine", Check: ok},
		{Name: "Shout", Check: ok},
		{Name: "email", Check: ok},
		{Name: "quiet"},
		{Name: "fine", Check: ok},
		validation.Struct[int](nil), validation.Struct[struct{ A int }](nil),
		{Name: "dive", Check: ok},
		{Check: func(f validator.FieldLevel) bool { return f.Field().Index(0).Bool() }},
	})
	if err == nil {
		t.Fatal("no error")
	}
	want := []string{
		`rule 2: Name is "Shout"; allowed: lower-case letters, digits and underscores`,
		`rule 3: Name is "email", which is already a rule`,
		"rule 4: quiet: Check is nil",
		`rule 5: Name is "fine", which is already a rule`,
		"rule 6: validation.Struct needs a struct, found int",
		"rule 7: validation.Struct[struct { A int }] has a nil function",
		`rule 8: Name is "dive", which validator reserves`,
		`rule 9: Name is ""; allowed: lower-case letters, digits and underscores`,
	}
	if got := strings.Split(err.Error(), "\n"); !reflect.DeepEqual(got, want) {
		t.Errorf("the error is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestRequiredFieldsAreMarked(t *testing.T) {
	t.Parallel()
	type inner struct {
		Must string `json:"must" validate:"notblank"`
	}
	type outer struct {
		Said    int     `json:"said" validate:"required"`
		ByRule  int     `json:"byRule" validate:"gte=1"`
		ByInner inner   `json:"byInner"`
		Free    int     `json:"free" validate:"omitempty,gte=1"`
		Given   int     `json:"given" validate:"gte=1" default:"3"`
		Null    *inner  `json:"null"`
		List    []inner `json:"list"`
		Filled  []inner `json:"filled" validate:"min=1"`
		Read    string  `json:"read" api:"readonly" validate:"notblank"`
		Cross   string  `json:"cross" validate:"nefield=Other"`
		Other   string  `json:"other"`
	}
	required := map[string]bool{"said": true, "byRule": true, "byInner": true, "filled": true}
	for _, m := range compile[outer](t).checker.Views().View(model.Create).Fields {
		if m.Required != required[m.Field.Name] {
			t.Errorf("%s is required: %v", m.Field.Name, m.Required)
		}
	}
}
