package access_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/trove-api/trove/access"
)

// Random rules show quests by their guilds, by who has a seat in these, and by other quests.
type (
	guild struct {
		ID      int64      `json:"id"`
		Boss    int64      `json:"boss" api:"filter=exact|range,group,aggregate"`
		Open    bool       `json:"open" api:"filter,group"`
		Name    string     `json:"name" api:"filter,sort,group"`
		Deleted *time.Time `json:"deleted" api:"deleted"`
	}
	chair struct {
		ID    int64   `json:"id"`
		Guild *int64  `json:"guild" api:"ref=Guild,ondelete=null"`
		User  int64   `json:"user"`
		Role  string  `json:"role"`
		Halls []int64 `json:"halls" validate:"max=3" api:"ref=Guild,ondelete=null"`
	}
	quest struct {
		ID      int64      `json:"id"`
		Guild   *int64     `json:"guild" api:"ref=Guild,ondelete=null,filter=exact|exists,expand,group,through=name|open|boss"`
		Helpers []int64    `json:"helpers" validate:"max=3" api:"ref=Guild,ondelete=null,filter,expand,through=name|open|boss"`
		Parent  *int64     `json:"parent" api:"ref=Quest,ondelete=null,expand"`
		Owner   int64      `json:"owner" api:"filter=exact|range,group,aggregate"`
		State   string     `json:"state" api:"filter,sort,search=fulltext,group"`
		Deleted *time.Time `json:"deleted" api:"deleted"`
		Note    *string    `json:"note" api:"filter=exact|exists,sort,search=fulltext,group"`
	}
)

// realm is all records of a test, by their identifiers from 1.
type realm struct {
	guilds []*guild
	chairs []*chair
	quests []*quest
	trash  map[any]bool // the deleted ones
	stored *realm       // without the change that a rule is about; nil if there is none
}

// view is a rule about records of T, with what the oracle says of it.
type view[T any] struct {
	rule  access.Rule
	asks  func(a *asker) bool // the opposite of the rule holds for no one else
	holds func(a *asker, in *realm, record *T) bool
}

// of makes a rule that holds for those whom it asks.
func of[T any](rule access.Rule, asks func(a *asker) bool, holds func(a *asker, in *realm, record *T) bool) view[T] {
	return view[T]{rule, asks, func(a *asker, in *realm, record *T) bool { return asks(a) && holds(a, in, record) }}
}

// inventor makes random rules, of at most three references.
type inventor struct{ *rand.Rand }

func everybody(*asker) bool    { return true }
func seekers(a *asker) bool    { return a.seeker != nil }
func robotsOnly(a *asker) bool { return a.robot != nil }

func both(a, b func(*asker) bool) func(*asker) bool {
	return func(who *asker) bool { return a(who) && b(who) }
}

// composed makes a rule of others, or one of the leaves.
func composed[T any](r inventor, depth int, leaf func() view[T]) view[T] {
	if depth == 0 || r.IntN(3) == 0 {
		part := leaf()
		return unaided(part.rule, part)
	}
	if r.IntN(4) == 0 {
		part := leaf()
		return unaided(part.rule, view[T]{access.Not(part.rule), part.asks, func(a *asker, in *realm, record *T) bool {
			return part.asks(a) && !part.holds(a, in, record)
		}})
	}
	a, b := composed(r, depth-1, leaf), composed(r, depth-1, leaf)
	made := view[T]{rule: access.All(a.rule, b.rule), asks: both(a.asks, b.asks)}
	isAny := r.IntN(2) == 0
	if isAny {
		made.rule = access.Any(a.rule, b.rule)
	}
	made.holds = func(who *asker, in *realm, record *T) bool {
		first, second := a.holds(who, in, record), b.holds(who, in, record)
		return isAny && (first || second) || first && second
	}
	return made
}

// unaided makes a part of a rule that looks at other records, and depends on the caller, hold for a change only if it also holds
// without it: no one permits a change by the change itself.
func unaided[T any](part access.Rule, v view[T]) view[T] {
	d := part.Describe()
	if d.Kind != "through" && !strings.Contains(d.Field, ".") || !isPersonal(part) {
		return v
	}
	return view[T]{v.rule, v.asks, func(a *asker, in *realm, record *T) bool {
		if in.stored == nil {
			return v.holds(a, in, record)
		}
		changed := *in
		changed.stored = nil
		return v.holds(a, &changed, record) && v.holds(a, in.stored, record)
	}}
}

// isPersonal reports whether a rule depends on the caller.
func isPersonal(rule access.Rule) bool {
	d := rule.Describe()
	return slices.ContainsFunc(d.Parts, isPersonal) || d.Parts == nil && d.Kind != "public" && d.Kind != "where"
}

// ofPrincipal makes rules without a record.
func ofPrincipal[T any](r inventor) view[T] {
	return []view[T]{
		of(access.Public, everybody, func(*asker, *realm, *T) bool { return true }),
		of(access.Scope("dig"), everybody, func(a *asker, _ *realm, _ *T) bool { return slices.Contains(a.scopes, "dig") }),
		of(access.If("captain", func(s *seeker) bool { return s.Rank > 1 }), seekers, func(a *asker, _ *realm, _ *T) bool { return a.seeker.Rank > 1 }),
		of(access.If("odd", func(m *robot) bool { return m.Serial%2 == 1 }), robotsOnly, func(a *asker, _ *realm, _ *T) bool { return a.robot.Serial%2 == 1 }),
	}[r.IntN(4)]
}

