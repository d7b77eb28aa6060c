package access_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
)

// maybeKey returns a key up to n, or null.
func (r inventor) maybeKey(n int) *int64 {
	if r.IntN(4) == 0 {
		return nil
	}
	return new(r.Int64N(int64(n)) + 1)
}

func (r inventor) keys(n int) (keys []int64) {
	for _, at := range r.Perm(n)[:r.IntN(3)] {
		keys = append(keys, int64(at+1))
	}
	return keys
}

func (r inventor) quest(id, guilds, quests int) *quest {
	q := &quest{
		ID: int64(id), Guild: r.maybeKey(guilds), Helpers: r.keys(guilds), Owner: r.Int64N(3) + 1, State: []string{"new", "done"}[r.IntN(2)],
		Note: []*string{nil, new("a"), new("b")}[r.IntN(3)],
	}
	if quests > 0 {
		q.Parent = r.maybeKey(quests)
	}
	return q
}

func (r inventor) realm() *realm {
	in := &realm{}
	for i := range 4 {
		in.guilds = append(in.guilds, &guild{ID: int64(i + 1), Boss: r.Int64N(3) + 1, Open: r.IntN(2) == 0, Name: []string{"a", "b"}[r.IntN(2)]})
	}
	for i := range 8 {
		in.chairs = append(in.chairs, &chair{int64(i + 1), r.maybeKey(4), r.Int64N(3) + 1, []string{"lead", "help"}[r.IntN(2)], r.keys(4)})
	}
	for i := range 10 {
		in.quests = append(in.quests, r.quest(i+1, 4, i))
	}
	return in
}

// questStores are the stores of one API.
type questStores struct {
	guilds store.Store[guild]
	chairs store.Store[chair]
	quests store.Store[quest]
}

// eachRealm opens stores of all sorts for a few seeds, and those in memory for all others.
func eachRealm(t *testing.T, seed uint64, run func(name string, stores questStores)) {
	t.Helper()
	run("memory", questStores{memory.New[guild](), memory.New[chair](), memory.New[quest]()})
	if !onDatabases(seed) {
		return
	}
	for name, open := range spec.Databases(t) {
		db := open(t)
		guilds, chairs, quests := sqlstore.Table[guild](db), sqlstore.Table[chair](db), sqlstore.Table[quest](db)
		if err := db.Create(t.Context(), guilds, chairs, quests); err != nil {
			t.Fatal(err)
		}
		run(name, questStores{guilds, chairs, quests})
	}
}

// fill inserts all records, with these identifiers.
func (in *realm) fill(t *testing.T, stores questStores) {
	t.Helper()
	for _, err := range []error{insertAll(t, stores.guilds, in.guilds), insertAll(t, stores.chairs, in.chairs), insertAll(t, stores.quests, in.quests)} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func insertAll[T any](t *testing.T, into store.Store[T], records []*T) error {
	t.Helper()
	return into.Transact(t.Context(), func(ctx context.Context, tx store.Tx[T]) error {
		for _, record := range records {
			if err := tx.Insert(ctx, new(*record)); err != nil {
				return err
			}
		}
		return nil
	})
}

// serve serves quests under rules; guilds and chairs are public.
func (in *realm) serve(t *testing.T, stores questStores, rules access.Rules) spec.Client {
	t.Helper()
	api, err := resource.New(resource.Config{
		Authentication: askerSchemes(), References: resource.Identifiers, Formats: format.Standard(), Logger: slog.New(slog.DiscardHandler),
	},
		resource.Of[guild]{Store: stores.guilds, ShortName: "Guild", Access: access.Only(access.Public)},
		resource.Of[chair]{Store: stores.chairs, ShortName: "Chair", Access: access.Only(access.Public)},
		resource.Of[quest]{Store: stores.quests, ShortName: "Quest", Access: rules, Operations: append(operation.Standard(),
			operation.GetCollection{Name: "walk", URITemplate: "/walk", Pagination: operation.Pagination{ViaCursor: new(true)}})},
	)
	if err != nil {
		t.Fatal(err)
	}
	in.fill(t, stores)
	return spec.Client{T: t, Handler: api}
}

// FuzzRulesAboutOtherRecordsShowWhatTheOracleSays reads quests under random rules, of quests and of a field.
func FuzzRulesAboutOtherRecordsShowWhatTheOracleSays(f *testing.F) {
	for seed := range seeds() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := inventor{rand.New(rand.NewPCG(seed, 3))}
		in, read, member := r.realm(), r.ofQuest(3), r.ofQuest(2)
		eachRealm(t, seed, func(name string, stores questStores) {
			rules := access.Only(access.Public)
			rules.Read, rules.Fields = read.rule, map[string]access.Field{"note": {Read: member.rule, Write: access.Public}}
			o := questOracle{in.serve(t, stores, rules), t, name, in, nil, read, member}
			for _, o.who = range askers() {
				o.checkItems()
				o.checkLists()
			}
		})
	})
}

