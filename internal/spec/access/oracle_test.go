package access_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// loot is the record of random rules.
type loot struct {
	ID    int64   `json:"id"`
	Owner int64   `json:"owner" api:"filter"`
	Kind  string  `json:"kind" api:"filter,sort,search"`
	Heavy bool    `json:"heavy" api:"filter"`
	Grade *int    `json:"grade" api:"filter=exact|range|exists,sort"`
	Note  *string `json:"note" api:"filter=partial|exists,sort,search"`
}

// seeker is the principal of random rules, robot another one.
type (
	seeker struct {
		ID   int64
		Rank int
	}
	robot struct{ Serial int64 }
)

// asker is the caller in a property test.
type asker struct {
	name   string
	seeker *seeker
	robot  *robot
	scopes access.Scopes
}

// opinion is a rule with what an oracle says of it, by the words of the design alone.
type opinion struct {
	rule  access.Rule
	holds func(a *asker, l *loot) bool
}

// leaf is a rule, what it says of those whom it asks, and whom that is.
type leaf struct {
	rule  access.Rule
	asks  func(a *asker) bool
	holds func(a *asker, l *loot) bool
}

func leaves() []leaf {
	everybody := func(*asker) bool { return true }
	seekers := func(a *asker) bool { return a.seeker != nil }
	robots := func(a *asker) bool { return a.robot != nil }
	return []leaf{
		{access.Public, everybody, func(*asker, *loot) bool { return true }},
		{access.Authenticated, everybody, func(a *asker, _ *loot) bool { return a.seeker != nil || a.robot != nil }},
		{access.Scope("dig"), everybody, func(a *asker, _ *loot) bool { return slices.Contains(a.scopes, "dig") }},
		{access.If("captain", func(s *seeker) bool { return s.Rank > 1 }), seekers, func(a *asker, _ *loot) bool { return a.seeker.Rank > 1 }},
		{access.If("odd", func(r *robot) bool { return r.Serial%2 == 1 }), robots, func(a *asker, _ *loot) bool { return a.robot.Serial%2 == 1 }},
		{
			access.Equal("owner", func(s *seeker) int64 { return s.ID }), seekers,
			func(a *asker, l *loot) bool { return a.seeker.ID == l.Owner },
		},
		{
			access.Equal("grade", func(s *seeker) int { return s.Rank }), seekers,
			func(a *asker, l *loot) bool { return l.Grade != nil && a.seeker.Rank == *l.Grade },
		},
		{
			access.Equal("owner", func(r *robot) int64 { return r.Serial }), robots,
			func(a *asker, l *loot) bool { return a.robot.Serial == l.Owner },
		},
		{access.Where("heavy", true), everybody, func(_ *asker, l *loot) bool { return l.Heavy }},
		{access.Where("kind", "gold", "bone"), everybody, func(_ *asker, l *loot) bool { return l.Kind == "gold" || l.Kind == "bone" }},
		{access.Where("grade", 1), everybody, func(_ *asker, l *loot) bool { return l.Grade != nil && *l.Grade == 1 }},
		{access.Where("note", "a"), everybody, func(_ *asker, l *loot) bool { return l.Note != nil && *l.Note == "a" }},
	}
}

// filters are conditions that are not allowed in a Not.
func filters() []leaf {
	made := func(ctx context.Context, s *seeker) ([]store.Condition, error) {
		return []store.Condition{
			{Fields: []string{"grade"}, Operator: store.LessEqual, Values: []any{s.Rank}},
			{Any: [][]store.Condition{
				{{Fields: []string{"kind"}, Operator: store.HasPrefix, Values: []any{"GO"}}},
				{{Fields: []string{"note"}, Operator: store.Exists, Values: []any{true}}, {Fields: []string{"owner"}, Operator: store.NotEqual, Values: []any{int64(2)}}},
			}},
		}, ctx.Err()
	}
	return []leaf{{access.Filter("engine", made), func(a *asker) bool { return a.seeker != nil }, func(a *asker, l *loot) bool {
		return l.Grade != nil && *l.Grade <= a.seeker.Rank && (strings.HasPrefix(l.Kind, "go") || l.Note != nil && l.Owner != 2)
	}}}
}

// invent makes a random rule, of at most a depth, as it is or in a Not.
func invent(random *rand.Rand, depth int, negated bool) opinion {
	if depth > 0 {
		switch random.IntN(4) {
		case 0, 1:
			a, b := invent(random, depth-1, negated), invent(random, depth-1, negated)
			isAny := random.IntN(2) == 0
			holds := func(who *asker, l *loot) bool { return a.holds(who, l) && b.holds(who, l) }
			if isAny != negated {
				holds = func(who *asker, l *loot) bool { return a.holds(who, l) || b.holds(who, l) }
			}
			if isAny {
				return opinion{access.Any(a.rule, b.rule), holds}
			}
			return opinion{access.All(a.rule, b.rule), holds}
		case 2:
			inner := invent(random, depth-1, !negated)
			return opinion{access.Not(inner.rule), inner.holds}
		}
	}
	some := leaves()
	if !negated {
		some = append(some, filters()...)
	}
	chosen := some[random.IntN(len(some))]
	return opinion{chosen.rule, func(who *asker, l *loot) bool { return chosen.asks(who) && chosen.holds(who, l) != negated }}
}

