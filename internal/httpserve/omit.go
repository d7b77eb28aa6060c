package httpserve

import (
	"context"
	"log/slog"

	"github.com/trove-api/trove/internal/codec"
)

// appendItem appends a record of a collection to b, and reports whether it could be written.
// A record that has none, for another program wrote what no answer can say, is left
// out with an incident of its own: the others are answered all the same. An error ends the whole response.
func (x *exchange) appendItem(ctx context.Context, b []byte, encoder *codec.Encoder, record any) (made []byte, shown bool, err error) {
	defer func() {
		if cause := recover(); cause != nil { // of a type's own method
			x.logPanic(cause, newIncident())
			made, shown, err = b, false, nil
		}
	}()
	if made, err = x.appendView(ctx, b, encoder, record, x.format.Collection.Item); err == nil {
		return made, true, x.work.did(len(made) - len(b))
	}
	if ended := x.work.ended(); ended != nil {
		return b, false, ended
	}
	x.logOmitted(err, record)
	return b, false, nil
}

// logOmitted tells of a record that a collection leaves out. Record is a pointer to it, nil
// where even that is not known.
// One record that cannot be written must not take a whole collection from everybody, but somebody
// has to hear of it.
func (x *exchange) logOmitted(err error, record any) {
	attributes := append(x.logged(newIncident()), slog.String("error", err.Error()))
	if record != nil {
		if id, err := x.op.Resource.ID.Text(x.op.Resource.ID.Of(record)); err == nil {
			attributes = append(attributes, slog.String("record", id))
		}
	}
	x.op.API.Logger.LogAttrs(x.r.Context(), slog.LevelError, "record left out", attributes...)
}

// logUnread tells of the records that the store could not read.
func (x *exchange) logUnread() {
	for _, broken := range x.result.Broken {
		x.logOmitted(broken, nil)
	}
}
