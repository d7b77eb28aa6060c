package access_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// chest is a record of which callers see some, and its pin and gems only as owners.
type chest struct {
	ID     int64   `json:"id"`
	Owner  int64   `json:"owner" api:"filter"`
	Tenant string  `json:"tenant" api:"filter"`
	Open   bool    `json:"open" api:"filter"`
	Name   string  `json:"name" api:"filter=partial|range"`
	Weight *int    `json:"weight" api:"filter=exact|range|exists,sort"`
	Pin    *int    `json:"pin" api:"filter=exact|range|exists,sort"`
	Gem    *int64  `json:"gem" api:"ref=Gem,filter=exact|exists,through=color|carat"`
	Gems   []int64 `json:"gems" validate:"max=4" api:"ref=Gem,filter,through=color|carat"`
}

// gem is what chests refer to. Callers see some, and the carat only as owners.
type gem struct {
	ID    int64  `json:"id"`
	Owner int64  `json:"owner"`
	Open  bool   `json:"open"`
	Color string `json:"color" api:"filter"`
	Carat *int   `json:"carat" api:"filter=exact|range|exists"`
}

// warden is the principal of chests and gems. The one with the number 9 may do everything.
type warden struct {
	id     int64
	tenant string
}

// treeWorld is all records, as one caller may see them.
type treeWorld struct {
	caller warden
	chests []*chest
	gems   []*gem
}

const everything = 9

func (w *treeWorld) seesChest(c *chest) bool {
	return c.Open || c.Owner == w.caller.id || c.Tenant == w.caller.tenant
}

func (w *treeWorld) seesGem(id int64) bool {
	if id < 1 || int(id) > len(w.gems) {
		return false
	}
	g := w.gems[id-1]
	return g.Open || g.Owner == w.caller.id
}

// invented makes a world. Only what the caller may not see depends on the secrets.
func invented(caller warden, random, secrets *rand.Rand, hasMore bool) *treeWorld {
	w := &treeWorld{caller: caller}
	number := func(r *rand.Rand) *int {
		if r.IntN(3) == 0 {
			return nil
		}
		return new(r.IntN(3))
	}
	color := func(r *rand.Rand) string { return []string{"red", "blue"}[r.IntN(2)] }
	for i := range 8 {
		g := &gem{ID: int64(i + 1), Owner: random.Int64N(3) + 1, Open: random.IntN(2) == 0, Color: color(random), Carat: number(random)}
		w.gems = append(w.gems, g)
		if !w.seesGem(g.ID) {
			g.Color = color(secrets)
		}
		if g.Owner != caller.id {
			g.Carat = number(secrets)
		}
	}
	if hasMore { // in one world only
		w.gems = append(w.gems, &gem{ID: 9, Owner: 8, Color: "red"})
	}
	reference := func(r *rand.Rand) *int64 {
		if r.IntN(3) == 0 {
			return nil
		}
		return new(r.Int64N(8) + 1)
	}
	references := func(r *rand.Rand) []int64 {
		list := []int64{}
		for _, n := range r.Perm(8)[:r.IntN(3)] {
			list = append(list, int64(n+1))
		}
		return list
	}
	name := func(r *rand.Rand) string { return []string{"oak", "old oak", "iron"}[r.IntN(3)] }
	for i := range 16 {
		c := &chest{
			ID: int64(i + 1), Owner: random.Int64N(3) + 1, Tenant: []string{"a", "b"}[random.IntN(2)], Open: random.IntN(2) == 0,
			Name: name(random), Weight: number(random), Pin: number(random), Gem: reference(random), Gems: references(random),
		}
		w.chests = append(w.chests, c)
		if !w.seesChest(c) {
			c.Name, c.Weight, c.Gem = name(secrets), number(secrets), reference(secrets)
		}
		if c.Owner != caller.id {
			c.Pin, c.Gems = number(secrets), references(secrets)
		}
	}
	return w
}

