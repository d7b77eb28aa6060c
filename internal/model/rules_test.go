package model_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/model"
)

func TestRulesAreReadFromATag(t *testing.T) {
	t.Parallel()
	one := func(name, param string) model.Constraint { return model.Constraint{Name: name, Param: param} }
	all := func(list ...model.Constraint) model.Rules { return model.Rules{All: list} }
	for tag, want := range map[string]model.Rules{
		"":                  {},
		"-":                 {Skip: true},
		"required":          all(one("required", "")),
		"notblank,max=200":  all(one("notblank", ""), one("max", "200")),
		"omitempty,gte=0":   {OmitEmpty: true, All: []model.Constraint{one("gte", "0")}},
		"omitnil":           {OmitEmpty: true},
		"omitzero":          {OmitEmpty: true},
		"oneof='a b' c":     all(one("oneof", "'a b' c")),
		"startswith=a0x2Cb": all(one("startswith", "a,b")),
		"contains=0x7C":     all(one("contains", "|")),
		"eq==":              all(one("eq", "=")),
		"hexcolor|rgb=1": all(model.Constraint{
			Or: []model.Constraint{one("hexcolor", ""), one("rgb", "1")},
		}),
		"min=1,dive,max=3": {
			All:  []model.Constraint{one("min", "1")},
			Elem: &model.Rules{All: []model.Constraint{one("max", "3")}},
		},
		"dive,dive,min=1": {Elem: &model.Rules{Elem: &model.Rules{All: []model.Constraint{one("min", "1")}}}},
		"dive,keys,max=3,endkeys,omitempty,min=2": {
			Keys: &model.Rules{All: []model.Constraint{one("max", "3")}},
			Elem: &model.Rules{OmitEmpty: true, All: []model.Constraint{one("min", "2")}},
		},
	} {
		got, err := model.ParseRules(tag)
		if err != nil {
			t.Errorf("Parse(%q) fails: %v", tag, err)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Parse(%q) differs (-want +got):\n%s", tag, diff)
		}
	}
}

func TestRulesWithMisplacedWordsAreRejected(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{
		"required,":          "empty rule; remove the extra comma",
		",required":          "empty rule; remove the extra comma",
		"required,,max=1":    "empty rule; remove the extra comma",
		"=3":                 `the rule "=3" has no name`,
		"email|":             `the rule "" has no name`,
		"required,-":         `"-" must be the only rule`,
		"keys,max=1,endkeys": "keys needs dive before it",
		"dive,keys,max=1":    "keys needs endkeys after it",
		"dive,endkeys":       "endkeys needs keys before it",
		"endkeys":            "endkeys needs keys before it",
		"structonly":         "structonly is not supported, because structs are always validated with everything in them",
		"nostructlevel":      "nostructlevel is not supported, because structs are always validated with everything in them",
	} {
		if _, err := model.ParseRules(tag); err == nil || err.Error() != want {
			t.Errorf("Parse(%q) gives the error %v, want %q", tag, err, want)
		}
	}
}

func TestARuleIsFoundByItsName(t *testing.T) {
	t.Parallel()
	rules, err := model.ParseRules("min=1,max=3")
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := rules.Find("max"); !ok || c.Param != "3" {
		t.Errorf("Find(max) = %v, %v", c, ok)
	}
	if c, ok := rules.Find("len"); ok {
		t.Errorf("Find(len) = %v, want none", c)
	}
}

func FuzzReadingRulesNeverPanics(f *testing.F) {
	for _, tag := range []string{"required,min=1", "dive,keys,max=3,endkeys,a|b", "dive,keys,endkeys,dive", "-", ",", "0x2C"} {
		f.Add(tag)
	}
	f.Fuzz(func(t *testing.T, tag string) {
		rules, err := model.ParseRules(tag)
		if err != nil {
			return
		}
		for _, c := range rules.All {
			if c.Name == "" && len(c.Or) < 2 {
				t.Errorf("Parse(%q) has a rule without a name", tag)
			}
		}
	})
}

func TestWordsMayBeQuoted(t *testing.T) {
	t.Parallel()
	for param, want := range map[string][]string{
		"": nil, "a": {"a"}, "a b": {"a", "b"}, " a  b ": {"a", "b"}, "'a b' c": {"a b", "c"}, "'a": {"a"}, "''": {""},
		"it's fine": {"its", "fine"}, "'a''b'": {"a", "b"}, "a'b c'd": {"ab", "cd"}, "'it's'": {"it", "s"},
	} {
		if got := (model.Constraint{Param: param}).Words(); !slices.Equal(got, want) {
			t.Errorf("the words of %q are %q, want %q", param, got, want)
		}
	}
}
