package authz_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/store"
)

// matches reports whether a gem matches all conditions. It knows what the rules and filters of these tests use of them.
func matches(t testing.TB, conditions []store.Condition, g *gem) bool {
	t.Helper()
	return !slices.ContainsFunc(conditions, func(c store.Condition) bool {
		if c.Any != nil {
			return !slices.ContainsFunc(c.Any, func(list []store.Condition) bool { return matches(t, list, g) })
		}
		return !slices.ContainsFunc(c.Fields, func(field string) bool { return matchesField(t, &c, g, field) })
	})
}

func matchesField(t testing.TB, c *store.Condition, g *gem, field string) bool {
	t.Helper()
	value := valueOf(t, g, field)
	switch c.Operator {
	case store.Equal:
		return value != nil && slices.Contains(c.Values, value)
	case store.NotEqual:
		return value == nil || !slices.Contains(c.Values, value)
	case store.Less:
		return value != nil && value.(int64) < c.Values[0].(int64)
	case store.Exists:
		return (value != nil) == c.Values[0].(bool)
	case store.Contains:
		text, ok := value.(string)
		return ok && strings.Contains(text, strings.ToLower(c.Values[0].(string)))
	}
	t.Fatalf("unknown operator %q", c.Operator)
	return false
}

// valueOf returns the value of a field, nil for null.
func valueOf(t testing.TB, g *gem, field string) any {
	t.Helper()
	switch field {
	case "owner":
		return g.Owner
	case "kind":
		return g.Kind
	case "public":
		return g.Public
	case "keeper":
		if g.Keeper != nil {
			return *g.Keeper
		}
	case "note":
		if g.Note != nil {
			return *g.Note
		}
	default:
		t.Fatalf("a gem has no field %q", field)
	}
	return nil
}

// field is a field of a gem with its rules.
type field struct {
	name        string
	read, write judged
}

// randomFields makes random rules for fields.
func randomFields(t *testing.T, r *rand.Rand) (*authz.Fields, []field) {
	t.Helper()
	var list []field
	made := new(authz.Fields)
	for _, name := range []string{"owner", "keeper", "kind", "note"} {
		if r.IntN(3) == 0 {
			continue
		}
		of := field{name, random(r, 2, false), random(r, 2, false)}
		list = append(list, of)
		made.Add(structOf[gem](t).Field(name), compile(t, of.read.rule, authz.Reads), compile(t, of.write.rule, authz.Changes))
	}
	return made, list
}

// TestHiddenFieldsAreNotRevealed compares, for random rules of fields, which are hidden in a record, which records a
// filter by them finds, and which sort as null.
func TestHiddenFieldsAreNotRevealed(t *testing.T) {
	t.Parallel()
	all := gems()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		made, list := randomFields(t, r)
		for _, w := range callers() {
			sees := func(g *gem, name string) bool {
				at := slices.IndexFunc(list, func(of field) bool { return of.name == name })
				return at < 0 || list[at].read.holds(w, g)
			}
			asked := store.Query{
				Where: []store.Condition{
					{Fields: []string{"note"}, Operator: store.NotEqual, Values: []any{"ruby"}},
					{Fields: []string{"kind", "keeper"}, Operator: store.Equal, Values: []any{"ruby", int64(1)}},
				}[:r.IntN(3)],
				Order: []store.Order{{Field: "note"}, {Field: "public", Descending: true}}, Fields: []string{"id"},
			}
			c := w.caller()
			confined, err := c.Confine(t.Context(), asked, nil, made)
			if err != nil || asked.Order[0].NullUnless != nil {
				t.Fatalf("%d: the order of the query is %+v: %v", seed, asked.Order, err)
			}
			for _, g := range all {
				hidden, err := made.Hidden(t.Context(), c, g)
				if err != nil {
					t.Fatal(err)
				}
				for _, of := range list {
					if made.IsHidden(hidden, of.name) == sees(g, of.name) || made.IsHidden(hidden, of.name+".within") == sees(g, of.name) {
						t.Fatalf("%d: %s hides %s of %+v from %s: %v", seed, describe(of.read.rule), of.name, *g, w.name, sees(g, of.name))
					}
				}
				finds := !slices.ContainsFunc(asked.Where, func(c store.Condition) bool {
					return !slices.ContainsFunc(c.Fields, func(name string) bool { return sees(g, name) && matchesField(t, &c, g, name) })
				})
				if matches(t, confined.Where, g) != finds {
					t.Fatalf("%d: the query %+v finds %+v for %s, want %v", seed, confined.Where, *g, w.name, finds)
				}
				for i, o := range asked.Order {
					if matches(t, confined.Order[i].NullUnless, g) != sees(g, o.Field) {
						t.Fatalf("%d: %s of %+v sorts as null for %s unless %+v", seed, o.Field, *g, w.name, confined.Order[i].NullUnless)
					}
				}
			}
			loadsWhatRulesLookAt(t, list, w, confined.Fields)
		}
	}
}

