package resource

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// limit adds the rules of a store to the fields of a struct. References and generated identifiers have values that exist.
func (c *compiler) limit(where string, s *model.Struct, limits map[string]string) {
	for _, f := range s.Fields {
		tag := limits[f.Name]
		if tag == "" || f.Reference != nil || f.Identifier && s.Identifier().Generated() {
			continue
		}
		rules, err := model.ParseRules(tag)
		if err != nil {
			c.note(where, err)
			continue
		}
		f.Rules.OmitEmpty = f.Rules.OmitEmpty || len(f.Rules.All) == 0
		for _, rule := range rules.All {
			if !isStricter(&f.Rules, rule) {
				f.Rules.All = append(slices.Clip(f.Rules.All), rule)
			}
		}
	}
}

// isStricter reports whether rules have one that allows no value beyond another rule, which is max, lte or gte.
func isStricter(rules *model.Rules, than model.Constraint) bool {
	names, sign := []string{"max", "lte", "lt", "len", "eq"}, 1.0
	if than.Name == "gte" {
		names, sign = []string{"min", "gte", "gt", "len", "eq"}, -1
	}
	most, err := strconv.ParseFloat(than.Param, 64)
	return err == nil && slices.ContainsFunc(names, func(name string) bool {
		own, ok := rules.Find(name)
		limit, err := strconv.ParseFloat(own.Param, 64)
		return ok && err == nil && sign*limit <= sign*most
	})
}

// writes is the phase after elements. It runs the store's checks that matter only to operations that write.
func (c *compiler) writes(d *declared) bool {
	checker := d.store.WriteChecker
	if checker == nil {
		return true
	}
	r := d.resource
	if ping := r.Ping; ping != nil && slices.ContainsFunc(r.Operations, func(op *compiled.Operation) bool { return !op.Reads }) {
		r.Ping = func(ctx context.Context) error {
			if err := ping(ctx); err != nil {
				return err
			}
			return checker.PingWrites(ctx)
		}
	}
	if c.inserts(r) {
		c.noteStore(d.where, &d.definition, checker.CheckInserts(context.Background()))
	}
	return true
}

// inserts reports whether an operation, possibly of another resource, creates records of a resource.
func (c *compiler) inserts(r *compiled.Resource) bool {
	return slices.ContainsFunc(c.model.Resources, func(of *compiled.Resource) bool {
		return slices.ContainsFunc(of.Operations, func(op *compiled.Operation) bool {
			return op.Creating == r || of == r && (op.Creates || op.AllowCreate)
		})
	})
}

// advise logs the advice of stores.
func (c *compiler) advise() {
	for _, d := range c.declared {
		if d.store.Adviser == nil {
			continue
		}
		advice, err := d.store.Adviser.Advise(context.Background())
		if err != nil {
			c.model.Logger.Warn("store cannot be checked", "resource", d.resource.ShortName, "error", err.Error())
		}
		for _, line := range advice {
			c.model.Logger.Warn("store", "resource", d.resource.ShortName, "advice", line)
		}
	}
}

// goThrough checks that stores can filter and sort through references. It removes Through from a reference if they
// cannot, so that the error is reported once.
func (c *compiler) goThrough(d *declared) {
	for _, f := range d.resource.Struct.Fields {
		if f.Reference == nil || f.Reference.Through == nil {
			continue
		}
		if !c.canGoThrough(fieldAt(d.record, f), d, f) {
			f.Reference.Through = nil
		}
	}
}

// join marks the references that queries can go through, for conditions of rules that only a request shows.
func (c *compiler) join(d *declared) {
	for _, f := range d.resource.Struct.Fields {
		if f.Reference == nil || f.Reference.Target == nil || d.store.Through == nil {
			continue
		}
		other := slices.IndexFunc(c.declared, func(other *declared) bool { return other.resource.Struct == f.Reference.Target })
		f.Reference.Joined = other >= 0 && d.store.Through(f.Name, c.declared[other].store.Itself) == nil
	}
}

func (c *compiler) canGoThrough(at model.Declaration, d *declared, f *model.Field) bool {
	other := slices.IndexFunc(c.declared, func(other *declared) bool { return other.resource.Struct == f.Reference.Target })
	if other < 0 || !c.declared[other].isValid || d.store.Records == nil || c.declared[other].store.Records == nil { // already reported
		return false
	}
	if d.store.Through == nil {
		c.failAt(at, "the store does not support through=%s; "+
			"keep both resources in memory or in one database, or implement store.Joiner",
			strings.Join(f.Reference.Through, "|"))
		return false
	}
	if err := d.store.Through(f.Name, c.declared[other].store.Itself); err != nil {
		c.failAt(at, "through=%s does not work with the store of %s: %w; "+
			"keep both resources in memory or in one database", strings.Join(f.Reference.Through, "|"), f.Reference.Name, err)
		return false
	}
	return true
}

