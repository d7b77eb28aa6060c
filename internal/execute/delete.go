package execute

import (
	"context"

	"github.com/trove-api/trove/internal/compiled"
)

// Delete deletes the record that the path names.
func Delete(op *compiled.Operation, with Functions) *Operation {
	o := begin(op, with)
	o.compares = op.Hooked
	o.savesBy(deleteRecord)
	return o.writes(o.looks(readItem), nil, []step{{"write", o.write}})
}

// deleteRecord deletes the record that the path names. It uses the path, because a Processor may have changed the
// identifier of the record.
func deleteRecord(ctx context.Context, c *Call) error { return c.tx.Delete(ctx, c.ID) }
