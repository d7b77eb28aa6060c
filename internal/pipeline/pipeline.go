package pipeline

import (
	"context"
	"net/http"
	"time"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/conditional"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/operation"
)

// exchange is one request on its way and the answer that comes of it.
type exchange struct {
	*Server

	w       http.ResponseWriter
	r       *http.Request
	request *operation.Request // what hooks and handlers see; nil where there are none
	tx      compiled.Tx        // nil outside of a transaction
	watch   *watch             // nil where nobody observes

	path       string            // percent-encoded, one of the operation's template
	suffix     string            // of the path, which chooses the format; "" for none
	format     *compiled.Format  // of the answer
	asked      parameters.Values // room for values
	values     *parameters.Values
	conditions conditional.Conditions
	keyed      *keyed         // nil without an Idempotency-Key
	id         any            // of the record that the path names
	body       []byte         // as received
	record     any            // pointer to the record
	previous   any            // the record before the change; nil for none
	created    bool           // the record is a new one
	inserted   bool           // and has been saved
	in         any            // pointer to a handler's body
	out        any            // a handler's answer
	items      compiled.Items // of a collection; nil for what is none
	total      int            // of a collection, or noTotal
	more       bool           // the store has records behind them
	decoded    codec.Decoded
	refusals   []error // of Prepare, told together with broken rules

	status   int
	answer   []byte
	lines    *lines
	modified time.Time
	replayed *reply // the answer to the same request before
	begun    bool   // the status has been sent
	bytes    int64  // of the body that have been sent
	kept     buffers
}

// serve runs the steps, and sends what comes of them.
func (x *exchange) serve() {
	x.announceEnd()
	if !x.enter() {
		x.refuse(busy())
		return
	}
	defer x.leave()
	ctx := x.r.Context()
	if x.op.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, x.op.Timeout)
		defer cancel()
	}
	if err := x.run(ctx); err != nil {
		x.refuse(err)
		return
	}
	x.respond(ctx)
}

func (x *exchange) run(ctx context.Context) error {
	if err := x.steps(ctx, x.plan.before); err != nil {
		return err
	}
	ctx = x.withRequest(ctx)
	if !x.op.Saves() {
		if err := x.steps(ctx, x.plan.inside); err != nil {
			return err
		}
		return x.finish(ctx)
	}
	err := x.op.Resource.Store.Transact(ctx, (*saving)(x))
	x.tx = nil
	if err != nil || x.keyed != nil {
		return err
	}
	return x.finish(ctx)
}

func (x *exchange) steps(ctx context.Context, steps []*step) error {
	for _, s := range steps {
		if err := x.step(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

func (x *exchange) step(ctx context.Context, s *step) error {
	if x.watch == nil {
		return s.run(ctx, x)
	}
	return x.watch.step(ctx, x, s)
}

// finish makes the answer.
func (x *exchange) finish(ctx context.Context) error {
	x.status = x.successStatus()
	return x.steps(ctx, x.plan.after)
}

// saving is an exchange whose steps inside run in a transaction.
type saving exchange

// Run runs the steps. The store may run them again, so each run begins anew. The answer
// to a request with an Idempotency-Key is made and kept in the transaction, too.
func (s *saving) Run(ctx context.Context, tx compiled.Tx) error {
	x := (*exchange)(s)
	x.tx = tx
	x.record, x.previous, x.in, x.out = nil, nil, nil, nil
	x.created, x.inserted = false, false
	x.decoded, x.refusals, x.replayed = codec.Decoded{}, nil, nil
	if x.keyed == nil {
		return x.steps(ctx, x.plan.inside)
	}
	return x.once(ctx)
}

// once runs the steps of a request with an Idempotency-Key, unless it has been answered
// before.
func (x *exchange) once(ctx context.Context) error {
	if err := x.step(ctx, &step{name: "replay", run: replay}); err != nil || x.replayed != nil {
		return err
	}
	if err := x.steps(ctx, x.plan.inside); err != nil {
		return err
	}
	if err := x.finish(ctx); err != nil {
		return err
	}
	return x.step(ctx, &step{name: "replay", run: keep})
}

// withRequest lets hooks, handlers and stores find the request in the context.
func (x *exchange) withRequest(ctx context.Context) context.Context {
	if x.request == nil {
		return ctx
	}
	return operation.WithRequest(ctx, x.request)
}
