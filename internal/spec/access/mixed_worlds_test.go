package access_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
)

// mixedWorld is a realm with a trash, under random rules of quests, of their notes and guilds, and of guilds.
type mixedWorld struct {
	*realm

	read, note, guild view[quest]
	guilds            view[guild]
	openGuilds        bool // the field guild has no rule
}

// mixed makes a world.
func (r inventor) mixed() *mixedWorld {
	w := &mixedWorld{
		realm: r.realm(), read: r.ofQuest(3), note: r.ofQuest(2), guild: r.ofQuest(1), guilds: r.ofGuild(2), openGuilds: r.IntN(2) == 0,
	}
	if w.openGuilds {
		w.guild = of(access.Public, everybody, func(*asker, *realm, *quest) bool { return true })
	}
	w.trash = map[any]bool{}
	for _, g := range w.realm.guilds {
		w.trash[g] = r.IntN(5) == 0
	}
	for _, q := range w.quests {
		w.trash[q] = r.IntN(5) == 0
	}
	return w
}

// serve serves the world from some stores.
func (w *mixedWorld) serve(t *testing.T, stores questStores) spec.Client {
	t.Helper()
	captain := access.If("captain", func(s *seeker) bool { return s.Rank > 1 })
	ofQuests, ofGuilds := access.Rules{Read: w.read.rule, Deleted: captain, Fields: map[string]access.Field{"note": {Read: w.note.rule}}}, access.Only(w.guilds.rule)
	if ofGuilds.Deleted = captain; !w.openGuilds {
		ofQuests.Fields["guild"] = access.Field{Read: w.guild.rule}
	}
	api, err := resource.New(resource.Config{Authentication: askerSchemes(), References: resource.Identifiers, Logger: slog.New(slog.DiscardHandler)},
		resource.Of[guild]{Store: stores.guilds, ShortName: "Guild", Access: ofGuilds, Operations: []operation.Operation{operation.Get{}}},
		resource.Of[chair]{Store: stores.chairs, ShortName: "Chair", Access: access.Only(access.Public), Operations: []operation.Operation{operation.Get{}}},
		resource.Of[quest]{Store: stores.quests, ShortName: "Quest", Access: ofQuests, Operations: []operation.Operation{
			operation.Get{},
			operation.GetCollection{},
			operation.Aggregate{},
			operation.GetCollection{Name: "walk", URITemplate: "/walk", Pagination: operation.Pagination{ViaCursor: new(true)}},
		}})
	if err != nil {
		t.Fatal(err)
	}
	w.fill(t, stores)
	for _, err := range []error{deleteAll(t, stores.quests, w.quests, w.trash), deleteAll(t, stores.guilds, w.realm.guilds, w.trash)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return spec.Client{T: t, Handler: api}
}

// deleteAll moves the records that are in the trash there.
func deleteAll[T any](t *testing.T, from store.Store[T], records []*T, trash map[any]bool) error {
	t.Helper()
	return from.Transact(t.Context(), func(ctx context.Context, tx store.Tx[T]) error {
		for i, record := range records {
			if !trash[record] {
				continue
			}
			if err := tx.Delete(ctx, int64(i+1)); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestMixedWorlds asks random things about random records under random rules: trees of conditions, through references and
// not, orders, groups, expansions and the trash, of all sorts of stores. An oracle evaluates everything one by one. The
// environment variable TROVE_TEST_WORLDS is how many worlds there are.
func TestMixedWorlds(t *testing.T) {
	t.Parallel()
	stores := map[string]func() questStores{"memory": func() questStores {
		return questStores{memory.New[guild](), memory.New[chair](), memory.New[quest]()}
	}}
	for name, open := range spec.Databases(t) {
		db := open(t)
		guilds, chairs, quests := sqlstore.Table[guild](db), sqlstore.Table[chair](db), sqlstore.Table[quest](db)
		if err := db.Create(t.Context(), guilds, chairs, quests); err != nil {
			t.Fatal(err)
		}
		stores[name] = func() questStores {
			for _, table := range []string{"chairs", "quests", "guilds"} {
				if _, err := db.Exec(t.Context(), "DELETE FROM "+table); err != nil {
					t.Fatal(err)
				}
			}
			return questStores{guilds, chairs, quests}
		}
	}
	for name, empty := range stores {
		t.Run(name, func(t *testing.T) {
			asked := 0
			for seed := range seeds() {
				t.Run(fmt.Sprint(seed), func(t *testing.T) {
					r := inventor{rand.New(rand.NewPCG(seed, 5))}
					w := r.mixed()
					m := mixedOracle{mixedWorld: w, Client: w.serve(t, empty())}
					for _, m.who = range askers() {
						m.askItem(r.IntN(len(w.quests)))
						for range 3 {
							m.askList(r, r.question())
						}
						m.askGroups(r, r.question())
					}
					asked += m.asked
				})
			}
			t.Logf("%d questions about %d worlds", asked, seeds())
		})
	}
}

// question is what a request of a list queries.
type question struct {
	deleted string         // of the trash
	tree    map[string]any // nil for none
	words   string         // one of searches; "" for none
}

// has reports whether a record has a word or, reversed, whether it is known to lack it.
type has func(word string, reversed bool) bool

// searches are searches for words, with what they find.
var searches = map[string]func(has has) bool{
	"a":            func(has has) bool { return has("a", false) },
	"NEW":          func(has has) bool { return has("new", false) },
	"-b":           func(has has) bool { return has("b", true) },
	"done -a":      func(has has) bool { return has("done", false) && has("a", true) },
	"a new":        func(has has) bool { return has("a", false) && has("new", false) },
	"b OR new":     func(has has) bool { return has("b", false) || has("new", false) },
	`"new a" OR e`: func(has) bool { return false },
}

func (r inventor) question() (q question) {
	q.deleted = []string{"", "", "", "only", "with"}[r.IntN(5)]
	if r.IntN(4) > 0 {
		q.tree = randomTree(r.Rand, 2, r.leaf)
	}
	if r.IntN(6) == 0 {
		q.words = slices.Sorted(maps.Keys(searches))[r.IntN(len(searches))]
	}
	return q
}

// leaf invents a condition on a field.
func (r inventor) leaf(*rand.Rand) (name string, value any) {
	texts := func(a, b string) any {
		return []any{a, []any{a, b}, map[string]any{"ne": b}, map[string]any{"ne": []any{a, "c"}}, []any{}, map[string]any{"exact": b}}[r.IntN(6)]
	}
	key := func() int { return 1 + r.IntN(6) }
	switch r.IntN(10) {
	case 0:
		return "owner", randomNumbers(r.Rand, false)
	case 1:
		return "state", texts("new", "done")
	case 2:
		return "note", texts("a", "b")
	case 3:
		return "note", map[string]any{"exists": r.IntN(2) == 0}
	case 4:
		return "guild", []any{key(), []any{key(), key()}, map[string]any{"ne": key()}, map[string]any{"exists": r.IntN(2) == 0}}[r.IntN(4)]
	case 5:
		return "helpers", []any{key(), []any{key(), key()}}[r.IntN(2)]
	case 6:
		return "guild.name", texts("a", "b")
	case 7:
		return "guild.boss", randomNumbers(r.Rand, false)
	case 8:
		return []string{"guild.open", "helpers.open"}[r.IntN(2)], r.IntN(2) == 0
	}
	return "helpers.name", []any{"a", []any{"b", "c"}, []any{}}[r.IntN(3)]
}

// parameters returns a question as a query.
func (m *mixedOracle) parameters(asked question) url.Values {
	query := url.Values{}
	if asked.deleted != "" {
		query.Set("deleted", asked.deleted)
	}
	if asked.words != "" {
		query.Set("q", asked.words)
	}
	if asked.tree != nil {
		query.Set("filter", string(m.encode(asked.tree)))
	}
	return query
}

func (m *mixedOracle) encode(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		m.T.Fatal(err)
	}
	return text
}

// isDenied reports whether a response may be, and is, that the asker sees nothing.
func (m *mixedOracle) isDenied(got spec.Response, asked question, isEmpty bool) bool {
	isTrash := asked.deleted != "" && (m.who.seeker == nil || m.who.seeker.Rank < 2)
	return (isEmpty || isTrash) && (got.Status == http.StatusForbidden || got.Status == http.StatusUnauthorized && m.who.name == "nobody")
}

func (m *mixedOracle) askItem(i int) {
	q := m.quests[i]
	for _, deleted := range []string{"", "only", "with"} {
		request := fmt.Sprintf("GET /api/quests/%d", q.ID)
		if deleted != "" {
			request += "?deleted=" + deleted
		}
		got, sees := m.send(request, ""), slices.Contains(m.found(question{deleted: deleted}), q)
		switch {
		case m.isDenied(got, question{deleted: deleted}, !sees), !sees && got.Status == http.StatusNotFound:
		case !sees || got.Body != m.text(q, false):
			m.fails(request, got, m.text(q, false))
		}
	}
}

// compare compares what the asker sees of two values: null comes first.
func compareShown(a, b any) int {
	switch a := a.(type) {
	case int:
		if b, ok := b.(int); ok {
			return cmp.Compare(a, b)
		}
	case string:
		if b, ok := b.(string); ok {
			return cmp.Compare(a, b)
		}
	case bool:
		if b, ok := b.(bool); ok {
			return compareShown(map[bool]int{true: 1}[a], map[bool]int{true: 1}[b])
		}
	case nil:
		if b == nil {
			return 0
		}
		return -1
	}
	return 1
}

// value is what the asker sees of a field, where hidden values are null.
func (m *mixedOracle) value(q *quest, name string) any {
	value, isVisible := m.shown(q, name)
	if !isVisible {
		return nil
	}
	return value
}

func (m *mixedOracle) askList(r inventor, asked question) {
	query, found := m.parameters(asked), m.found(asked)
	var sort []string
	for _, i := range r.Perm(3)[:r.IntN(3)] {
		sort = append(sort, []string{"", "-"}[r.IntN(2)]+[]string{"state", "note", "guild.name"}[i])
	}
	if sort != nil {
		query.Set("sort", strings.Join(sort, ","))
	}
	expanded := m.openGuilds && r.IntN(3) == 0
	if expanded {
		query.Set("expand", "guild")
	}
	slices.SortFunc(found, func(a, b *quest) int {
		sign := 1
		for _, key := range sort {
			name, isDescending := strings.CutPrefix(key, "-")
			if sign = 1; isDescending {
				sign = -1
			}
			if compared := sign * compareShown(m.value(a, name), m.value(b, name)); compared != 0 {
				return compared
			}
		}
		return sign * cmp.Compare(a.ID, b.ID)
	})
	texts := []string{}
	for _, q := range found {
		texts = append(texts, m.text(q, expanded))
	}
	want := "[" + strings.Join(texts, ",") + "]"
	request, body := "GET /api/quests?"+query.Encode(), ""
	if asked.tree != nil && r.IntN(3) == 0 { // the same as a body
		object := map[string]any{}
		for name := range query {
			object[name] = query.Get(name)
		}
		object["filter"] = asked.tree
		if delete(object, "sort"); sort != nil {
			object["sort"] = sort
		}
		if expanded {
			object["expand"] = []string{"guild"}
		}
		request, body = "QUERY /api/quests", string(m.encode(object))
	}
	got := m.send(request, body)
	if m.isDenied(got, asked, len(found) == 0) {
		return
	}
	if got.Body != want || got.Header.Get("X-Total-Count") != fmt.Sprint(len(found)) {
		m.fails(request+" "+body, got, want)
	}
	var walked []string
	query.Set("itemsPerPage", "3")
	for next := "/api/walk?" + query.Encode(); next != ""; {
		page := m.send("GET "+next, "")
		if page.Status != http.StatusOK {
			m.fails("GET "+next, page, want)
		}
		if inner := strings.Trim(page.Body, "[]"); inner != "" {
			walked = append(walked, page.Body[1:len(page.Body)-1])
		}
		next = page.Link("next")
	}
	if got := "[" + strings.Join(walked, ",") + "]"; got != want {
		m.fails("GET /api/walk?"+query.Encode(), spec.Response{Body: got}, want)
	}
}
