package pipeline

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/conditional"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/reentry"
	"github.com/trove-api/trove/operation"
)

// exchange is one request on its way and the answer that comes of it.
type exchange struct {
	*Server

	w       http.ResponseWriter
	r       *http.Request
	request *operation.Request // what hooks, handlers and stores see; nil where there are none that look
	watch   *watch             // nil where nobody observes

	path       string            // percent-encoded, one of the operation's template
	suffix     string            // of the path, which chooses the format; "" for none
	format     *compiled.Format  // of the answer
	asked      parameters.Values // room for values
	values     *parameters.Values
	conditions conditional.Conditions
	keyed      *keyed // nil without an Idempotency-Key
	id         any    // of the record that the path names
	body       []byte // as received
	ran        bool   // a transaction has run the steps

	attempt

	lines *lines
	ends  time.Time // when the operation's time is over; zero for never
	begun bool      // the status has been sent
	bytes int64     // of the body that have been sent
	kept  buffers
}

// attempt is what one run of the steps makes of a request. A transaction may run them
// again, and then begins with the zero value: what a run leaves behind is in here and in
// the lines, and nowhere else.
type attempt struct {
	tx       compiled.Tx    // nil outside of a transaction
	record   any            // pointer to the record
	previous any            // the record before the change; nil for none
	created  bool           // the record is a new one
	inserted bool           // and has been saved
	saved    bool           // something has been
	unsaved  bool           // the Processor has saved nothing
	in       any            // pointer to a handler's body
	out      any            // a handler's answer
	items    compiled.Items // of a collection; nil for what is none
	total    int            // of a collection, or noTotal
	more     bool           // the store has records behind them
	decoded  codec.Decoded
	refusals []error // of Prepare, told together with broken rules

	status   int
	answer   []byte
	modified time.Time
	replayed *reply // the answer to the same request before
	whole    bool   // all steps have run, so that the transaction may end
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
		x.ends, _ = ctx.Deadline()
	}
	if err := x.steps(ctx, x.plan.before); err != nil {
		x.refuse(err)
		return
	}
	if x.request != nil {
		ctx = operation.WithRequest(ctx, x.request)
	}
	if err := x.run(ctx); err != nil {
		x.refuse(err)
		return
	}
	x.respond(ctx)
}

// run runs the steps behind those that receive the request.
func (x *exchange) run(ctx context.Context) error {
	if !x.op.Saves() {
		if err := x.steps(ctx, x.plan.inside); err != nil {
			return err
		}
		return x.finish(ctx)
	}
	err := x.op.Resource.Store.Transact(ctx, (*saving)(x))
	x.tx = nil
	if x.request != nil {
		reentry.End(ctx)
	}
	if err == nil && !x.whole {
		return errNotRun
	}
	return err
}

// errNotRun is of a store that breaks what it promises.
var errNotRun = errors.New("the store's Transact returned nil, though its function has not returned nil")

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

// saving is an exchange whose steps run in a transaction.
type saving exchange

// Run runs the steps. The answer is made in the transaction, so that nothing is saved
// whose answer cannot be encoded; with an Idempotency-Key it is kept there, too.
func (s *saving) Run(ctx context.Context, tx compiled.Tx) error {
	x := (*exchange)(s)
	if err := x.begin(ctx, tx); err != nil {
		return err
	}
	if x.keyed != nil {
		if err := x.step(ctx, &step{name: "replay", run: replay}); err != nil || x.replayed != nil {
			x.whole = err == nil
			return err
		}
	}
	if err := x.steps(ctx, x.plan.inside); err != nil {
		return err
	}
	if err := x.finish(ctx); err != nil {
		return err
	}
	if x.keyed != nil {
		if err := x.step(ctx, &step{name: "replay", run: keep}); err != nil {
			return err
		}
	}
	x.whole = true
	return nil
}

// begin begins a run of the steps, of which the store may make several: nothing of one
// survives into the next, in what hooks see neither.
func (x *exchange) begin(ctx context.Context, tx compiled.Tx) (err error) {
	*x.lines, x.attempt = lines{}, attempt{tx: tx}
	if x.ran && x.request != nil {
		err = readParameters(ctx, x)
	}
	x.ran = true
	return err
}
