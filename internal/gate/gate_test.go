package gate_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/gate"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// gem is the record of the rules.
type gem struct {
	ID     int64   `json:"id"`
	Owner  int64   `json:"owner"`
	Keeper *int64  `json:"keeper"`
	Kind   string  `json:"kind"`
	Note   *string `json:"note"`
	Public bool    `json:"public"`
}

// miner and robot are the principals, and tagged an interface that only miners satisfy.
type (
	miner struct {
		id   int64
		kind string
		head bool
	}
	robot  struct{ serial int64 }
	tagged interface{ tag() string }
)

func (m *miner) tag() string { return m.kind }

func structOf[T any](t testing.TB) *model.Struct {
	t.Helper()
	s, err := model.Compile(reflect.TypeFor[T]())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// compile compiles a rule that must be valid. An API without schemes takes principals of any type, but no scopes.
func compile(t testing.TB, rule access.Rule, use gate.Use) *gate.Rule {
	t.Helper()
	compiler := gate.Compiler{Schemes: []access.Scheme{bearer[*miner](), bearer[*robot]()}}
	made, err := compiler.Compile(rule, structOf[gem](t), use)
	if err != nil {
		t.Fatalf("%s: %v", describe(rule), err)
	}
	return made
}

func bearer[P any]() access.Scheme {
	return access.Bearer("token", func(context.Context, string) (p P, _ access.Scopes, _ error) { return p, nil, nil })
}

// who is a caller.
type who struct {
	name      string
	principal any
	scopes    access.Scopes
}

func (w who) caller() *gate.Caller {
	c := new(gate.Caller)
	c.Set(w.principal, w.scopes)
	return c
}

// callers are all kinds of them: anonymous, of both types, a nil pointer, with and without scopes.
func callers() []who {
	return []who{
		{"anonymous", nil, nil},
		{"a nil miner", (*miner)(nil), access.Unlimited},
		{"miner 1", &miner{id: 1, kind: "ruby"}, nil},
		{"miner 2", &miner{id: 2, kind: ""}, access.Scopes{"dig"}},
		{"the head", &miner{id: 3, kind: "opal", head: true}, access.Unlimited},
		{"robot 1", &robot{1}, access.Scopes{"dig"}},
		{"robot 0", &robot{0}, nil},
	}
}

// gems are records of all values that rules look at.
func gems() []*gem {
	var list []*gem
	one, zero, ruby, blank := int64(1), int64(0), "ruby", ""
	for _, owner := range []int64{0, 1, 2} {
		for _, keeper := range []*int64{nil, &zero, &one} {
			for _, kind := range []string{"", "ruby", "opal"} {
				for _, note := range []*string{nil, &blank, &ruby} {
					for _, public := range []bool{false, true} {
						list = append(list, &gem{int64(len(list)), owner, keeper, kind, note, public})
					}
				}
			}
		}
	}
	return list
}

// leaf is a rule without parts, with what the design says of it: whom it asks, and when it holds.
type leaf struct {
	rule  access.Rule
	asks  func(principal any) bool
	holds func(w who, g *gem) bool
}

func isMiner(principal any) bool { m, ok := principal.(*miner); return ok && m != nil }
func isRobot(principal any) bool { r, ok := principal.(*robot); return ok && r != nil }
func anyone(any) bool            { return true }

func leaves() []leaf {
	at := func(w who) *miner { return w.principal.(*miner) }
	return []leaf{
		{access.Public, anyone, func(who, *gem) bool { return true }},
		{access.Authenticated, anyone, func(w who, _ *gem) bool { return isMiner(w.principal) || isRobot(w.principal) }},
		{access.Scope("dig"), anyone, func(w who, _ *gem) bool {
			return (isMiner(w.principal) || isRobot(w.principal)) && len(w.scopes) > 0 // the callers have no others
		}},
		{access.If("head", func(m *miner) bool { return m.head }), isMiner, func(w who, _ *gem) bool { return at(w).head }},
		{access.If("odd", func(r *robot) bool { return r.serial%2 == 1 }), isRobot, func(w who, _ *gem) bool {
			return w.principal.(*robot).serial%2 == 1
		}},
		{access.If("tagged ruby", func(p tagged) bool { return p.tag() == "ruby" }), isMiner, func(w who, _ *gem) bool { return at(w).kind == "ruby" }},
		{access.Equal("owner", func(m *miner) int64 { return m.id }), isMiner, func(w who, g *gem) bool { return g.Owner == at(w).id }},
		{access.Equal("keeper", func(m *miner) int64 { return m.id }), isMiner, func(w who, g *gem) bool {
			return g.Keeper != nil && *g.Keeper == at(w).id
		}},
		{access.Equal("note", func(m *miner) string { return m.kind }), isMiner, func(w who, g *gem) bool {
			return g.Note != nil && *g.Note == at(w).kind
		}},
		{access.Equal("keeper", func(r *robot) int64 { return r.serial }), isRobot, func(w who, g *gem) bool {
			return g.Keeper != nil && *g.Keeper == w.principal.(*robot).serial
		}},
		{access.Where("public", true), anyone, func(_ who, g *gem) bool { return g.Public }},
		{access.Where("kind", "ruby", ""), anyone, func(_ who, g *gem) bool { return g.Kind != "opal" }},
		{access.Where("note", "ruby"), anyone, func(_ who, g *gem) bool { return g.Note != nil && *g.Note == "ruby" }},
		{access.Where("keeper", int64(0)), anyone, func(_ who, g *gem) bool { return g.Keeper != nil && *g.Keeper == 0 }},
	}
}

// filters are rules that stand in no Not.
func filters() []leaf {
	return []leaf{
		{access.Filter("kept", func(_ context.Context, m *miner) ([]store.Condition, error) {
			return []store.Condition{
				{Fields: []string{"keeper"}, Operator: store.Exists, Values: []any{true}},
				{Any: [][]store.Condition{
					{{Fields: []string{"owner"}, Operator: store.Less, Values: []any{m.id}}},
					{{Fields: []string{"kind", "note"}, Operator: store.Contains, Values: []any{"RUB"}}, {Fields: []string{"note"}, Operator: store.NotEqual, Values: []any{""}}},
				}},
			}, nil
		}), isMiner, func(w who, g *gem) bool {
			has := g.Kind == "ruby" || g.Note != nil && *g.Note == "ruby"
			return g.Keeper != nil && (g.Owner < w.principal.(*miner).id || has && (g.Note == nil || *g.Note != ""))
		}},
		{access.Filter("all", func(context.Context, *robot) ([]store.Condition, error) { return nil, nil }), isRobot, func(who, *gem) bool { return true }},
	}
}

// judged is a rule with its meaning.
type judged struct {
	rule  access.Rule
	holds func(w who, g *gem) bool
}

// random makes a rule, or the opposite of one. A Not is plain Boolean, but a rule on the principal holds for principals
// of its type alone.
func random(r *rand.Rand, depth int, negated bool) judged {
	if depth > 0 {
		switch r.IntN(5) {
		case 0, 1, 2:
			return compound(r, depth, negated)
		case 3:
			part := random(r, depth-1, !negated)
			return judged{access.Not(part.rule), part.holds}
		}
	}
	list := leaves()
	if !negated {
		list = append(list, filters()...)
	}
	of := list[r.IntN(len(list))]
	return judged{of.rule, func(w who, g *gem) bool { return of.asks(w.principal) && of.holds(w, g) != negated }}
}

func compound(r *rand.Rand, depth int, negated bool) judged {
	parts := make([]judged, 1+r.IntN(3))
	rules := make([]access.Rule, len(parts))
	for i := range parts {
		parts[i] = random(r, depth-1, negated)
		rules[i] = parts[i].rule
	}
	isAny := r.IntN(2) == 0
	made := judged{rule: access.All(rules...)}
	if isAny {
		made.rule = access.Any(rules...)
	}
	made.holds = func(w who, g *gem) bool { // a negated any is an all of what is negated
		is := func(part judged) bool { return part.holds(w, g) }
		if isAny != negated {
			return slices.ContainsFunc(parts, is)
		}
		return !slices.ContainsFunc(parts, func(part judged) bool { return !is(part) })
	}
	return made
}

func describe(rule access.Rule) string {
	d := rule.Describe()
	if d.Parts == nil {
		return d.Name
	}
	names := make([]string, len(d.Parts))
	for i, part := range d.Parts {
		names[i] = describe(part)
	}
	return d.Kind + "(" + strings.Join(names, ", ") + ")"
}

// TestAQueryAndARecordAgree compares, for random rules, what one record is told, what a query finds, and what the design
// says.
func TestAQueryAndARecordAgree(t *testing.T) {
	t.Parallel()
	all, everyone := gems(), callers()
	var memory gate.Memory // of one query after the other
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		rule := random(r, 3, false)
		made := compile(t, rule.rule, gate.Reads)
		asked := store.Query{Where: randomConditions(r)}
		for _, w := range everyone {
			c := w.caller()
			alone := made.Ask(c)
			conditions, verdict, err := made.Conditions(t.Context(), c)
			fresh := confine(t, c, asked, made, nil)
			used := confine(t, c, asked, made, &memory)
			if err != nil || verdict == gate.Depends != (len(conditions) > 0) {
				t.Fatalf("%d: %s has %d conditions and the verdict %d for %s: %v", seed, describe(rule.rule), len(conditions), verdict, w.name, err)
			}
			for _, g := range all {
				want := rule.holds(w, g)
				holds, err := made.Holds(t.Context(), c, g)
				inQuery := verdict == gate.Allowed || verdict == gate.Depends && matches(t, conditions, g)
				fits := want && matches(t, asked.Where, g)
				switch {
				case err != nil || holds != want:
					t.Fatalf("%d: %s of %+v holds for %s: %v, want %v: %v", seed, describe(rule.rule), *g, w.name, holds, want, err)
				case inQuery != want:
					t.Fatalf("%d: a query by %s finds %+v for %s: %v, want %v", seed, describe(rule.rule), *g, w.name, inQuery, want)
				case alone == gate.Allowed && !want, alone == gate.Refused && want:
					t.Fatalf("%d: %s is %d for %s, but %v for %+v", seed, describe(rule.rule), alone, w.name, want, *g)
				case matches(t, fresh.Where, g) != fits, matches(t, used.Where, g) != fits:
					t.Fatalf("%d: %s confines a query for %s to %+v, and with memory to %+v: %v of %+v", seed, describe(rule.rule), w.name, fresh.Where, used.Where, fits, *g)
				}
			}
		}
	}
}