func askers() []*asker {
	return []*asker{
		{name: "nobody"},
		{name: "one", seeker: &seeker{1, 1}},
		{name: "two", seeker: &seeker{2, 2}, scopes: access.Scopes{"dig"}},
		{name: "three", robot: &robot{1}, scopes: access.Scopes{"dig", "see"}},
		{name: "four", robot: &robot{2}},
	}
}

// askerSchemes gives seekers and robots.
func askerSchemes() []access.Scheme {
	find := func(name string) *asker {
		all := askers()
		if i := slices.IndexFunc(all, func(a *asker) bool { return a.name == name }); i >= 0 {
			return all[i]
		}
		return &asker{}
	}
	return []access.Scheme{
		access.Bearer("seekers", func(_ context.Context, token string) (*seeker, access.Scopes, error) {
			if a := find(token); a.seeker != nil {
				return a.seeker, a.scopes, nil
			}
			return nil, nil, access.ErrCredentials
		}),
		access.Bearer("robots", func(_ context.Context, token string) (*robot, access.Scopes, error) {
			if a := find(token); a.robot != nil {
				return a.robot, a.scopes, nil
			}
			return nil, nil, access.ErrCredentials
		}),
	}
}

// FuzzResponsesMatchTheOracle compares the responses about random records, under random rules of records and of a
// field, with an oracle that evaluates the rules one by one.
func FuzzResponsesMatchTheOracle(f *testing.F) {
	for seed := range seeds() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 1))
		read, member := invent(random, 3, false), invent(random, 2, false)
		for name, s := range storesOfLoot(t, seed) {
			checkOracle(t, name, s, random, read, member)
		}
	})
}

// storesOfLoot opens stores of all sorts for a few seeds, and one in memory for all others.
func storesOfLoot(t *testing.T, seed uint64) map[string]store.Store[loot] {
	t.Helper()
	if onDatabases(seed) {
		return spec.Stores[loot](t)
	}
	return map[string]store.Store[loot]{"memory": nil}
}

func checkOracle(t *testing.T, name string, s store.Store[loot], random *rand.Rand, read, member opinion) {
	t.Helper()
	c := spec.NewClient(t, resource.Config{Authentication: askerSchemes()}, resource.Of[loot]{
		Store: s, ShortName: "Loot", SparseFields: true,
		Access: access.Rules{
			Read: read.rule, Create: access.Public, Update: access.Public, Delete: access.Public,
			Fields: map[string]access.Field{"note": {Read: member.rule, Write: access.Public}},
		},
		Operations: append(operation.Standard(), operation.GetCollection{
			Name: "cursors", URITemplate: "/cursors", Pagination: operation.Pagination{ViaCursor: new(true), MaxItemsPerPage: 100},
		}),
	})
	var all []*loot
	for i := range 12 {
		l := &loot{ID: int64(i + 1), Owner: random.Int64N(3) + 1, Kind: []string{"gold", "bone", "silk"}[random.IntN(3)], Heavy: random.IntN(2) == 0}
		if random.IntN(3) > 0 {
			l.Grade = new(random.IntN(3))
		}
		if random.IntN(3) > 0 {
			l.Note = new([]string{"a", "b", "c"}[random.IntN(3)])
		}
		body, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		c.Send("POST /api/loots", string(body)).HasStatus(201)
		all = append(all, l)
	}
	for _, who := range askers() {
		o := oracle{t: t, Client: c, store: name, who: who, all: all, read: read, member: member}
		o.checkItems()
		o.checkLists()
	}
}

// oracle says what one asker sees.
type oracle struct {
	spec.Client

	t            *testing.T
	store        string
	who          *asker
	all          []*loot
	read, member opinion
}

func (o *oracle) send(path string) spec.Response {
	header := []string{}
	if o.who.name != "nobody" {
		header = append(header, "Authorization", "Bearer "+o.who.name)
	}
	return o.Send("GET /api"+path, "", header...)
}

func (o *oracle) fail(path, got, want string) {
	o.t.Helper()
	o.t.Fatalf("%s: read %q, note %q: %s is shown at %s\n\t%s\nand should be\n\t%s", o.store, o.read.rule.Describe().Name,
		o.member.rule.Describe().Name, o.who.name, path, got, want)
}