// client makes an API with the records of the world.
func (w *treeWorld) client(t *testing.T, chests store.Store[chest], gems store.Store[gem]) spec.Client {
	t.Helper()
	id := func(k warden) int64 { return k.id }
	owner, open := access.Equal("owner", id), access.Where("open", true)
	god := access.If("everything", func(k warden) bool { return k.id == everything })
	own := access.Field{Read: access.Any(owner, god), Write: access.Public}
	rules := func(read access.Rule, fields ...string) access.Rules {
		made := spec.Open()
		made.Read, made.Fields = read, map[string]access.Field{}
		for _, name := range fields {
			made.Fields[name] = own
		}
		return made
	}
	key := access.APIKey("key", "X-API-Key", func(_ context.Context, key string) (warden, access.Scopes, error) {
		id, tenant, _ := strings.Cut(key, " ")
		n, err := strconv.ParseInt(id, 10, 64)
		return warden{n, tenant}, nil, err
	})
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{key}, CursorKey: []byte("the key of both worlds")},
		resource.Of[chest]{ShortName: "Chest", Store: chests, Access: rules(
			access.Any(open, owner, god, access.Equal("tenant", func(k warden) string { return k.tenant })), "pin", "gems")},
		resource.Of[gem]{ShortName: "Gem", Store: gems, Access: rules(access.Any(open, owner, god), "carat")})
	for _, g := range w.gems {
		c.Send("POST /api/gems", string(encoded(t, g)), "X-API-Key", "9 ").HasStatus(http.StatusCreated)
	}
	for _, each := range w.chests {
		body := map[string]any{}
		if err := json.Unmarshal(encoded(t, each), &body); err != nil {
			t.Fatal(err)
		}
		body["gem"] = nil
		if each.Gem != nil {
			body["gem"] = gemPath(*each.Gem)
		}
		paths := []string{}
		for _, id := range each.Gems {
			paths = append(paths, gemPath(id))
		}
		body["gems"] = paths
		c.Send("POST /api/chests", string(encoded(t, body)), "X-API-Key", "9 ").HasStatus(http.StatusCreated)
	}
	return c
}

func gemPath(id int64) string { return "/api/gems/" + strconv.FormatInt(id, 10) }