// questOracle says what one asker sees of quests.
type questOracle struct {
	spec.Client

	t            *testing.T
	store        string
	in           *realm
	who          *asker
	read, member view[quest]
}

func (o *questOracle) send(request, body string) spec.Response {
	var header []string
	if o.who.name != "nobody" {
		header = append(header, "Authorization", "Bearer "+o.who.name)
	}
	return o.Send(request, body, header...)
}

func (o *questOracle) fails(request string, got spec.Response, want string) {
	o.t.Helper()
	all, err := json.Marshal(o.in.quests)
	if err != nil {
		o.t.Fatal(err)
	}
	o.t.Fatalf("%s: read %q, note %q: %s sends %s and gets %d\n\t%s\nand should get\n\t%s\nof %s", o.store, o.read.rule.Describe().Name,
		o.member.rule.Describe().Name, o.who.name, request, got.Status, got.Body, want, all)
}

// text is what the asker is shown of a quest.
func (o *questOracle) text(q *quest) string {
	shown := new(*q)
	shown.Helpers = append([]int64{}, q.Helpers...)
	text, err := json.Marshal(shown)
	if err != nil {
		o.t.Fatal(err)
	}
	if o.member.holds(o.who, o.in, q) {
		return string(text)
	}
	before, _, _ := strings.Cut(string(text), `,"note":`)
	return before + "}"
}

func (o *questOracle) checkItems() {
	for _, q := range o.in.quests {
		request := fmt.Sprintf("GET /api/quests/%d", q.ID)
		got := o.send(request, "")
		switch sees := o.read.holds(o.who, o.in, q); {
		case sees && got.Body != o.text(q):
			o.fails(request, got, o.text(q))
		case !sees && got.Status != http.StatusNotFound && (got.Status != http.StatusUnauthorized || o.who.name != "nobody"):
			o.fails(request, got, "404, or 401 for nobody")
		}
	}
}

func (o *questOracle) checkLists() {
	note := func(q *quest) string {
		if q.Note == nil || !o.member.holds(o.who, o.in, q) {
			return ""
		}
		return *q.Note
	}
	for _, list := range []struct {
		text    string
		matches func(q *quest) bool
		byNote  bool
	}{
		{"", func(*quest) bool { return true }, false},
		{"state=new", func(q *quest) bool { return q.State == "new" }, false},
		{"note=a", func(q *quest) bool { return note(q) == "a" }, false},
		{"sort=note", func(*quest) bool { return true }, true},
	} {
		var want []*quest
		for _, q := range o.in.quests {
			if o.read.holds(o.who, o.in, q) && list.matches(q) {
				want = append(want, q)
			}
		}
		if list.byNote {
			slices.SortStableFunc(want, func(a, b *quest) int { return cmp.Or(strings.Compare(note(a), note(b)), cmp.Compare(a.ID, b.ID)) })
		}
		texts := []string{}
		for _, q := range want {
			texts = append(texts, o.text(q))
		}
		request := "GET /api/quests?itemsPerPage=100&" + list.text
		got := o.send(request, "")
		if got.Status == http.StatusUnauthorized || got.Status == http.StatusForbidden {
			if len(want) > 0 {
				o.fails(request, got, strings.Join(texts, ","))
			}
			continue
		}
		if got.Body != "["+strings.Join(texts, ",")+"]" || got.Header.Get("X-Total-Count") != fmt.Sprint(len(want)) {
			o.fails(request, got, strings.Join(texts, ","))
		}
		request = "GET /api/quests.ndjson?" + list.text
		if got := o.send(request, ""); strings.TrimSpace(got.Body) != strings.Join(texts, "\n") {
			o.fails(request, got, strings.Join(texts, "\n"))
		}
		var walked []string
		for next := "/api/walk?itemsPerPage=3&" + list.text; next != ""; {
			page := o.send("GET "+next, "").HasStatus(http.StatusOK)
			if inner := strings.Trim(page.Body, "[]"); inner != "" {
				walked = append(walked, inner)
			}
			next = page.Link("next")
		}
		if strings.Join(walked, ",") != strings.Join(texts, ",") {
			o.fails("GET /api/walk?"+list.text, spec.Response{Body: strings.Join(walked, ",")}, strings.Join(texts, ","))
		}
	}
}