func confine(t *testing.T, c *gate.Caller, query store.Query, rule *gate.Rule, memory *gate.Memory) store.Query {
	t.Helper()
	before := slices.Clone(query.Where)
	confined, err := gate.Confine(t.Context(), c, query, rule, nil, memory)
	if err != nil || !reflect.DeepEqual(before, query.Where) {
		t.Fatalf("the query has changed to %+v: %v", query.Where, err)
	}
	return confined
}

// randomConditions are those of a client's filters.
func randomConditions(r *rand.Rand) []store.Condition {
	list := []store.Condition{
		{Fields: []string{"owner"}, Operator: store.Equal, Values: []any{int64(1), int64(2)}},
		{Fields: []string{"note"}, Operator: store.NotEqual, Values: []any{"ruby"}},
		{Fields: []string{"kind", "note"}, Operator: store.Contains, Values: []any{"u"}},
	}
	return list[:r.IntN(len(list)+1):len(list)]
}

// TestARecordIsAskedByCode compiles rules that ask code, which can be in no query.
func TestARecordIsAskedByCode(t *testing.T) {
	t.Parallel()
	made := compile(t, access.All(access.Not(access.Where("public", true)), access.Check("heavy", func(_ context.Context, g *gem) (bool, error) {
		if g.Kind == "opal" {
			return true, store.ErrUnavailable
		}
		return g.Owner == 2, nil
	})), gate.Changes)
	if !made.Runs() || made.Ask(new(gate.Caller)) != gate.Depends {
		t.Error("a rule that calls code does not say so, or does not depend on the record")
	}
	for _, g := range gems() {
		holds, err := made.Holds(t.Context(), new(gate.Caller), g)
		if fails := !g.Public && g.Kind == "opal"; holds != (!g.Public && !fails && g.Owner == 2) || (err != nil) != fails {
			t.Errorf("%+v: %v, %v", *g, holds, err)
		}
	}
}

