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
		`json:a`:                              "the tag `json:a` is malformed from \"json:a\" on; write tags as `json:\"name\" validate:\"max=9\"`",
		`json: "a"`:                           "the tag `json: \"a\"` is malformed from \"json: \\\"a\\\"\" on; write tags as `json:\"name\" validate:\"max=9\"`",
		`json`:                                "the tag `json` is malformed from \"json\" on; write tags as `json:\"name\" validate:\"max=9\"`",
		`json:"a" validate:max=9`:             "the tag `json:\"a\" validate:max=9` is malformed from \"validate:max=9\" on; write tags as `json:\"name\" validate:\"max=9\"`",
		`json:"a`:                             "the tag `json:\"a` is malformed from \"json:\\\"a\" on; write tags as `json:\"name\" validate:\"max=9\"`",
		`json:"a",validate:"max=9"`:           "the tag `json:\"a\",validate:\"max=9\"` is malformed: write a space before \",validate:\\\"max=9\\\"\"",
		`json:"a"validate:"max=9"`:            "the tag `json:\"a\"validate:\"max=9\"` is malformed: write a space before \"validate:\\\"max=9\\\"\"",
		`json:"a" , validate:"max=9"`:         "the tag `json:\"a\" , validate:\"max=9\"` is malformed from \", validate:\\\"max=9\\\"\" on; write tags as `json:\"name\" validate:\"max=9\"`",
		`json:"a" json:"b"`:                   "duplicate tag json; Go reads only the first",
		`json:"a" vaildate:"max=9"`:           "unknown tag vaildate; did you mean validate?",
		`json:"a" Validate:"max=9"`:           "did you mean validate?",
		`Json:"a"`:                            "did you mean json?",
		`API:"sort"`:                          "did you mean api?",
		`json:"a" exmaple:"x"`:                "did you mean example?",
	} {
		f := reflect.StructField{Name: "Field", Type: reflect.TypeFor[string](), Tag: tag}
		_, err := model.CompileType(reflect.StructOf([]reflect.StructField{f}))
		switch {
		case want == "" && err != nil:
			t.Errorf("`%s` gives the error %v", tag, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), "struct{…}.Field: ") || !strings.Contains(err.Error(), want)):
			t.Errorf("`%s`: the error is %v, want %s", tag, err, want)
		}
	}
}

func TestATagOfAFieldWithoutJSONIsAnError(t *testing.T) {
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
		"nor a json name":                             {hidden(`json:"field"`), "struct{…}.field: the field has the tag json but is not exported; export it or remove the tag"},
		"nor an example":                              {hidden(`example:"a"`), "has the tag example but is not exported"},
		"but may say that it is none":                 {hidden(`json:"-"`), ""},
		"one tag is enough to tell of":                {hidden(`json:"a" validate:"max=9" api:"sort"`), "has the tag json but is not exported"},
		"tags of others are no concern":               {hidden(`gorm:"-"`), ""},
		"a field that is left out has no rules":       {gone(`json:"-" validate:"max=9"`), `struct{…}.Field: the field has the tag validate but json:"-" leaves it out; give it a JSON name or remove the tag`},
		"nor a default":                               {gone(`json:"-" default:"a"`), `the field has the tag default but json:"-" leaves it out; give it a JSON name or remove the tag`},
		"but may be documented for those who read it": {gone(`json:"-" doc:"a" db:"a"`), ""},
	} {
		_, err := model.CompileType(reflect.StructOf([]reflect.StructField{test.field}))
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: it gives the error %v", name, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n")):
			t.Errorf("%s: the error is %v, want %s", name, err, test.want)
		}
	}
}
