package model_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/model"
)

// TestATagThatNothingWouldReadIsAnError makes its structs by reflection, for go vet would
// find most of these mistakes, where it is run.
func TestATagThatNothingWouldReadIsAnError(t *testing.T) {
	t.Parallel()
	for tag, want := range map[reflect.StructTag]string{
		`json:"a" validate:"max=9"`:           "",
		`json:"a"  validate:"max=9" `:         "",
		`json:"a" bson:"a" yaml:"a" gorm:"a"`: "",
		`json:"a" doc:"a \"b\" c: d" xml:"-"`: "",
		`json:a`:                              "is not well formed from \"json:a\" on; write it as `json:\"name\" validate:\"max=9\"`",
		`json: "a"`:                           `is not well formed from "json: \"a\"" on`,
		`json`:                                `is not well formed from "json" on`,
		`json:"a" validate:max=9`:             `is not well formed from "validate:max=9" on`,
		`json:"a`:                             `is not well formed`,
		`json:"a",validate:"max=9"`:           `with no space before ",validate:\"max=9\""; write one between two tags`,
		`json:"a"validate:"max=9"`:            `with no space before`,
		`json:"a" , validate:"max=9"`:         `is not well formed from ", validate`,
		`json:"a" json:"b"`:                   "has the tag json twice; only the first one counts",
		`json:"a" vaildate:"max=9"`:           "has the tag vaildate, which nothing reads; did you mean validate?",
		`json:"a" Validate:"max=9"`:           "did you mean validate?",
		`Json:"a"`:                            "did you mean json?",
		`API:"sort"`:                          "did you mean api?",
		`json:"a" exmaple:"x"`:                "did you mean example?",
	} {
		f := reflect.StructField{Name: "Field", Type: reflect.TypeFor[string](), Tag: tag}
		_, err := model.CompileType(reflect.StructOf([]reflect.StructField{f}))
		switch {
		case want == "" && err != nil:
			t.Errorf("`%s` is refused: %v", tag, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), "struct{…}.Field: has the tag ") || !strings.Contains(err.Error(), want)):
			t.Errorf("`%s`: the error is %v, want %s", tag, err, want)
		}
	}
}

func TestATagOfAFieldThatIsNoMemberIsAnError(t *testing.T) {
	t.Parallel()
	hidden := func(tag reflect.StructTag) reflect.StructField {
		return reflect.StructField{Name: "field", PkgPath: "example", Type: reflect.TypeFor[string](), Tag: tag}
	}
	gone := func(tag reflect.StructTag) reflect.StructField {
		return reflect.StructField{Name: "Field", Type: reflect.TypeFor[string](), Tag: tag}
	}
	for name, test := range map[string]struct {
		field reflect.StructField
		want  string
	}{
		"a field that is not exported has no tag":     {hidden(""), ""},
		"nor a json name":                             {hidden(`json:"field"`), "struct{…}.field: has the tag json but is not exported"},
		"nor an example":                              {hidden(`example:"a"`), "has the tag example but is not exported"},
		"but may say that it is none":                 {hidden(`json:"-"`), ""},
		"one tag is enough to tell of":                {hidden(`json:"a" validate:"max=9" api:"sort"`), "has the tag json but is not exported"},
		"tags of others are no concern":               {hidden(`gorm:"-"`), ""},
		"a field that is left out has no rules":       {gone(`json:"-" validate:"max=9"`), `struct{…}.Field: has the tag validate but is no JSON member, by its tag json:"-"`},
		"nor a default":                               {gone(`json:"-" default:"a"`), "has the tag default but is no JSON member"},
		"but may be documented for those who read it": {gone(`json:"-" doc:"a" db:"a"`), ""},
	} {
		_, err := model.CompileType(reflect.StructOf([]reflect.StructField{test.field}))
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: it is refused: %v", name, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n")):
			t.Errorf("%s: the error is %v, want %s", name, err, test.want)
		}
	}
}