func TestTheFunctionOfAPrincipalIsCalledOnce(t *testing.T) {
	t.Parallel()
	calls := 0
	own := access.Equal("owner", func(m *miner) int64 { calls++; return m.id })
	made, c := compile(t, access.Any(own, access.Where("public", true)), gate.Reads), who{principal: &miner{id: 1}}.caller()
	for range 3 {
		if _, _, err := made.Conditions(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		for _, g := range gems() {
			if _, err := made.Holds(t.Context(), c, g); err != nil {
				t.Fatal(err)
			}
		}
	}
	if calls != 1 {
		t.Errorf("it was called %d times", calls)
	}
	if c.Set(&miner{id: 2}, nil); made.Ask(c) != gate.Depends {
		t.Error("without a record the rule depends on it")
	}
	if holds, err := made.Holds(t.Context(), c, &gem{Owner: 2}); err != nil || !holds || calls != 2 {
		t.Errorf("another principal has the value of the one before: %v after %d calls (%v)", holds, calls, err)
	}
}

func TestWhyACallerIsRefused(t *testing.T) {
	t.Parallel()
	head := access.If("head", func(m *miner) bool { return m.head })
	own := access.Equal("owner", func(m *miner) int64 { return m.id })
	anonymous, stranger := who{}, who{principal: &robot{1}}
	digger := who{principal: &miner{id: 1}, scopes: access.Scopes{"see"}}
	for name, test := range map[string]struct {
		rule   access.Rule
		who    who
		of     any
		signIn bool
		scopes []string
		log    string
	}{
		"signing in may help":              {head, anonymous, nil, true, nil, "head: no"},
		"of a record":                      {access.All(own, access.Where("public", true)), anonymous, &gem{Public: true}, true, nil, "owner: no, public: yes"},
		"of a record that no one may see":  {access.All(own, access.Where("public", true)), anonymous, &gem{}, false, nil, "owner: no, public: no"},
		"no one may, signed in or not":     {access.Where("public", true), anonymous, &gem{}, false, nil, "public: no"},
		"only anonymous callers may":       {access.Not(access.Authenticated), stranger, nil, false, nil, "not authenticated: no"},
		"a principal of another type":      {access.Any(head, own), stranger, nil, false, nil, "head: no, owner: no"},
		"the opposite of another type":     {access.Not(head), stranger, nil, false, nil, "not head: no"},
		"a scope would be enough":          {access.All(access.Scope("dig"), own), digger, nil, false, []string{"dig"}, "scope dig: no, owner: depends on the record"},
		"a scope would not be enough":      {access.All(access.Scope("dig"), head), digger, nil, false, nil, "scope dig: no, head: no"},
		"one of two scopes is there":       {access.All(access.Scope("dig"), access.Scope("see")), digger, nil, false, []string{"dig"}, "scope dig: no, scope see: yes"},
		"a scope that it must not have":    {access.Not(access.Scope("see")), digger, nil, false, nil, "not scope see: no"},
		"signed in, with scopes, it could": {access.All(access.Scope("dig"), own), anonymous, nil, true, nil, "scope dig: no, owner: no"},
	} {
		made := compile(t, test.rule, gate.Changes)
		c := test.who.caller()
		if holds, err := made.Holds(t.Context(), c, orGem(test.of)); holds || err != nil {
			t.Errorf("%s: the rule holds (%v)", name, err)
		}
		got := made.Refusal(t.Context(), c, test.of)
		if want := (gate.Refusal{Rule: test.rule.Describe().Name, Because: test.log, SignIn: test.signIn, Scopes: test.scopes}); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// orGem returns a record, or one that no one has anything to do with.
func orGem(record any) any {
	if record == nil {
		return &gem{Owner: 77}
	}
	return record
}

// TestSigningInIsOfferedWheneverItCouldHelp asks random rules: if any principal could pass, an anonymous caller is told
// to sign in.
func TestSigningInIsOfferedWheneverItCouldHelp(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		rule := random(rand.New(rand.NewPCG(seed, 2)), 3, false)
		made := compile(t, rule.rule, gate.Reads)
		for _, g := range gems() {
			if rule.holds(who{}, g) {
				continue
			}
			could := slices.ContainsFunc(callers(), func(w who) bool { return rule.holds(w, g) })
			if got := made.Refusal(t.Context(), new(gate.Caller), g); could && !got.SignIn {
				t.Fatalf("%d: %s of %+v: signing in could help, but the refusal is %+v", seed, describe(rule.rule), *g, got)
			}
		}
	}
}

func TestRulesThatCannotWorkAreErrors(t *testing.T) {
	t.Parallel()
	compiler := gate.Compiler{Schemes: []access.Scheme{bearer[*miner]()}}
	own := access.Equal("owner", func(m *miner) int64 { return m.id })
	for name, test := range map[string]struct {
		rule access.Rule
		use  gate.Use
		want []string
	}{
		"no parts, and a nil one":   {access.Any(access.All(), nil), gate.Reads, []string{"All has no parts", "a part of the rule is nil"}},
		"a field that is not there": {access.Where("ownr", int64(1)), gate.Reads, []string{`the member "ownr"`, `did you mean "owner"?`}},
		"another type":              {access.Where("owner", 1), gate.Reads, []string{"a value of the type int; allowed: int64"}},
		"another type of a value":   {access.Equal("owner", func(m *miner) string { return m.kind }), gate.Reads, []string{"gives string; allowed: int64"}},
		"no values":                 {access.Where("owner"), gate.Reads, []string{"has no values"}},
		"another principal":         {access.If("odd", func(*robot) bool { return true }), gate.Reads, []string{"*gate_test.robot, which no scheme gives; given: *gate_test.miner"}},
		"no record":                 {access.All(own, access.Where("public", true)), gate.NoRecord, []string{`"owner" needs a record`, `"public" needs a record`}},
		"code in a query":           {access.Check("c", func(context.Context, *gem) (bool, error) { return true, nil }), gate.Reads, []string{"cannot be a condition of a collection"}},
		"code for other records":    {access.Check("c", func(context.Context, *miner) (bool, error) { return true, nil }), gate.Changes, []string{"is for gate_test.miner"}},
		"no function":               {access.If[*miner]("head", nil), gate.Reads, []string{"a nil function"}},
		"no name":                   {access.If("", func(*miner) bool { return true }), gate.Reads, []string{"If has no name"}},
		"the opposite of a filter":  {access.Not(access.Filter("f", func(context.Context, *miner) ([]store.Condition, error) { return nil, nil })), gate.Reads, []string{"conditions have no opposite"}},
		"a scope that is none":      {access.Scope("a b"), gate.Reads, []string{`Scope is "a b"`}},
	} {
		_, err := compiler.Compile(test.rule, structOf[gem](t), test.use)
		for _, want := range test.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		}
	}
	if made, err := compiler.Compile(nil, structOf[gem](t), gate.Reads); made != nil || err != nil || made.Ask(new(gate.Caller)) != gate.Allowed {
		t.Errorf("no rule is %v (%v), and must allow everything", made, err)
	}
}
