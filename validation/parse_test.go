package validation_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/validation"
)

func TestParseReadsATag(t *testing.T) {
	t.Parallel()
	one := func(name, param string) validation.Constraint { return validation.Constraint{Name: name, Param: param} }
	all := func(list ...validation.Constraint) validation.Rules { return validation.Rules{All: list} }
	for tag, want := range map[string]validation.Rules{
		"":                  {},
		"-":                 {Skip: true},
		"required":          all(one("required", "")),
		"notblank,max=200":  all(one("notblank", ""), one("max", "200")),
		"omitempty,gte=0":   {OmitEmpty: true, All: []validation.Constraint{one("gte", "0")}},
		"omitnil":           {OmitEmpty: true},
		"omitzero":          {OmitEmpty: true},
		"oneof='a b' c":     all(one("oneof", "'a b' c")),
		"startswith=a0x2Cb": all(one("startswith", "a,b")),
		"contains=0x7C":     all(one("contains", "|")),
		"eq==":              all(one("eq", "=")),
		"hexcolor|rgb=1": all(validation.Constraint{
			Or: []validation.Constraint{one("hexcolor", ""), one("rgb", "1")},
		}),
		"min=1,dive,max=3": {
			All:  []validation.Constraint{one("min", "1")},
			Elem: &validation.Rules{All: []validation.Constraint{one("max", "3")}},
		},
		"dive,dive,min=1": {Elem: &validation.Rules{Elem: &validation.Rules{All: []validation.Constraint{one("min", "1")}}}},
		"dive,keys,max=3,endkeys,omitempty,min=2": {
			Keys: &validation.Rules{All: []validation.Constraint{one("max", "3")}},
			Elem: &validation.Rules{OmitEmpty: true, All: []validation.Constraint{one("min", "2")}},
		},
	} {
		got, err := validation.Parse(tag)
		if err != nil {
			t.Errorf("Parse(%q) fails: %v", tag, err)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Parse(%q) differs (-want +got):\n%s", tag, diff)
		}
	}
}

func TestParseRefusesWordsThatStandWhereTheyCannot(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{
		"required,":          "a rule is empty: two commas, or one at an end",
		",required":          "a rule is empty: two commas, or one at an end",
		"required,,max=1":    "a rule is empty: two commas, or one at an end",
		"=3":                 `the rule "=3" has no name`,
		"email|":             `the rule "" has no name`,
		"required,-":         `"-" stands beside other rules; it stands alone`,
		"keys,max=1,endkeys": "keys stands without dive before it",
		"dive,keys,max=1":    "keys stands without endkeys",
		"dive,endkeys":       "endkeys stands without keys",
		"endkeys":            "endkeys stands without keys",
		"structonly":         "structonly is not supported: structs are validated with all they hold",
		"nostructlevel":      "nostructlevel is not supported: structs are validated with all they hold",
	} {
		if _, err := validation.Parse(tag); err == nil || err.Error() != want {
			t.Errorf("Parse(%q) gives the error %v, want %q", tag, err, want)
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	rules, err := validation.Parse("min=1,max=3")
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

func FuzzParseNeverPanics(f *testing.F) {
	for _, tag := range []string{"required,min=1", "dive,keys,max=3,endkeys,a|b", "dive,keys,endkeys,dive", "-", ",", "0x2C"} {
		f.Add(tag)
	}
	f.Fuzz(func(t *testing.T, tag string) {
		rules, err := validation.Parse(tag)
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
