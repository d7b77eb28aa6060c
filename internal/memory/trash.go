package memory

import (
	"context"
	"time"

	"github.com/trove-api/trove/internal/model"
)

// trash moves a living record to the trash, and with it those that the trash takes along.
func (d *deletion) trash(living *row) error {
	d.gone = append(d.gone, living)
	return d.move(living, d.at, func(other *row) error {
		if other.isDeleted() {
			return nil
		}
		return d.trash(other)
	})
}

// restore makes a record in the trash living, and with it those that its deletion took along.
func (d *deletion) restore(deleted *row) error {
	return d.move(deleted, time.Time{}, func(other *row) error {
		if record := other.in.shape.record; !record.DeletedAt(other.value()).Equal(d.at) {
			return nil
		}
		return d.restore(other)
	})
}

// move sets when a record was deleted, and calls a function with each record that the trash takes along.
func (d *deletion) move(before *row, at time.Time, each func(other *row) error) error {
	if err := d.ctx.Err(); err != nil {
		return err
	}
	shape := before.in.shape
	after := &row{key: before.key, record: shape.records.Clone(before.record), in: before.in}
	shape.record.SetDeleted(after.value(), at)
	shape.record.Stamp(after.record, before.record)
	if err := d.whole.put(before, after); err != nil { // first, so that a cycle of references ends
		return err
	}
	for _, r := range d.whole.saved.relations {
		if r.to != before.in || !model.TakesAlong(r.from.shape.record, r.field, shape.record) {
			continue
		}
		for _, id := range d.referring(r, before.key) {
			if err := each(d.whole.state.Load().table(r.from).rows.get(id)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Restore makes a record in the trash living again, with those that its deletion took along.
func (t *tx) Restore(ctx context.Context, id any) error {
	found, err := t.find(ctx, id, true)
	if err != nil {
		return err
	}
	d := deletion{whole: t.whole, ctx: ctx, at: t.in.shape.record.DeletedAt(found.value())}
	if err = d.restore(found); err != nil {
		t.whole.fail(err) // a part of it may be done
	}
	return err
}

// Purge deletes a record in the trash, with what its references entail.
func (t *tx) Purge(ctx context.Context, id any) error {
	found, err := t.find(ctx, id, true)
	if err != nil {
		return err
	}
	d := deletion{whole: t.whole, ctx: ctx}
	return d.run(found, d.remove)
}