// loadsWhatRulesLookAt checks that a query which loads few fields loads those that decide what is hidden.
func loadsWhatRulesLookAt(t *testing.T, list []field, w who, loaded []string) {
	t.Helper()
	if loaded == nil { // all of them
		return
	}
	for _, of := range list {
		c := w.caller()
		if read := compile(t, of.read.rule, authz.Reads); read.Decide(c) != authz.Depends {
			continue
		}
		conditions, _, err := compile(t, of.read.rule, authz.Reads).Conditions(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range fieldsOf(conditions) {
			if !slices.Contains(loaded, name) {
				t.Fatalf("%s looks at %s, but the query loads %v", describe(of.read.rule), name, loaded)
			}
		}
	}
}

func fieldsOf(conditions []store.Condition) (names []string) {
	for _, c := range conditions {
		names = append(names, c.Fields...)
		for _, list := range c.Any {
			names = append(names, fieldsOf(list)...)
		}
	}
	return names
}

// TestReferencedRecordsAreConfined compares, for random rules of the records behind a reference, what a condition through it
// finds.
func TestReferencedRecordsAreConfined(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 4))
		rule := random(r, 2, false)
		made, list := randomFields(t, r)
		read := compile(t, rule.rule, authz.Reads)
		asked := store.Query{
			Where: []store.Condition{{Through: "gem", Any: [][]store.Condition{{{Fields: []string{"note"}, Operator: store.NotEqual, Values: []any{"ruby"}}}}}},
			Order: []store.Order{{Through: "gem", Field: "kind"}},
		}
		for _, w := range callers() {
			sees := func(g *gem, name string) bool {
				at := slices.IndexFunc(list, func(of field) bool { return of.name == name })
				return rule.holds(w, g) && (at < 0 || list[at].read.holds(w, g))
			}
			confined, err := authz.Through(t.Context(), w.caller(), asked, func(string) authz.Reached { return authz.Reached{Read: read, Fields: made} })
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range gems() {
				inner := []store.Condition{{Any: confined.Where[0].Any}}
				if want := sees(g, "note") && matches(t, asked.Where[0].Any[0], g); matches(t, inner, g) != want {
					t.Fatalf("%d: a filter through a reference to %+v finds it for %s: %v", seed, *g, w.name, !want)
				}
				shows := true
				for _, unless := range confined.Order[0].NullUnless {
					shows = shows && matches(t, []store.Condition{{Any: unless.Any}}, g)
				}
				if shows != sees(g, "kind") {
					t.Fatalf("%d: the referenced record %+v sorts by its value for %s: %v", seed, *g, w.name, shows)
				}
			}
		}
	}
}

func TestAnErrorOfARuleShowsNothing(t *testing.T) {
	t.Parallel()
	broken := errors.New("the engine is down")
	fails := compile(t, access.Filter("engine", func(context.Context, *miner) ([]store.Condition, error) { return nil, broken }), authz.Reads)
	through := compile(t, access.Filter("far", func(context.Context, *miner) ([]store.Condition, error) {
		return []store.Condition{{Through: "owner", Any: [][]store.Condition{{}}}}, nil
	}), authz.Reads)
	made := new(authz.Fields)
	made.Add(structOf[gem](t).Field("note"), fails, nil)
	c := who{principal: &miner{}}.caller()
	query := store.Query{Where: []store.Condition{{Fields: []string{"note"}, Operator: store.Equal, Values: []any{"x"}}}}
	if _, err := c.Confine(t.Context(), query, fails, nil); !errors.Is(err, broken) {
		t.Errorf("a query is confined: %v", err)
	}
	if _, err := c.Confine(t.Context(), query, nil, made); !errors.Is(err, broken) {
		t.Errorf("a query by a field is confined: %v", err)
	}
	if holds, err := fails.Holds(t.Context(), c, &gem{}); holds || !errors.Is(err, broken) {
		t.Errorf("the rule holds: %v, %v", holds, err)
	}
	if _, err := made.Hidden(t.Context(), c, &gem{}); !errors.Is(err, broken) {
		t.Errorf("it is known what is hidden: %v", err)
	}
	if holds, err := through.Holds(t.Context(), c, &gem{}); holds || err == nil || !strings.Contains(err.Error(), "goes through") {
		t.Errorf("a rule that looks at another record holds: %v, %v", holds, err)
	}
}

func TestPermissionsHaveDifferentHashes(t *testing.T) {
	t.Parallel()
	rule := compile(t, access.Any(
		access.If("head", func(m *miner) bool { return m.head }), access.Scope("dig"),
		access.Equal("owner", func(m *miner) int64 { return m.id }), access.Where("public", true),
	), authz.Reads)
	made := new(authz.Fields)
	made.Add(structOf[gem](t).Field("note"), compile(t, access.If("tagged ruby", func(p tagged) bool { return p.tag() == "ruby" }), authz.Reads), nil)
	seen := map[string]string{}
	for _, w := range callers() {
		var text strings.Builder
		for _, each := range append(made.ReadRules(), rule) {
			each.HashPermissions(w.caller(), sum{&text})
		}
		other, again := seen[text.String()]
		isSame := other == "anonymous" && (w.name == "a nil miner" || w.name == "robot 0")
		switch {
		case !again:
			seen[text.String()] = w.name
		case !isSame:
			t.Errorf("%s and %s have the same permissions: %s", other, w.name, text.String())
		}
	}
	if len(seen) != 5 {
		t.Errorf("there are %d kinds of callers, want 5", len(seen))
	}
}

// sum is a hash that is the text itself.
type sum struct{ *strings.Builder }

func (s sum) Sum([]byte) []byte { return nil }
func (s sum) Size() int         { return 0 }
func (s sum) BlockSize() int    { return 1 }
