package resource

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/trove-api/trove/store"
)

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
