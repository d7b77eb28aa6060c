package access_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/spec"
)

// mixedOracle says what one asker sees of a world.
type mixedOracle struct {
	*mixedWorld
	spec.Client

	who   *asker
	asked int
}

func (m *mixedOracle) send(request, body string) spec.Response {
	m.asked++
	var header []string
	if m.who.name != "nobody" {
		header = append(header, "Authorization", "Bearer "+m.who.name)
	}
	got := m.Send(request, body, header...)
	got.Body = timeOfDeletion.ReplaceAllString(got.Body, `"deleted":"then"`)
	return got
}

var timeOfDeletion = regexp.MustCompile(`"deleted":"[^"]*"`)

func (m *mixedOracle) fails(request string, got spec.Response, want string) {
	m.T.Helper()
	m.T.Fatalf("read %q, note %q, guild %q, guilds %q: %s sends %s and gets %d\n\t%s\nand should get\n\t%s\n%s", m.read.rule.Describe().Name,
		m.note.rule.Describe().Name, m.guild.rule.Describe().Name, m.guilds.rule.Describe().Name, m.who.name, request, got.Status, got.Body, want, m.describe())
}

// describe returns all records, those in the trash behind a minus.
func (m *mixedOracle) describe() string {
	var lines []string
	list := func(record any) {
		text, err := json.Marshal(record)
		if err != nil {
			m.T.Fatal(err)
		}
		lines = append(lines, map[bool]string{true: "- "}[m.trash[record]]+string(text))
	}
	for _, g := range m.realm.guilds {
		list(g)
	}
	for _, c := range m.chairs {
		list(c)
	}
	for _, q := range m.quests {
		list(q)
	}
	return strings.Join(lines, "\n")
}

// seesGuild returns the guild with a key, if the asker sees it.
func (m *mixedOracle) seesGuild(key *int64) *guild {
	for _, g := range oneOf(m.realm.guilds, key) {
		if !m.trash[g] && m.guilds.holds(m.who, m.realm, g) {
			return g
		}
	}
	return nil
}

// shown returns what the asker sees of a field, nil for null. A hidden field is not visible.
func (m *mixedOracle) shown(q *quest, name string) (value any, isVisible bool) {
	switch name {
	case "id":
		return int(q.ID), true
	case "owner":
		return int(q.Owner), true
	case "state":
		return q.State, true
	case "note":
		if q.Note == nil {
			return nil, m.note.holds(m.who, m.realm, q)
		}
		return *q.Note, m.note.holds(m.who, m.realm, q)
	case "guild":
		if q.Guild == nil {
			return nil, m.guild.holds(m.who, m.realm, q)
		}
		return int(*q.Guild), m.guild.holds(m.who, m.realm, q)
	}
	if _, isVisible := m.shown(q, "guild"); !isVisible {
		return nil, false
	}
	g := m.seesGuild(q.Guild)
	if g == nil {
		return nil, q.Guild == nil
	}
	return ofGuild(g, name), true
}

// ofGuild returns a field of a guild by a path that ends with its name.
func ofGuild(g *guild, path string) any {
	_, name, _ := strings.Cut(path, ".")
	switch name {
	case "name":
		return g.Name
	case "open":
		return g.Open
	}
	return int(g.Boss)
}

// text is what the asker is shown of a quest.
func (m *mixedOracle) text(q *quest, expanded bool) string {
	raw := func(value any) string {
		text, err := json.Marshal(value)
		if err != nil {
			m.T.Fatal(err)
		}
		return string(text)
	}
	deleted := func(record any) string { return map[bool]string{true: `"then"`, false: "null"}[m.trash[record]] }
	text := fmt.Sprintf(`{"id":%d`, q.ID)
	if guild, isVisible := m.shown(q, "guild"); isVisible {
		text += `,"guild":` + raw(guild)
	}
	text += fmt.Sprintf(`,"helpers":%s,"parent":%s,"owner":%d,"state":%q,"deleted":%s`, raw(append([]int64{}, q.Helpers...)), raw(q.Parent), q.Owner, q.State, deleted(q))
	if note, isVisible := m.shown(q, "note"); isVisible {
		text += `,"note":` + raw(note)
	}
	if expanded {
		text += `,"_embedded":{"guild":`
		if g := m.seesGuild(q.Guild); g != nil {
			text += fmt.Sprintf(`{"id":%d,"boss":%d,"open":%t,"name":%q,"deleted":%s}}`, g.ID, g.Boss, g.Open, g.Name, deleted(g))
		} else {
			text += "null}"
		}
	}
	return text + "}"
}

// compares reports whether a condition, or its opposite, holds.
func (m *mixedOracle) compares(q *quest, name, operator string, operand any, reversed bool) bool {
	if name == "guild" || name == "helpers" {
		operand = m.onlySeen(operator, operand)
	}
	if top, _, _ := strings.Cut(name, "."); top == "helpers" {
		found := slices.ContainsFunc(q.Helpers, func(key int64) bool {
			if name == "helpers" {
				return matches(int(key), operator, operand)
			}
			g := m.seesGuild(&key)
			return g != nil && matches(ofGuild(g, name), operator, operand)
		})
		return found != reversed
	}
	value, isVisible := m.shown(q, name)
	if strings.HasPrefix(name, "guild.") && value == nil {
		return isVisible && reversed
	}
	return isVisible && matches(value, operator, operand) != reversed
}

