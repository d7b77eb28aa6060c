package resource

import (
	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// trash compiles the rule for seeing the trash of a resource. It checks that the store has one, and that its records can take
// those along that reference them.
func (c *compiler) trash(where string, d *definition, r *compiled.Resource) {
	if r.Struct.Deleted == nil {
		if d.access.Deleted != nil {
			c.fail(where, "Access.Deleted needs a trash; tag a field of type *time.Time with api:\"deleted\", or remove it")
		}
		return
	}
	if trasher, ok := d.store.Itself.(store.Trasher); d.store.Records != nil && (!ok || !trasher.Trashes()) {
		c.fail(where, "%s has the word deleted, but the store (%T) has no trash; use one that implements store.Trasher, "+
			"such as those of store/memory and store/sqlstore", r.Struct.Deleted.GoPath, d.store.Itself)
	}
	for _, by := range r.Struct.Referring {
		if ref := by.Field.Reference; ref.OnDelete == model.Cascade && !ref.Many && by.From.Deleted == nil {
			c.failAt(fieldAt(by.From.Go, by.Field), "ondelete=cascade does not work, because deleted records of %s go to the trash, "+
				"and %s has none; tag a field of it with api:\"deleted\", or use another ondelete", r.ShortName, by.Resource)
		}
	}
	declared := d.access.Deleted
	if declared == nil {
		declared = access.Named("no one", access.Not(access.Public))
	}
	r.Deleted = c.rule(where, "Access.Deleted", declared, r, authz.Reads)
	checkBehind(c.mistakes, where, d, r.Deleted)
}

// ofTrash compiles an operation.Restore or an operation.Purge.
func (o *operationCompiler) ofTrash(purges bool) {
	name := "operation.Restore"
	if o.Purges, o.Restores = purges, !purges; purges {
		name = "operation.Purge"
	} else {
		o.Out = o.Resource.Shown
	}
	switch {
	case o.Resource.Struct.Deleted == nil:
		o.fail("%s needs a trash; tag a field of %s of type *time.Time with api:\"deleted\"", name, o.Resource.ShortName)
	case o.Reads:
		o.fail("%s changes the record, but a %s changes nothing; use a Post or a Delete", name, o.Kind)
	case !o.Item:
		o.fail("%s needs a record, but the path names none; add %s to URITemplate", name, variablesOf(o.Resource.ID.Names()))
	}
}
