package access_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// raid is what refers to loot that random rules hide.
type raid struct {
	ID   int64  `json:"id"`
	Tag  string `json:"tag" api:"filter,sort"`
	Loot *int64 `json:"loot" api:"ref=Loot,filter,through=kind|heavy|grade|note"`

	Spoils []int64 `json:"spoils" validate:"max=3" api:"ref=Loot,filter,through=kind|heavy|grade|note"`
}

// FuzzReferencesDiscloseNothingHidden filters and sorts by fields of records that random rules hide, wholly or in part.
// An oracle evaluates the rules one by one: hidden values behave as if they did not exist.
func FuzzReferencesDiscloseNothingHidden(f *testing.F) {
	for seed := range seeds() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 2))
		o := raidOracle{oracle: oracle{t: t, store: "memory", read: invent(random, 3, false), member: invent(random, 2, false)}, guarded: random.IntN(2) == 0}
		o.fill(random)
		o.check(nil, nil)
		if !onDatabases(seed) {
			return
		}
		for name, open := range spec.Databases(t) {
			db := open(t)
			raids := sqlstore.Table[raid](db, sqlstore.References("loot", "loots"))
			loots := sqlstore.Table[loot](db, sqlstore.Named("loots"))
			if err := db.Create(t.Context(), raids, loots); err != nil {
				t.Fatal(err)
			}
			o.store = name
			o.check(raids, loots)
		}
	})
}

// raidOracle says what one asker finds through references.
type raidOracle struct {
	oracle

	raids   []*raid
	guarded bool // others than seekers see only the references of open raids
}

func (o *raidOracle) fill(random *rand.Rand) {
	for i := range 10 {
		l := &loot{ID: int64(i + 1), Owner: random.Int64N(3) + 1, Kind: []string{"gold", "bone", "silk"}[random.IntN(3)], Heavy: random.IntN(2) == 0}
		if random.IntN(3) > 0 {
			l.Grade = new(random.IntN(3))
		}
		if random.IntN(3) > 0 {
			l.Note = new([]string{"a", "b", "c"}[random.IntN(3)])
		}
		o.all = append(o.all, l)
	}
	for i := range 16 {
		r := &raid{ID: int64(i + 1), Tag: []string{"open", "shut"}[random.IntN(2)]}
		if random.IntN(5) > 0 {
			r.Loot = new(random.Int64N(10) + 1)
		}
		for _, n := range random.Perm(10)[:random.IntN(4)] {
			r.Spoils = append(r.Spoils, int64(n+1))
		}
		o.raids = append(o.raids, r)
	}
}

func (o *raidOracle) check(raids store.Store[raid], loots store.Store[loot]) {
	everybody := access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
	guarded, hiding := everybody, everybody
	if o.guarded {
		guard := access.Field{Read: access.Any(access.If("seeker", func(*seeker) bool { return true }), access.Where("tag", "open")), Write: access.Public}
		guarded.Fields = map[string]access.Field{"loot": guard, "spoils": guard}
	}
	hiding.Read, hiding.Fields = o.read.rule, map[string]access.Field{"note": {Read: o.member.rule, Write: access.Public}}
	o.Client = spec.NewClient(o.t, resource.Config{Authentication: askerSchemes(), References: resource.Identifiers},
		resource.Of[raid]{Store: raids, ShortName: "Raid", Access: guarded, Operations: append(operation.Standard(),
			operation.GetCollection{Name: "walk", URITemplate: "/walk", Pagination: operation.Pagination{ViaCursor: new(true)}})},
		resource.Of[loot]{Store: loots, ShortName: "Loot", Access: hiding})
	for _, l := range o.all {
		body, err := json.Marshal(l)
		if err != nil {
			o.t.Fatal(err)
		}
		o.Client.Send("POST /api/loots", string(body)).HasStatus(http.StatusCreated)
	}
	o.insertRaids()
	for _, who := range askers() {
		o.who = who
		for _, q := range raidQueries() {
			o.ask(q)
		}
	}
}

// insertRaids sends each raid as a caller who sees its loot, or without loot if no caller does. The raid gets those
// spoils that this caller sees.
func (o *raidOracle) insertRaids() {
	for _, r := range o.raids {
		seen := slices.IndexFunc(askers(), func(who *asker) bool { return r.Loot == nil || o.read.holds(who, o.all[*r.Loot-1]) })
		if seen < 0 {
			r.Loot, seen = nil, 0
		}
		who := askers()[seen]
		r.Spoils = slices.DeleteFunc(r.Spoils, func(id int64) bool { return !o.read.holds(who, o.all[id-1]) })
		header := []string{}
		if who.name != "nobody" {
			header = append(header, "Authorization", "Bearer "+who.name)
		}
		spoils, err := json.Marshal(append([]int64{}, r.Spoils...))
		if err != nil {
			o.t.Fatal(err)
		}
		body := fmt.Sprintf(`{"tag":%q,"loot":null,"spoils":%s}`, r.Tag, spoils)
		if r.Loot != nil {
			body = fmt.Sprintf(`{"tag":%q,"loot":%d,"spoils":%s}`, r.Tag, *r.Loot, spoils)
		}
		o.Client.Send("POST /api/raids", body, header...).HasStatus(http.StatusCreated)
	}
}

// reached returns what the asker sees that a raid refers to, nil for nothing.
func (o *raidOracle) reached(r *raid) *loot {
	if r.Loot == nil || o.guarded && o.who.seeker == nil && r.Tag != "open" || !o.read.holds(o.who, o.all[*r.Loot-1]) {
		return nil
	}
	return o.all[*r.Loot-1]
}

