package schema_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/schema"
)

func TestKeywordsOfTwoRulesHoldTogether(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ into, from, want string }{
		"what only one has is taken":        {`{"type":"string"}`, `{"minLength":2}`, `{"type":"string","minLength":2}`},
		"what both have alike stays once":   {`{"pattern":"a","maxLength":3}`, `{"pattern":"a","maxLength":3}`, `{"pattern":"a","maxLength":3}`},
		"the larger lower bound wins":       {`{"minLength":2,"minItems":1,"minimum":3}`, `{"minLength":5,"minItems":4,"minimum":9}`, `{"minLength":5,"minItems":4,"minimum":9}`},
		"a smaller lower bound changes nil": {`{"minLength":5,"minProperties":4,"minimum":9}`, `{"minLength":2,"minProperties":1,"minimum":3}`, `{"minLength":5,"minProperties":4,"minimum":9}`},
		"the smaller upper bound wins":      {`{"maxLength":5,"maxItems":4,"maximum":9}`, `{"maxLength":2,"maxItems":1,"maximum":3}`, `{"maxLength":2,"maxItems":1,"maximum":3}`},
		"a larger upper bound changes nil":  {`{"maxLength":2,"maxProperties":1,"maximum":3}`, `{"maxLength":5,"maxProperties":4,"maximum":9}`, `{"maxLength":2,"maxProperties":1,"maximum":3}`},
		"a width gives way to a format":     {`{"type":"integer","format":"int64"}`, `{"format":"port"}`, `{"type":"integer","format":"port"}`},
		"other conflicts are kept apart": {
			`{"pattern":"a","format":"uri","enum":["x"]}`, `{"pattern":"b","format":"email","enum":["y"],"minLength":1}`,
			`{"pattern":"a","format":"uri","enum":["x"],"minLength":1,"allOf":[{"pattern":"b","format":"email","enum":["y"]}]}`,
		},
		"conflict after conflict": {
			`{"not":{"const":1},"allOf":[{"not":{"const":2}}]}`, `{"not":{"const":3}}`,
			`{"not":{"const":1},"allOf":[{"not":{"const":2}},{"not":{"const":3}}]}`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			into := schemaOf(t, test.into)
			into.Merge(schemaOf(t, test.from))
			if diff := cmp.Diff(textOf(t, schemaOf(t, test.want)), textOf(t, into)); diff != "" {
				t.Errorf("the schema differs (-want +got):\n%s", diff)
			}
		})
	}
}

func schemaOf(t *testing.T, text string) *schema.Schema {
	t.Helper()
	s, err := schema.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func textOf(t *testing.T, s *schema.Schema) string {
	t.Helper()
	return string(s.Text("#/$defs/"))
}