// compare makes a rule that compares the caller with a number, or a text with another.
func compare[T any](r inventor, number string, numberOf func(*T) int64, text string, textOf func(*T) string, texts ...string) view[T] {
	switch wanted := texts[r.IntN(len(texts))]; r.IntN(4) {
	case 0:
		return of(access.Equal(number, func(m *robot) int64 { return m.Serial }), robotsOnly, func(a *asker, _ *realm, x *T) bool { return a.robot.Serial == numberOf(x) })
	case 1:
		return of(access.Where(text, wanted), everybody, func(_ *asker, _ *realm, x *T) bool { return textOf(x) == wanted })
	}
	return of(access.Equal(number, func(s *seeker) int64 { return s.ID }), seekers, func(a *asker, _ *realm, x *T) bool { return a.seeker.ID == numberOf(x) })
}

// behind makes a rule about records that another one leads to.
func behind[T, O any](made access.Rule, part view[O], others func(in *realm, record *T) []*O) view[T] {
	return view[T]{made, part.asks, func(a *asker, in *realm, record *T) bool {
		return slices.ContainsFunc(others(in, record), func(other *O) bool { return !in.trash[other] && part.holds(a, in, other) })
	}}
}

// oneOf returns the record with a key in a list of all, nothing for null.
func oneOf[O any](all []*O, key *int64) []*O {
	if key == nil {
		return nil
	}
	return all[*key-1 : *key]
}

func someOf[O any](all []*O, keys []int64) (found []*O) {
	for _, key := range keys {
		found = append(found, all[key-1])
	}
	return found
}

func referring[O any](all []*O, refers func(*O) bool) (found []*O) {
	for _, each := range all {
		if refers(each) {
			found = append(found, each)
		}
	}
	return found
}

func is(key *int64, id int64) bool { return key != nil && *key == id }

func (r inventor) ofQuest(steps int) view[quest] {
	return composed(r, 2, func() view[quest] {
		kind := r.IntN(10)
		if steps == 0 {
			kind = r.IntN(2)
		}
		switch kind {
		case 0:
			return ofPrincipal[quest](r)
		case 2, 3:
			part := r.ofGuild(steps - 1)
			return behind(access.Through("guild", part.rule), part, func(in *realm, q *quest) []*guild { return oneOf(in.guilds, q.Guild) })
		case 4:
			part := r.ofGuild(steps - 1)
			return behind(access.Through("helpers", part.rule), part, func(in *realm, q *quest) []*guild { return someOf(in.guilds, q.Helpers) })
		case 5:
			part := r.ofQuest(steps - 1)
			return behind(access.Through("parent", part.rule), part, func(in *realm, q *quest) []*quest { return oneOf(in.quests, q.Parent) })
		case 6, 7:
			part := r.ofQuest(steps - 1)
			return behind(access.Related("Quest.parent", part.rule), part, func(in *realm, q *quest) []*quest {
				return referring(in.quests, func(other *quest) bool { return is(other.Parent, q.ID) })
			})
		case 8:
			return of(access.Equal("guild.boss", func(s *seeker) int64 { return s.ID }), seekers, func(a *asker, in *realm, q *quest) bool {
				return slices.ContainsFunc(oneOf(in.guilds, q.Guild), func(g *guild) bool { return !in.trash[g] && g.Boss == a.seeker.ID })
			})
		case 9:
			return of(access.Where("guild.open", true), everybody, func(_ *asker, in *realm, q *quest) bool {
				return slices.ContainsFunc(oneOf(in.guilds, q.Guild), func(g *guild) bool { return !in.trash[g] && g.Open })
			})
		}
		return compare(r, "owner", func(q *quest) int64 { return q.Owner }, "state", func(q *quest) string { return q.State }, "new", "done")
	})
}

func (r inventor) ofGuild(steps int) view[guild] {
	return composed(r, 1, func() view[guild] {
		kind := r.IntN(8)
		if steps == 0 {
			kind = r.IntN(2)
		}
		switch kind {
		case 0:
			return ofPrincipal[guild](r)
		case 2, 3, 4:
			part := r.ofChair(steps - 1)
			return behind(access.Related("Chair.guild", part.rule), part, func(in *realm, g *guild) []*chair {
				return referring(in.chairs, func(c *chair) bool { return is(c.Guild, g.ID) })
			})
		case 5:
			part := r.ofChair(steps - 1)
			return behind(access.Related("Chair.halls", part.rule), part, func(in *realm, g *guild) []*chair {
				return referring(in.chairs, func(c *chair) bool { return slices.Contains(c.Halls, g.ID) })
			})
		case 6:
			part := r.ofQuest(steps - 1)
			return behind(access.Related("Quest.guild", part.rule), part, func(in *realm, g *guild) []*quest {
				return referring(in.quests, func(q *quest) bool { return is(q.Guild, g.ID) })
			})
		}
		return compare(r, "boss", func(g *guild) int64 { return g.Boss }, "name", func(g *guild) string { return g.Name }, "a", "b")
	})
}

func (r inventor) ofChair(steps int) view[chair] {
	return composed(r, 1, func() view[chair] {
		kind := r.IntN(5)
		if steps == 0 {
			kind = r.IntN(2)
		}
		switch kind {
		case 0:
			return ofPrincipal[chair](r)
		case 2:
			part := r.ofGuild(steps - 1)
			return behind(access.Through("guild", part.rule), part, func(in *realm, c *chair) []*guild { return oneOf(in.guilds, c.Guild) })
		}
		return compare(r, "user", func(c *chair) int64 { return c.User }, "role", func(c *chair) string { return c.Role }, "lead", "help")
	})
}