// matches reports whether a raid is found by what the asker sees of its loot, or of one of its
// spoils, where the question is about these.
func (o *raidOracle) matches(q raidQuery, r *raid) bool {
	if !strings.HasPrefix(q.text, "spoils.") && !strings.HasPrefix(q.text, "exists[spoils.") {
		return q.matches(o, o.reached(r))
	}
	if o.guarded && o.who.seeker == nil && r.Tag != "open" {
		return false
	}
	return slices.ContainsFunc(r.Spoils, func(id int64) bool {
		return o.read.holds(o.who, o.all[id-1]) && q.matches(o, o.all[id-1])
	})
}

// raidQuery is a request of raids by their references, with the expected raids in order.
type raidQuery struct {
	text    string
	matches func(o *raidOracle, l *loot) bool // l is nil for nothing
	by      func(o *raidOracle, l *loot) any  // nil for null
	down    bool
}

func raidQueries() []raidQuery {
	queries := lootQueries()
	for _, q := range queries {
		if q.by == nil { // no order goes through a list
			q.text = strings.ReplaceAll(q.text, "loot.", "spoils.")
			queries = append(queries, q)
		}
	}
	return queries
}

func lootQueries() []raidQuery {
	all := func(*raidOracle, *loot) bool { return true }
	kind := func(_ *raidOracle, l *loot) any { return l.Kind }
	note := func(o *raidOracle, l *loot) any {
		if found := o.note(l); found != "" {
			return found
		}
		return nil
	}
	grade := func(_ *raidOracle, l *loot) any {
		if l.Grade == nil {
			return nil
		}
		return fmt.Sprint(*l.Grade)
	}
	is := func(matches func(o *raidOracle, l *loot) bool) func(*raidOracle, *loot) bool {
		return func(o *raidOracle, l *loot) bool { return l != nil && matches(o, l) }
	}
	return []raidQuery{
		{"loot.kind=gold", is(func(_ *raidOracle, l *loot) bool { return l.Kind == "gold" }), nil, false},
		{"loot.kind[ne]=gold", is(func(_ *raidOracle, l *loot) bool { return l.Kind != "gold" }), nil, false},
		{"loot.heavy=true", is(func(_ *raidOracle, l *loot) bool { return l.Heavy }), nil, false},
		{"loot.grade[gte]=1", is(func(_ *raidOracle, l *loot) bool { return l.Grade != nil && *l.Grade >= 1 }), nil, false},
		{"exists[loot.grade]=false", is(func(_ *raidOracle, l *loot) bool { return l.Grade == nil }), nil, false},
		{"loot.note=b", is(func(o *raidOracle, l *loot) bool { return o.note(l) == "b" }), nil, false},
		{"exists[loot.note]=false", is(func(o *raidOracle, l *loot) bool { return l.Note == nil && o.member.holds(o.who, l) }), nil, false},
		{"exists[loot.note]=true", is(func(o *raidOracle, l *loot) bool { return o.note(l) != "" }), nil, false},
		{"loot.kind=gold&loot.kind=silk&loot.note=a&loot.note=b", is(func(o *raidOracle, l *loot) bool { return l.Kind != "bone" && (o.note(l) == "a" || o.note(l) == "b") }), nil, false},
		{"sort=loot.kind", all, kind, false},
		{"sort=-loot.kind", all, kind, true},
		{"sort=loot.note", all, note, false},
		{"sort=-loot.note", all, note, true},
		{"sort=-loot.grade", all, grade, true},
		{"sort=loot.note&loot.kind[ne]=gold", is(func(_ *raidOracle, l *loot) bool { return l.Kind != "gold" }), note, false},
	}
}

func (o *raidOracle) ask(q raidQuery) {
	o.t.Helper()
	var want []*raid
	for _, r := range o.raids {
		if o.matches(q, r) {
			want = append(want, r)
		}
	}
	by := func(r *raid) string { // null comes before all that is not empty
		if l := o.reached(r); l != nil && q.by != nil {
			if found := q.by(o, l); found != nil {
				return "x" + fmt.Sprint(found)
			}
		}
		return ""
	}
	slices.SortFunc(want, func(a, b *raid) int {
		c := cmp.Or(strings.Compare(by(a), by(b)), cmp.Compare(a.ID, b.ID))
		if q.down {
			return -c
		}
		return c
	})
	var ids []string
	for _, r := range want {
		ids = append(ids, fmt.Sprint(r.ID))
	}
	list := o.send("/raids?itemsPerPage=100&" + q.text).HasStatus(http.StatusOK)
	if got := spec.NumbersIn(list.Body); got != strings.Join(ids, " ") || list.Header.Get("X-Total-Count") != fmt.Sprint(len(want)) {
		o.fail("/raids?"+q.text, list.Header.Get("X-Total-Count")+": "+got, strings.Join(ids, " "))
	}
	var walked []string
	for next := "/walk?itemsPerPage=5&" + q.text; next != ""; {
		page := o.send(next).HasStatus(http.StatusOK)
		if found := spec.NumbersIn(page.Body); found != "" {
			walked = append(walked, found)
		}
		next = strings.TrimPrefix(page.Link("next"), "/api")
	}
	if got := strings.Join(walked, " "); got != strings.Join(ids, " ") {
		o.fail("/walk?"+q.text, got, strings.Join(ids, " "))
	}
}