// reach records which resources each collection filters or sorts through. It checks that clients may know the fields,
// and that the store supports the access rules.
func (c *compiler) reach() {
	for _, d := range c.declared {
		c.turn = d.turn
		for _, f := range d.resource.Struct.Fields {
			reaches := func(op *compiled.Operation) bool { return slices.Contains(op.Through(), f.Name) }
			if f.Reference == nil || f.Reference.Through == nil || !slices.ContainsFunc(d.resource.Operations, reaches) {
				continue
			}
			target := c.model.ByStruct[f.Reference.Target]
			if target == nil { // already reported
				continue
			}
			if d.resource.Reached == nil {
				d.resource.Reached = map[string]*compiled.Resource{}
			}
			d.resource.Reached[f.Name] = target
			c.checkShown(fieldAt(d.record, f), f, target)
			c.checkReached(fieldAt(d.record, f), d, f, target)
		}
	}
	c.turn = ofAll
}

// checkShown checks that clients cannot filter or sort by a field that the other resource's view omits.
func (c *compiler) checkShown(at model.Declaration, f *model.Field, target *compiled.Resource) {
	if target.Item == nil || target.Item.Output != nil || !target.Item.Narrows() {
		return
	}
	for _, name := range f.Reference.Through {
		if path, ok := target.Struct.Path(name); ok && target.Item.Out.View.Field(path.Fields[0]) == nil {
			c.failAt(at, "through=%s would reveal a field that the view %s of the Get of %s omits",
				name, target.Item.Out.View.Title, target.ShortName)
		}
	}
}

// checkReached checks that the store supports the conditions of the other resource's access rules.
func (c *compiler) checkReached(at model.Declaration, d *declared, f *model.Field, target *compiled.Resource) {
	asked, _ := target.Read.PossibleConditions()
	hidden, _ := target.Gate.PossibleConditions()
	if asked = append(asked, hidden...); len(asked) > 0 && d.store.QueryChecker != nil {
		for _, err := range d.unreported(d.store.QueryChecker.CheckQuery(store.Query{
			Where: []store.Condition{{Through: f.Name, Any: [][]store.Condition{asked}}},
		})) {
			c.failAt(at, "store: %w", err)
		}
	}
}

// idempotency compiles how long responses to requests with an Idempotency-Key are stored.
func (c *compiler) idempotency(where string, d *definition, m *operation.Metadata, op *compiled.Operation) {
	own := op.Bodies() == nil || op.Bodies() == op.Resource // otherwise the transaction belongs to another store
	posts := op.Kind == operation.KindPost && (op.Saves || own && op.In != nil && (op.In.Each != nil || op.Bodies() != nil))
	if m.Idempotency != 0 && !posts {
		c.fail(where, "Idempotency is only for a Post that saves a record")
	}
	c.checkIdempotency(where, m.Idempotency, d)
	if posts {
		op.Idempotency = max(cmp.Or(m.Idempotency, d.defaults.Idempotency), 0)
	}
}

// checkIdempotency checks that the store supports Idempotency.
func (c *compiler) checkIdempotency(where string, keep time.Duration, d *definition) {
	switch {
	case keep <= 0:
	case d.store.ResponseKeeper == nil && d.store.WrapsKeeper:
		c.fail(where, "Idempotency needs a store that keeps responses, and the store only wraps one; "+
			"implement CheckResponses if its transactions are a store.ResponseTx, or remove Idempotency")
	case d.store.ResponseKeeper == nil:
		c.fail(where, "Idempotency needs a store that implements store.ResponseKeeper; use another store, or remove Idempotency")
	default:
		c.noteStore(where, d, d.store.ResponseKeeper.CheckResponses(context.Background()))
	}
}

// committed is the phase that checks that all stores can report changes to Config.Committed.
func (c *compiler) committed() {
	if c.config.Committed == nil {
		return
	}
	for _, d := range c.declared {
		if d.store.Reporter == nil {
			c.fail(d.where, "the store (%T) does not report changes to Config.Committed; "+
				"use one that implements store.Reporter, such as those of store/memory and store/sqlstore", d.store.Itself)
		}
	}
}

// listen makes the stores report their changes, once all declarations are valid.
func (c *compiler) listen() {
	if c.config.Committed == nil {
		return
	}
	committed, logger := c.config.Committed, c.model.Logger
	listener := &store.Listener{Committed: func(ctx context.Context, changes []store.Change) {
		defer func() {
			if cause := recover(); cause != nil {
				logger.LogAttrs(ctx, slog.LevelError, "Config.Committed panicked",
					slog.String("panic", fmt.Sprint(cause)), slog.String("stack", string(debug.Stack())))
			}
		}()
		// The client may be gone, but the change is committed.
		committed(context.WithoutCancel(ctx), changes)
	}}
	for _, d := range c.declared {
		d.store.Reporter.Report(listener)
	}
}
