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
	"github.com/trove-api/trove/internal/untyped"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// checkLimits adds the rules of a store to the fields of a struct. References and generated identifiers have values that exist.
func checkLimits(errs *mistakes, where string, s *model.Struct, limits map[string]string) {
	for _, f := range s.Fields {
		tag := limits[f.Name]
		if tag == "" || f.Reference != nil || f.Identifier && s.Identifier().Generated() {
			continue
		}
		rules, err := model.ParseRules(tag)
		if err != nil {
			errs.note(where, err)
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
	checker, ok := untyped.As[untyped.WriteChecker](d.store.Itself)
	if !ok {
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
	for op := range c.model.Operations() {
		if op.Creating == r || op.Resource == r && (op.Creates || op.AllowCreate) {
			c.noteStore(d.where, &d.definition, checker.CheckInserts(context.Background()))
			break
		}
	}
	return true
}

// advise logs the advice of stores.
func advise(api *compiled.API, all []*declared) {
	for _, d := range all {
		adviser, ok := untyped.As[untyped.Adviser](d.store.Itself)
		if !ok {
			continue
		}
		advice, err := adviser.Advise(context.Background())
		if err != nil {
			api.Logger.Warn("store cannot be checked", "resource", d.resource.ShortName, "error", err.Error())
		}
		for _, line := range advice {
			api.Logger.Warn("store", "resource", d.resource.ShortName, "advice", line)
		}
		if err == nil {
			adviseQuery(api, d)
		}
	}
}

// adviseQuery logs what the store says about the queries of the resource's first collection.
func adviseQuery(api *compiled.API, d *declared) {
	adviser, ok := untyped.As[untyped.QueryAdviser](d.store.Itself)
	lists := func(op *compiled.Operation) bool { return op.Pages && !op.Aggregates && op.Bodies() == nil }
	i := slices.IndexFunc(d.resource.Operations, lists)
	if !ok || i < 0 {
		return
	}
	op := d.resource.Operations[i]
	line, err := adviser.AdviseQuery(context.Background(), restricted(op, op.Parameters.Query()))
	switch {
	case err != nil:
		api.Logger.Warn("store cannot be checked", "resource", d.resource.ShortName, "error", err.Error())
	case line != "":
		api.Logger.Info("store", "resource", d.resource.ShortName, "advice", line)
	}
}

// findJoined checks that stores can filter and sort through references. It removes Through from a reference if they
// cannot, so that the error is reported once.
func findJoined(errs *mistakes, all []*declared, d *declared) {
	for _, f := range d.resource.Struct.Fields {
		if f.Reference == nil || f.Reference.Through == nil {
			continue
		}
		through := strings.Join(f.Reference.Through, "|")
		switch other := find(all, f.Reference.Target); {
		case other == nil, !other.isValid, d.store.Records == nil, other.store.Records == nil: // already reported
		case d.store.Through == nil:
			errs.failAt(fieldAt(d.record, f), "the store does not support through=%s; "+
				"keep both resources in memory or in one database, or implement store.Joiner", through)
		default:
			err := d.store.Through(f.Name, other.store.Itself)
			if err == nil {
				continue
			}
			errs.failAt(fieldAt(d.record, f), "through=%s does not work with the store of %s: %w; "+
				"keep both resources in memory or in one database", through, f.Reference.Name, err)
		}
		f.Reference.Through = nil
	}
}

// joinStores marks the references of a resource's records, and those to them, that queries can go through, for access
// rules. The errors of an invalid struct are reported, so that all of its references are marked.
func joinStores(all []*declared, d *declared) {
	joins := func(name string, of *model.Struct) bool {
		other := find(all, of)
		if other == nil || d.isValid && d.store.Through == nil {
			return false
		}
		return !d.isValid || !other.isValid || d.store.Through(name, other.store.Itself) == nil
	}
	for _, f := range d.resource.Struct.Fields {
		if f.Reference != nil && f.Reference.Target != nil {
			f.Reference.Joined = joins(f.Name, f.Reference.Target)
		}
	}
	for _, r := range d.resource.Struct.Referring {
		r.Joined = joins(r.Name, r.From)
	}
}

// findReached records which resources each collection filters or sorts through. It checks that clients may know the fields,
// and that the store supports the access rules.
func findReached(errs *mistakes, api *compiled.API, all []*declared) {
	for _, d := range all {
		errs.turn = d.turn
		for _, f := range d.resource.Struct.Fields {
			reaches := func(op *compiled.Operation) bool { return slices.Contains(op.Through(), f.Name) }
			if f.Reference == nil || f.Reference.Through == nil || !slices.ContainsFunc(d.resource.Operations, reaches) {
				continue
			}
			target := api.ByStruct[f.Reference.Target]
			if target == nil { // already reported
				continue
			}
			if d.resource.Reached == nil {
				d.resource.Reached = map[string]*compiled.Resource{}
			}
			d.resource.Reached[f.Name] = target
			checkShown(errs, fieldAt(d.record, f), f, target)
			asked, _ := target.Read.PossibleConditions()
			hidden, _ := target.Gate.PossibleConditions()
			if asked = append(asked, hidden...); len(asked) == 0 || d.store.QueryChecker == nil {
				continue
			}
			query := store.Query{Where: []store.Condition{{Through: f.Name, Any: [][]store.Condition{asked}}}}
			for _, err := range d.unreported(d.store.QueryChecker.CheckQuery(query)) {
				errs.failAt(fieldAt(d.record, f), "store: %w", err)
			}
		}
	}
	errs.turn = ofAll
}

// checkShown checks that clients cannot filter or sort by a field that the other resource's view omits.
func checkShown(errs *mistakes, at model.Declaration, f *model.Field, target *compiled.Resource) {
	if target.Item == nil || target.Item.Output != nil || !target.Item.Narrows() {
		return
	}
	for _, name := range f.Reference.Through {
		if path, ok := target.Struct.Path(name); ok && target.Item.Out.View.Field(path.Fields[0]) == nil {
			errs.failAt(at, "through=%s would reveal a field that the view %s of the Get of %s omits",
				name, target.Item.Out.View.Title, target.ShortName)
		}
	}
}

// idempotency compiles how long responses to requests with an Idempotency-Key are stored.
func (o *operationCompiler) idempotency() {
	checkIdempotency(o.c.mistakes, o.where, o.metadata.Idempotency, o.definition)
	if o.keepsResponses() {
		o.Idempotency = max(cmp.Or(o.metadata.Idempotency, o.definition.defaults.Idempotency), 0)
	}
}

// keepsResponses reports whether the operation is a Post whose transaction can keep its response. The transaction of a body
// with records of another resource belongs to the store of these.
func (o *operationCompiler) keepsResponses() bool {
	isOwn := o.Bodies() == nil || o.Bodies() == o.Resource
	return o.Kind == operation.KindPost && (o.Saves || isOwn && o.In != nil && (o.In.Each != nil || o.Bodies() != nil))
}

// checkIdempotency checks that the store supports Idempotency.
func checkIdempotency(errs *mistakes, where string, keep time.Duration, d *definition) {
	switch {
	case keep <= 0:
	case d.store.ResponseKeeper == nil && d.store.WrapsKeeper:
		errs.fail(where, "Idempotency needs a store that keeps responses, and the store only wraps one; "+
			"implement CheckResponses if its transactions are a store.ResponseTx, or remove Idempotency")
	case d.store.ResponseKeeper == nil:
		errs.fail(where, "Idempotency needs a store that implements store.ResponseKeeper; use another store, or remove Idempotency")
	default:
		errs.noteStore(where, d, d.store.ResponseKeeper.CheckResponses(context.Background()))
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

// listen makes the stores log and report their changes, once all declarations are valid.
func (c *compiler) listen() {
	for _, d := range c.declared {
		if d.history {
			c.keepLog(d)
		}
	}
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