// text is what the asker is shown of a record.
func (o *oracle) text(l *loot) string {
	text, err := json.Marshal(l)
	if err != nil {
		o.t.Fatal(err)
	}
	shown := string(text)
	if !o.member.holds(o.who, l) {
		shown, _, _ = strings.Cut(shown, `,"note":`)
		shown += "}"
	}
	return shown
}

func (o *oracle) checkItems() {
	for _, l := range o.all {
		path := fmt.Sprintf("/loots/%d", l.ID)
		got := o.send(path)
		switch sees := o.read.holds(o.who, l); {
		case sees && got.Body != o.text(l):
			o.fail(path, got.Body, o.text(l))
		case !sees && got.Status != http.StatusNotFound && (got.Status != http.StatusUnauthorized || o.who.name != "nobody"):
			o.fail(path, got.Body, "404 or 401")
		}
	}
}

// query is a request of a collection, with the expected records in order.
type query struct {
	text    string
	matches func(o *oracle, l *loot) bool
	order   func(o *oracle, a, b *loot) int
}

func (o *oracle) note(l *loot) string {
	if l.Note == nil || !o.member.holds(o.who, l) {
		return ""
	}
	return *l.Note
}

func queries() []query {
	byID := func(_ *oracle, a, b *loot) int { return int(a.ID - b.ID) }
	byNote := func(o *oracle, a, b *loot) int {
		if n := strings.Compare(o.note(a), o.note(b)); n != 0 {
			return n
		}
		return int(a.ID - b.ID)
	}
	everything := func(*oracle, *loot) bool { return true }
	return []query{
		{"", everything, byID},
		{"sort=note", everything, byNote},
		{"sort=-note", everything, func(o *oracle, a, b *loot) int { return -byNote(o, a, b) }},
		{"note=b", func(o *oracle, l *loot) bool { return o.note(l) == "b" }, byID},
		{"exists[note]=true", func(o *oracle, l *loot) bool { return o.note(l) != "" }, byID},
		{"exists[note]=false", func(o *oracle, l *loot) bool { return l.Note == nil && o.member.holds(o.who, l) }, byID},
		{"q=b", func(o *oracle, l *loot) bool { return strings.Contains(l.Kind, "b") || o.note(l) == "b" }, byID},
		{"heavy=true&sort=note", func(_ *oracle, l *loot) bool { return l.Heavy }, byNote},
		{"kind[ne]=gold", func(_ *oracle, l *loot) bool { return l.Kind != "gold" }, byID},
	}
}

func (o *oracle) checkLists() {
	for _, q := range queries() {
		var want []*loot
		for _, l := range o.all {
			if o.read.holds(o.who, l) && q.matches(o, l) {
				want = append(want, l)
			}
		}
		slices.SortFunc(want, func(a, b *loot) int { return q.order(o, a, b) })
		texts := []string{}
		for _, l := range want {
			texts = append(texts, o.text(l))
		}
		first := o.send("/loots?itemsPerPage=100&" + q.text)
		if first.Status == http.StatusUnauthorized || first.Status == http.StatusForbidden {
			if len(want) > 0 {
				o.fail("/loots?"+q.text, first.Body, strings.Join(texts, ","))
			}
			continue
		}
		if got := first.Body; got != "["+strings.Join(texts, ",")+"]" || first.Header.Get("X-Total-Count") != fmt.Sprint(len(want)) {
			o.fail("/loots?"+q.text, first.Header.Get("X-Total-Count")+" "+got, strings.Join(texts, ","))
		}
		if got := o.send("/loots.ndjson?" + q.text).Body; strings.TrimSpace(got) != strings.Join(texts, "\n") {
			o.fail("/loots.ndjson?"+q.text, got, strings.Join(texts, "\n"))
		}
		o.walk(q.text, texts)
	}
}

// walk goes through a collection by cursor.
func (o *oracle) walk(text string, want []string) {
	var walked []string
	for next := "/cursors?itemsPerPage=4&" + text; next != ""; {
		page := o.send(next).HasStatus(200)
		if inner := strings.Trim(page.Body, "[]"); inner != "" {
			walked = append(walked, inner)
		}
		next = strings.TrimPrefix(page.Link("next"), "/api")
	}
	if got := strings.Join(walked, ","); got != strings.Join(want, ",") {
		o.fail("/cursors?"+text, got, strings.Join(want, ","))
	}
}

// worldsWanted returns how many random worlds TROVE_TEST_WORLDS sets, 0 without it.
func worldsWanted() uint64 {
	n, _ := strconv.ParseUint(os.Getenv("TROVE_TEST_WORLDS"), 10, 64)
	return n
}

// seeds is how many random rules are tried.
func seeds() uint64 {
	few := uint64(40)
	if testing.Short() {
		few = 10
	}
	return cmp.Or(worldsWanted(), few)
}

// onDatabases reports whether a seed is tried on databases too, which takes longer: a few, or all of TROVE_TEST_WORLDS.
func onDatabases(seed uint64) bool { return seed < max(worldsWanted(), 6) }
