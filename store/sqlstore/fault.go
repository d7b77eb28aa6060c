package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/trove-api/trove/store"
)

// explain says in an error of the database what it means for a store. The database's own
// error stays in it, for the log and for those who know the database.
func (db *DB) explain(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, store.ErrUnavailable) { // the driver says so itself
		return fmt.Errorf("sqlstore: %w", err)
	}
	fault := db.driver.Fault(err)
	switch fault.Kind {
	case ForeignKeyFault:
		return refused(err, "another record refers to this one, or this one to one that is not there", fault)
	case CheckFault:
		return refused(err, "a value is not allowed", fault)
	case UniqueFault:
		return refused(err, "a value is taken", fault)
	case RetryFault: // of whatever is not run again in the end
		return fmt.Errorf("sqlstore: in conflict with another transaction: %w: %w", store.ErrUnavailable, err)
	case UnavailableFault:
		return fmt.Errorf("sqlstore: %w: %w", store.ErrUnavailable, err)
	}
	return fmt.Errorf("sqlstore: %w", err)
}

// refused is the error of a constraint.
func refused(err error, why string, fault Fault) error {
	name := fault.Constraint
	if name == "" {
		name = fault.Column
	}
	return fmt.Errorf("sqlstore: %s (constraint %q): %w: %w", why, name, store.ErrConflict, err)
}

// taken returns the error of a unique value that another record has, if err is one.
func (p *plan) taken(db *DB, err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	fault := db.driver.Fault(err)
	if fault.Kind != UniqueFault {
		return err
	}
	if len(p.ids) > 1 && (fault.Constraint == p.name+"_pkey" || p.isKey(strings.Split(fault.Constraint, ", "))) {
		return store.UniqueError{Field: p.key.Name()}
	}
	for _, c := range p.columns {
		if c.unique && (c.name == fault.Column || p.uniqueIndex(c) == fault.Constraint || len(p.ids) == 1 && c == p.ids[0] && fault.Constraint == p.name+"_pkey") {
			return store.UniqueError{Field: c.field.Name}
		}
	}
	if made := p.constraints.Load(); made != nil && (*made)[fault.Constraint] != "" {
		return store.UniqueError{Field: (*made)[fault.Constraint]}
	}
	return err
}

// isKey reports whether names are those of the columns of the identifier, in any order.
func (p *plan) isKey(columns []string) bool {
	named := func(c *column) bool { return slices.Contains(columns, c.name) }
	return len(columns) == len(p.ids) && !slices.ContainsFunc(p.ids, func(c *column) bool { return !named(c) })
}