// FuzzRulesAboutOtherRecordsAllowWhatTheOracleSays creates, changes and deletes quests under random rules. The oracle
// evaluates the rule on the realm as it is, and as it would be.
func FuzzRulesAboutOtherRecordsAllowWhatTheOracleSays(f *testing.F) {
	for seed := range seeds() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := inventor{rand.New(rand.NewPCG(seed, 4))}
		start, create, update, remove := r.realm(), r.ofQuest(3), r.ofQuest(3), r.ofQuest(2)
		changes := make([]questChange, 25)
		for i := range changes {
			changes[i] = questChange{r.IntN(len(askers())), r.IntN(6), r.IntN(len(start.quests)), r.quest(0, len(start.guilds), len(start.quests)), r.IntN(5)}
		}
		eachRealm(t, seed, func(name string, stores questStores) {
			in := &realm{guilds: start.guilds, chairs: start.chairs, quests: slices.Clone(start.quests)}
			rules := access.Rules{Read: access.Public, Create: create.rule, Update: update.rule, Delete: remove.rule}
			o := questOracle{in.serve(t, stores, rules), t, name, in, nil, view[quest]{rule: update.rule}, view[quest]{rule: create.rule}}
			for _, change := range changes {
				o.who = askers()[change.who]
				o.checkChange(change, create, update, remove)
			}
		})
	})
}

// questChange is a request of the test.
type questChange struct {
	who, kind, index int
	to               *quest
	field            int
}

func (o *questOracle) checkChange(change questChange, create, update, remove view[quest]) {
	o.t.Helper()
	denied := func(request, body string) {
		o.t.Helper()
		if got := o.send(request, body); got.Status != http.StatusForbidden && (got.Status != http.StatusUnauthorized || o.who.name != "nobody") {
			o.fails(request+" "+body, got, "403, or 401 for nobody")
		}
	}
	before := o.in.quests[change.index]
	path := fmt.Sprintf("/api/quests/%d", before.ID)
	switch change.kind {
	case 0:
		made := new(*change.to)
		made.ID = int64(len(o.in.quests) + 1)
		o.in.stored = &realm{guilds: o.in.guilds, chairs: o.in.chairs, quests: o.in.quests}
		o.in.quests = append(slices.Clip(o.in.quests), made)
		request, body := "POST /api/quests", o.body(made)
		isAllowed := create.holds(o.who, o.in, made)
		if o.in.stored = nil; isAllowed {
			if got := o.send(request, body); got.Status != http.StatusCreated {
				o.fails(request+" "+body, got, "201")
			}
			return
		}
		o.in.quests = o.in.quests[:len(o.in.quests)-1]
		denied(request, body)
	case 1:
		if !remove.holds(o.who, o.in, before) {
			denied("DELETE "+path, "")
		}
	default:
		after := new(*before)
		var part string
		switch change.field {
		case 0:
			after.Guild, part = change.to.Guild, "guild"
		case 1:
			after.Helpers, part = change.to.Helpers, "helpers"
		case 2:
			after.Parent, part = change.to.Parent, "parent"
		case 3:
			after.State, part = change.to.State, "state"
		default:
			after.Owner, part = change.to.Owner, "owner"
		}
		var fields map[string]json.RawMessage
		if err := json.Unmarshal([]byte(o.body(after)), &fields); err != nil {
			o.t.Fatal(err)
		}
		request, body := "PATCH "+path, `{"`+part+`":`+string(fields[part])+`}`
		isAllowed := update.holds(o.who, o.in, before)
		o.in.stored = &realm{guilds: o.in.guilds, chairs: o.in.chairs, quests: slices.Clone(o.in.quests)}
		o.in.quests[change.index] = after
		isAllowed = isAllowed && update.holds(o.who, o.in, after)
		if o.in.stored = nil; isAllowed {
			if got := o.send(request, body); got.Status != http.StatusOK {
				o.fails(request+" "+body, got, "200")
			}
			return
		}
		o.in.quests[change.index] = before
		denied(request, body)
	}
}

// body is a quest as a client sends it.
func (o *questOracle) body(q *quest) string {
	sent := new(*q)
	sent.Helpers = append([]int64{}, q.Helpers...)
	text, err := json.Marshal(sent)
	if err != nil {
		o.t.Fatal(err)
	}
	return string(text)
}
