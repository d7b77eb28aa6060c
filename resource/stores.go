package resource

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// writes is the phase after elements: it asks each store what matters only to operations that write.
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

// inserts reports whether an operation creates records of a resource. It may be one of another resource.
func (c *compiler) inserts(r *compiled.Resource) bool {
	return slices.ContainsFunc(c.model.Resources, func(of *compiled.Resource) bool {
		return slices.ContainsFunc(of.Operations, func(op *compiled.Operation) bool {
			return op.Creating == r || of == r && (op.Creates || op.AllowCreate)
		})
	})
}

// advise logs what stores advise.
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

// goThrough checks that the stores of a resource can be asked by what its records refer to, where
// filters or order are to go through a reference. One that they cannot go through has no
// parameters, so that it is told once.
func (c *compiler) goThrough(d *declared) {
	for _, f := range d.resource.Struct.Fields {
		if f.Reference == nil || f.Reference.Through == nil {
			continue
		}
		where := d.where + ": " + naming.TypeName(d.record) + "." + f.GoPath
		if !c.canGoThrough(where, d, f) {
			f.Reference.Through = nil
		}
	}
}

func (c *compiler) canGoThrough(where string, d *declared, f *model.Field) bool {
	at := slices.IndexFunc(c.declared, func(other *declared) bool { return other.resource.Struct == f.Reference.Target })
	if at < 0 || d.store.Records == nil || c.declared[at].store.Records == nil { // told of already
		return false
	}
	if d.store.Through == nil {
		c.fail(where, "has through=%s, but the store does not say that it can be asked by what records refer to; "+
			"keep the records of both resources in memory, or in tables of one database, or make the store a store.Joiner",
			strings.Join(f.Reference.Through, "|"))
		return false
	}
	if err := d.store.Through(f.Name, c.declared[at].store.Itself); err != nil {
		c.fail(where, "has through=%s, but the store cannot be asked by the records of %s: %w; "+
			"keep the records of both in memory, or in tables of one database", strings.Join(f.Reference.Through, "|"), f.Reference.Name, err)
		return false
	}
	return true
}

// reach notes the resources that the collections of others reach through references, and checks
// that nothing is asked there which clients may not know, or the store not answer.
func (c *compiler) reach() {
	for _, d := range c.declared {
		c.turn = d.turn
		for _, f := range d.resource.Struct.Fields {
			reaches := func(op *compiled.Operation) bool { return slices.Contains(op.Through(), f.Name) }
			if f.Reference == nil || f.Reference.Through == nil || !slices.ContainsFunc(d.resource.Operations, reaches) {
				continue
			}
			target := c.model.ByStruct[f.Reference.Target]
			if target == nil { // told of already
				continue
			}
			if d.resource.Reached == nil {
				d.resource.Reached = map[string]*compiled.Resource{}
			}
			d.resource.Reached[f.Name] = target
			where := d.where + ": " + naming.TypeName(d.record) + "." + f.GoPath
			c.checkShown(where, f, target)
			c.checkReached(where, d, f, target)
		}
	}
	c.turn = ofAll
}

// checkShown checks that filters and order go by no member that the other resource's view leaves
// out of each answer.
func (c *compiler) checkShown(where string, f *model.Field, target *compiled.Resource) {
	if target.Item == nil || target.Item.HasOutput || !target.Item.Narrows() {
		return
	}
	for _, name := range f.Reference.Through {
		if path, ok := target.Struct.Path(name); ok && target.Item.Out.View.Field(path.Fields[0]) == nil {
			c.fail(where, "has through=%s, which the view %s of the Get of %s leaves out, but filters and order would tell",
				name, target.Item.Out.View.Title, target.ShortName)
		}
	}
}

// checkReached checks that the store can answer what the other resource's rules of access ask.
func (c *compiler) checkReached(where string, d *declared, f *model.Field, target *compiled.Resource) {
	asked, _ := target.Read.PossibleConditions()
	hidden, _ := target.Gate.PossibleConditions()
	if asked = append(asked, hidden...); len(asked) > 0 && d.store.QueryChecker != nil {
		c.noteStore(where, &d.definition, d.store.QueryChecker.CheckQuery(store.Query{
			Where: []store.Condition{{Through: f.Name, Any: [][]store.Condition{asked}}},
		}))
	}
}

// idempotency compiles how long answers to requests with an Idempotency-Key are kept.
func (c *compiler) idempotency(where string, d *definition, m *operation.Metadata, op *draft) {
	own := op.Bodies() == nil || op.Bodies() == op.Resource // else the transaction is that of another store
	posts := op.Kind == operation.KindPost && (op.Saves || op.together && own)
	if m.Idempotency != 0 && !posts {
		c.fail(where, "Idempotency is set; allowed on a Post that saves a record")
	}
	c.checkIdempotency(where, m.Idempotency, d)
	if posts {
		op.Idempotency = max(cmp.Or(m.Idempotency, d.defaults.Idempotency), 0)
	}
}

// checkIdempotency checks what an operation or a resource says of it, and asks the store
// whether it can.
func (c *compiler) checkIdempotency(where string, keep time.Duration, d *definition) {
	switch {
	case keep <= 0:
	case d.store.ResponseKeeper == nil && d.store.WrapsKeeper:
		c.fail(where, "Idempotency is set, and the store wraps one that keeps answers, but does not say that its own transactions do: "+
			"give it a method CheckResponses if they are a store.ResponseTx, or leave Idempotency out")
	case d.store.ResponseKeeper == nil:
		c.fail(where, "Idempotency is set, but the store keeps no answers: use one that is a store.ResponseKeeper, or leave Idempotency out")
	default:
		c.noteStore(where, d, d.store.ResponseKeeper.CheckResponses(context.Background()))
	}
}

// committed is the phase that has stores report their changes to Config.Committed.
func (c *compiler) committed() {
	if c.config.Committed == nil {
		return
	}
	for _, d := range c.declared {
		if d.store.Reporter == nil {
			c.fail(d.where, "Config.Committed is set, but the store (%T) reports no changes; "+
				"use a store that implements store.Reporter, as those of store/memory and store/sqlstore do", d.store.Itself)
		}
	}
}

// listen has the stores report their changes, once the API is known to be without mistakes.
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
		// The client may have gone, but what it has changed is committed.
		committed(context.WithoutCancel(ctx), changes)
	}}
	for _, d := range c.declared {
		d.store.Reporter.Report(listener)
	}
}
