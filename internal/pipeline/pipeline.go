package pipeline

import (
	"context"
	"net/http"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/operation"
)

// exchange is one request on its way and the answer that comes of it.
type exchange struct {
	op      *compiled.Operation
	w       http.ResponseWriter
	r       *http.Request
	request *operation.Request // what hooks and handlers see; nil where there are none
	tx      compiled.Tx        // nil outside of a transaction

	format   compiled.Format // of the answer
	values   *parameters.Values
	id       any            // of the record that the path names
	body     []byte         // as received
	record   any            // pointer to the record
	previous any            // the record before the change; nil for none
	created  bool           // the record is a new one
	inserted bool           // and has been saved
	in       any            // pointer to a handler's body
	out      any            // a handler's answer
	items    compiled.Items // of a collection; nil for what is none
	total    int            // of a collection, or noTotal
	link     string         // to the other pages
	decoded  codec.Decoded
	refusals []error // of Prepare, told together with broken rules

	answer  []byte
	buffers *buffers
}

// step is one step of a request.
type step func(ctx context.Context, x *exchange) error

// The steps before, inside and after the transaction.
var (
	before = []step{negotiateType, readParameters, receive}
	inside = []step{read, deserialize, prepare, validate, write}
	after  = []step{serialize}
)

// Handler serves an operation.
func Handler(op *compiled.Operation) http.Handler {
	buffers := &buffers{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := &exchange{op: op, w: w, r: r, buffers: buffers}
		defer x.recoverPanic()
		if err := x.run(r.Context()); err != nil {
			x.refuse(err)
			return
		}
		x.respond(r.Context())
		buffers.giveBack(x.answer)
	})
}

func (x *exchange) run(ctx context.Context) error {
	if err := x.steps(ctx, before); err != nil {
		return err
	}
	if err := x.transact(ctx); err != nil {
		return err
	}
	return x.steps(ctx, after)
}

func (x *exchange) steps(ctx context.Context, steps []step) error {
	for _, step := range steps {
		if err := step(ctx, x); err != nil {
			return err
		}
	}
	return nil
}

// transact runs the steps inside in a transaction where the operation may write. The
// store may run them again, so each run begins anew.
func (x *exchange) transact(ctx context.Context) error {
	if !x.op.Saves() {
		return x.steps(x.withRequest(ctx), inside)
	}
	return x.op.Resource.Store.Transact(ctx, func(ctx context.Context, tx compiled.Tx) error {
		x.tx = tx
		x.record, x.previous, x.in, x.out = nil, nil, nil, nil
		x.created, x.inserted = false, false
		x.decoded, x.refusals = codec.Decoded{}, nil
		return x.steps(x.withRequest(ctx), inside)
	})
}

// withRequest lets hooks, handlers and stores find the request in the context.
func (x *exchange) withRequest(ctx context.Context) context.Context {
	if x.request == nil {
		return ctx
	}
	return operation.WithRequest(ctx, x.request)
}