// onlySeen returns a list of those keys that the asker sees. Others match nothing.
func (m *mixedOracle) onlySeen(operator string, operand any) any {
	if operator == "exists" {
		return operand
	}
	list, isList := operand.([]any)
	if !isList {
		list = []any{operand}
	}
	return slices.DeleteFunc(slices.Clone(list), func(key any) bool {
		id := int64(key.(int))
		return int(id) > len(m.realm.guilds) || m.seesGuild(&id) == nil
	})
}

// found returns the quests that a question finds, by their identifiers.
func (m *mixedOracle) found(asked question) (found []*quest) {
	for _, q := range m.quests {
		isAsked := m.trash[q] == (asked.deleted == "only") || asked.deleted == "with"
		if isAsked && asked.tree != nil {
			isAsked = treeHolds(asked.tree, false, func(name, operator string, operand any, reversed bool) bool {
				return m.compares(q, name, operator, operand, reversed)
			})
		}
		if note, isVisible := m.shown(q, "note"); isAsked && asked.words != "" {
			isAsked = searches[asked.words](func(word string, reversed bool) bool {
				if reversed { // nothing is known of a hidden note
					return q.State != word && isVisible && note != word
				}
				return q.State == word || isVisible && note == word
			})
		}
		if isAsked && m.read.holds(m.who, m.realm, q) {
			found = append(found, q)
		}
	}
	return found
}

// questGroup is a group of the oracle.
type questGroup struct {
	keys   []any
	quests []*quest
}

func (m *mixedOracle) askGroups(r inventor, asked question) {
	asked.deleted = ""
	query, found := m.parameters(asked), m.found(asked)
	names, fields := []string{"state", "note", "guild", "guild.name", "guild.open", "owner"}, []string{"owner", "guild.boss"}
	var by []string
	for _, i := range r.Perm(len(names))[:r.IntN(3)] {
		by = append(by, names[i])
	}
	var groups []*questGroup
	if by == nil {
		groups = []*questGroup{{}}
	} else {
		query.Set("group", strings.Join(by, ","))
	}
	for _, q := range found {
		keys := make([]any, len(by))
		for i, name := range by {
			keys[i] = m.value(q, name)
		}
		i := slices.IndexFunc(groups, func(g *questGroup) bool { return slices.Equal(g.keys, keys) })
		if i < 0 {
			i, groups = len(groups), append(groups, &questGroup{keys: keys})
		}
		groups[i].quests = append(groups[i].quests, q)
	}
	functions := [][2]string{}
	for _, function := range []string{"sum", "avg", "min", "max"} {
		if r.IntN(3) == 0 {
			field := fields[r.IntN(2)]
			query.Set(function, field)
			functions = append(functions, [2]string{function, field})
		}
	}
	order := []string{"", "count", "-count", "sum.owner", "-max.guild.boss"}[r.IntN(5)]
	if order != "" {
		query.Set("sort", order)
	}
	key, isDescending := strings.CutPrefix(order, "-")
	slices.SortFunc(groups, func(a, b *questGroup) int {
		compared := 0
		if function, field, isFunction := strings.Cut(key, "."); isFunction {
			compared = m.compute(a, function, field).compare(m.compute(b, function, field))
		} else if key == "count" {
			compared = cmp.Compare(len(a.quests), len(b.quests))
		}
		if isDescending {
			compared = -compared
		}
		for i := 0; i < len(by) && compared == 0; i++ {
			compared = compareShown(a.keys[i], b.keys[i])
		}
		return compared
	})
	var rows []string
	for _, g := range groups {
		row := map[string]any{"count": len(g.quests)}
		keys := map[string]any{}
		for i, name := range by {
			keys[name] = g.keys[i]
		}
		row["group"] = keys
		for _, f := range functions {
			row[f[0]] = map[string]any{f[1]: m.compute(g, f[0], f[1]).shown()}
		}
		rows = append(rows, string(m.encode(row)))
	}
	request := "GET /api/quests/aggregate?" + query.Encode()
	got := m.send(request, "")
	if m.isDenied(got, asked, len(found) == 0) {
		return
	}
	if want := "[" + strings.Join(rows, ",") + "]"; got.Status != http.StatusOK || spec.Canonical(m.T, got.Body) != spec.Canonical(m.T, want) {
		m.fails(request, got, want)
	}
}

// computed is a sum, an average, the least or the greatest value; nil for null.
type computed struct{ *big.Rat }

func (c computed) compare(other computed) int {
	switch {
	case c.Rat == nil && other.Rat == nil:
		return 0
	case c.Rat == nil:
		return -1
	case other.Rat == nil:
		return 1
	}
	return c.Cmp(other.Rat)
}

func (c computed) shown() any {
	if c.Rat == nil {
		return nil
	}
	number, _ := c.Float64()
	return number
}

func (m *mixedOracle) compute(g *questGroup, function, field string) (result computed) {
	n := int64(0)
	for _, q := range g.quests {
		value, isNumber := m.value(q, field).(int)
		if !isNumber {
			continue
		}
		n++
		number := computed{big.NewRat(int64(value), 1)}
		switch compared := number.compare(result); {
		case result.Rat == nil, function == "min" && compared < 0, function == "max" && compared > 0:
			result = number
		case function == "sum", function == "avg":
			result.Add(result.Rat, number.Rat)
		}
	}
	if function == "avg" && n > 0 {
		result.Quo(result.Rat, big.NewRat(n, 1))
	}
	return result
}