func encoded(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// randomTree invents a tree of conditions.
func randomTree(random *rand.Rand, depth int, leaf func(*rand.Rand) (name string, value any)) map[string]any {
	node := map[string]any{}
	for range 1 + random.IntN(2) {
		kind := random.IntN(7)
		switch {
		case depth > 0 && kind < 2:
			var nodes []any
			for range random.IntN(4) {
				nodes = append(nodes, randomTree(random, depth-1, leaf))
			}
			if nodes == nil {
				nodes = []any{}
			}
			node[[]string{"any", "all"}[kind]] = nodes
		case depth > 0 && kind < 4:
			node["not"] = randomTree(random, depth-1, leaf)
		default:
			name, value := leaf(random)
			node[name] = value
		}
	}
	return node
}

// randomNumbers invents what is compared with a number.
func randomNumbers(random *rand.Rand, nullable bool) any {
	n, other := random.IntN(3), random.IntN(3)
	return []any{
		n,
		[]any{n, other},
		[]any{},
		map[string]any{"exact": n},
		map[string]any{"ne": n},
		map[string]any{"ne": []any{n, other}},
		map[string]any{"gt": n},
		map[string]any{"gte": n, "lt": other},
		map[string]any{"lte": n},
		map[string]any{"between": []any{n, other}},
		map[string]any{"ne": []any{}},
		map[string]any{"exists": n > 0},
	}[random.IntN(map[bool]int{false: 11, true: 12}[nullable])]
}

// randomLeaf invents a condition on a field.
func randomLeaf(random *rand.Rand) (name string, value any) {
	numbers := func() any { return randomNumbers(random, true) }
	colors := func() any {
		color := []string{"red", "blue"}[random.IntN(2)]
		return []any{color, []any{color, "green"}, map[string]any{"ne": color}, []any{}}[random.IntN(4)]
	}
	key := func() string { return gemPath(random.Int64N(11) + 1) }
	switch random.IntN(9) {
	case 0:
		return "pin", numbers()
	case 1:
		return "weight", numbers()
	case 2:
		return "name", []any{"oak", []any{"old", "iron"}, map[string]any{"partial": "o"}, map[string]any{"gt": "iron"}}[random.IntN(4)]
	case 3:
		return "gem", []any{key(), []any{key(), key()}, map[string]any{"ne": key()}, map[string]any{"exists": false}, map[string]any{"ne": []any{key(), key()}}}[random.IntN(5)]
	case 4:
		return "gems", []any{key(), []any{key(), key()}}[random.IntN(2)]
	case 5:
		return "gem.color", colors()
	case 6:
		return "gem.carat", numbers()
	case 7:
		return "gems.carat", numbers()
	}
	return "gems.color", colors()
}

// holds reports whether a tree, or its opposite, holds for what the caller sees of a chest. It is written without regard to
// how trees are read.
func (w *treeWorld) holds(node map[string]any, c *chest, reversed bool) bool {
	return treeHolds(node, reversed, func(name, operator string, operand any, reversed bool) bool {
		return w.compares(name, operator, operand, c, reversed)
	})
}

// treeHolds reports whether a tree, or its opposite, holds by what a function says of each condition, or its opposite.
func treeHolds(node map[string]any, reversed bool, compares func(name, operator string, operand any, reversed bool) bool) bool {
	var parts []bool
	for name, value := range node {
		switch name {
		case "any", "all":
			var inner []bool
			for _, each := range value.([]any) {
				inner = append(inner, treeHolds(each.(map[string]any), reversed, compares))
			}
			parts = append(parts, combined(inner, (name == "any") != reversed))
		case "not":
			parts = append(parts, treeHolds(value.(map[string]any), !reversed, compares))
		default:
			operators, isObject := value.(map[string]any)
			if !isObject {
				operators = map[string]any{"": value}
			}
			var inner []bool
			for operator, operand := range operators {
				inner = append(inner, compares(name, operator, operand, reversed))
			}
			parts = append(parts, combined(inner, reversed))
		}
	}
	return combined(parts, reversed)
}

func combined(parts []bool, isAny bool) bool {
	if isAny {
		return slices.Contains(parts, true)
	}
	return !slices.Contains(parts, false)
}

// compares reports whether a condition, or its opposite, holds.
func (w *treeWorld) compares(name, operator string, operand any, c *chest, reversed bool) bool {
	isOwn := c.Owner == w.caller.id
	visible := func(gems []int64) (seen []*gem) {
		for _, id := range gems {
			if w.seesGem(id) {
				seen = append(seen, w.gems[id-1])
			}
		}
		return seen
	}
	ofGem := func(g *gem) (value any, isVisible bool) {
		if strings.HasSuffix(name, ".color") {
			return g.Color, true
		}
		return plain(g.Carat), g.Owner == w.caller.id
	}
	switch name {
	case "pin":
		return isOwn && matches(plain(c.Pin), operator, operand) != reversed
	case "weight":
		return matches(plain(c.Weight), operator, operand) != reversed
	case "name":
		return matchesName(c.Name, operator, operand) != reversed
	case "gem":
		var path any
		if c.Gem != nil {
			path = gemPath(*c.Gem)
		}
		return matches(path, operator, w.onlySeen(operator, operand)) != reversed
	case "gems":
		found := false
		for _, id := range c.Gems {
			found = found || matches(gemPath(id), operator, w.onlySeen(operator, operand))
		}
		return isOwn && found != reversed
	case "gem.color", "gem.carat":
		if c.Gem == nil {
			return reversed
		}
		for _, g := range visible([]int64{*c.Gem}) {
			value, isVisible := ofGem(g)
			return isVisible && matches(value, operator, operand) != reversed
		}
		return false
	}
	found := false
	for _, g := range visible(c.Gems) {
		value, isVisible := ofGem(g)
		found = found || isVisible && matches(value, operator, operand)
	}
	return isOwn && found != reversed
}

// onlySeen returns a list of the paths of gems that the caller sees. Paths of others match nothing.
func (w *treeWorld) onlySeen(operator string, operand any) any {
	if operator == "exists" {
		return operand
	}
	list, isList := operand.([]any)
	if !isList {
		list = []any{operand}
	}
	return slices.DeleteFunc(slices.Clone(list), func(path any) bool {
		id, err := strconv.ParseInt(strings.TrimPrefix(path.(string), "/api/gems/"), 10, 64)
		return err != nil || !w.seesGem(id)
	})
}

func plain(n *int) any {
	if n == nil {
		return nil
	}
	return *n
}

// matches reports whether a value, nil for null, matches.
func matches(value any, operator string, operand any) bool {
	list, isList := operand.([]any)
	if !isList {
		list = []any{operand}
	}
	number, isNumber := value.(int)
	switch operator {
	case "", "exact":
		return value != nil && slices.Contains(list, value)
	case "ne":
		return value == nil || !slices.Contains(list, value)
	case "exists":
		return (value != nil) == operand.(bool)
	case "gt":
		return isNumber && number > list[0].(int)
	case "gte":
		return isNumber && number >= list[0].(int)
	case "lt":
		return isNumber && number < list[0].(int)
	case "lte":
		return isNumber && number <= list[0].(int)
	}
	return isNumber && number >= list[0].(int) && number <= list[1].(int)
}

func matchesName(name, operator string, operand any) bool {
	list, isList := operand.([]any)
	if !isList {
		list = []any{operand}
	}
	if operator == "gt" {
		return name > operand.(string)
	}
	return slices.ContainsFunc(list, func(part any) bool { return strings.Contains(name, part.(string)) })
}

// Two worlds that differ only in what a caller may not see give them equal bytes for any tree, and an oracle finds
// the same records.
func TestTreesDiscloseNothingHidden(t *testing.T) {
	t.Parallel()
	trees := 2000
	if testing.Short() {
		trees = 300
	}
	callers := map[string]warden{"owner": {1, "a"}, "stranger": {7, "c"}, "anonymous": {}}
	stores := spec.Databases(t)
	stores["memory"] = nil
	for who, caller := range callers {
		for name, open := range stores {
			t.Run(who+" "+name, func(t *testing.T) {
				var worlds [2]*treeWorld
				var clients [2]spec.Client
				for i := range worlds {
					var chests store.Store[chest]
					var gems store.Store[gem]
					if open != nil {
						db := open(t)
						table, other := sqlstore.Table[chest](db, sqlstore.References("gem", "gems")), sqlstore.Table[gem](db, sqlstore.Named("gems"))
						if err := db.Create(t.Context(), table, other); err != nil {
							t.Fatal(err)
						}
						chests, gems = table, other
					}
					worlds[i] = invented(caller, rand.New(rand.NewPCG(1, 1)), rand.New(rand.NewPCG(2, uint64(i))), i == 0)
					clients[i] = worlds[i].client(t, chests, gems)
				}
				random := rand.New(rand.NewPCG(3, 3))
				for n := range trees / len(callers) {
					askWorlds(t, n, randomTree(random, 3, randomLeaf), worlds, clients)
				}
			})
		}
	}
}

// askWorlds sends a tree to both worlds.
func askWorlds(t *testing.T, n int, tree map[string]any, worlds [2]*treeWorld, clients [2]spec.Client) {
	t.Helper()
	text := string(encoded(t, tree))
	header := []string{}
	if caller := worlds[0].caller; caller.id != 0 {
		header = []string{"X-API-Key", fmt.Sprintf("%d %s", caller.id, caller.tenant)}
	}
	sort := []string{"id", "-weight", "pin"}[n%3]
	get := "GET /api/chests?itemsPerPage=50&sort=" + sort + "&filter=" + url.QueryEscape(text)
	if n%4 == 0 {
		get = "GET /api/chests?itemsPerPage=3&cursor=&sort=" + sort + "&filter=" + url.QueryEscape(text)
	}
	if sort == "id" {
		get = strings.Replace(get, "&sort=id", "", 1)
	}
	a, b := clients[0].Send(get, "", header...), clients[1].Send(get, "", header...)
	if a.Status != b.Status || a.Body != b.Body || fmt.Sprint(a.Header) != fmt.Sprint(b.Header) {
		t.Errorf("%s differs:\n%d %v\n%s\n%d %v\n%s", text, a.Status, a.Header, a.Body, b.Status, b.Header, b.Body)
		return
	}
	query := clients[0].Send("QUERY /api/chests", `{"itemsPerPage":50,"filter":`+text+`}`, header...)
	a.HasStatus(http.StatusOK)
	query.HasStatus(http.StatusOK)
	var want []string
	for _, c := range worlds[0].chests {
		if worlds[0].seesChest(c) && worlds[0].holds(tree, c, false) {
			want = append(want, strconv.FormatInt(c.ID, 10))
		}
	}
	var found []struct {
		ID int `json:"id"`
	}
	if err := json.Unmarshal([]byte(query.Body), &found); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, each := range found {
		got = append(got, strconv.Itoa(each.ID))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s finds %v, want %v", text, got, want)
	}
}
