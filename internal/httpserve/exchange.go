package httpserve

import (
	"bytes"
	"context"
	"net/http"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/execute"
)

// exchange is one request on its way and the answer that comes of it.
type exchange struct {
	*Server

	w     http.ResponseWriter
	r     *http.Request
	watch *watch // nil where nobody observes

	secret     string           // of the credentials, which no log has
	path       string           // percent-encoded, one of the operation's template
	suffix     string           // of the path, which chooses the format; "" for none
	format     *compiled.Format // of the answer
	negotiated bool             // the client has said which format it wants
	inner      *Inner           // nil for a request that came by itself
	translated bool             // the query is one that the format has made
	query      string           // as it was sent, of one that is translated
	item       item             // that a format is writing

	call   execute.Call
	result *execute.Result // of the call; nil until there is one
	answer

	ends    time.Time // when the operation's time is over; zero for never
	begun   bool      // the status has been sent
	bytes   int64     // of the body that have been sent
	buffers buffers
}

// answer is what is made of a result. A transaction may run again, and it then begins with
// the zero value.
type answer struct {
	status   int
	body     []byte
	modified time.Time
	written  int    // records of a collection
	replayed *reply // the answer to the same request before; nil for none
	work     work

	tag, length, link, total string   // header fields, "" for none
	lines                    []string // of the header: see line

	masks func(record any, name string) bool // of a page, in whose order some members may be null for the client; nil for none
}

// serve runs the steps, and sends what comes of them.
// An error ends it wherever it occurs; nothing has been sent until then, so that it can be
// answered.
func (x *exchange) serve() {
	x.announceLifecycle()
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
	before := x.before
	if x.inner != nil {
		before = x.beforeInner
	}
	if err := x.steps(ctx, before); err != nil {
		x.refuse(err)
		return
	}
	if err := x.execute(ctx); err != nil {
		x.refuse(err)
		return
	}
	if err := x.respond(ctx); err != nil {
		x.refuse(err)
	}
}

// execute runs the call that was made of the request.
func (x *exchange) execute(ctx context.Context) (err error) {
	x.call.Stream, x.call.EmbedsOnce = x.format.Stream, x.format.EmbedsOnce
	x.result, err = x.call.Run(ctx)
	x.logUnread()
	if err == nil && x.result.Replayed {
		x.replayed = new(reply)
		err = json.Unmarshal(x.result.Kept, x.replayed)
		if err == nil && !bytes.Equal(x.replayed.Standing, x.call.Standing()) {
			err = errOtherStanding
		}
	}
	return err
}

// Answer makes the answer.
// In the transaction: an answer that cannot be made must leave nothing saved.
func (x *exchange) Answer(ctx context.Context, result *execute.Result) error {
	x.result, x.work.ctx = result, ctx
	x.status = x.successStatus()
	return x.steps(ctx, x.after)
}

// Again forgets the answer, and reads anew what hooks have been handed.
// Hooks may have changed what they were handed, so it is made anew.
func (x *exchange) Again(ctx context.Context) error {
	x.answer = answer{}
	if x.call.Request == nil {
		return nil
	}
	return readParameters(ctx, x)
}

func (x *exchange) steps(ctx context.Context, list []step) error {
	for i := range list {
		if err := x.step(ctx, &list[i]); err != nil {
			return err
		}
	}
	return nil
}

func (x *exchange) step(ctx context.Context, s *step) error {
	if x.watch == nil {
		return s.run(ctx, x)
	}
	began := time.Now()
	err := s.run(ctx, x)
	x.watch.Ran(s.name, began)
	return err
}
