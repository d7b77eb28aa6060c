package httpserve

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// errEnding is the error of a stream that its server ends.
var errEnding = errors.New("the server is shutting down")

// endingKey is where the context of a request has what ends streams.
type endingKey struct{}

// WithEnding returns the base context of a server whose streams end when ending is done.
func WithEnding(ctx, ending context.Context) context.Context {
	return context.WithValue(ctx, endingKey{}, ending)
}

// endsWithServer ends a stream when its server shuts down, which would wait for the last record else. It cancels the
// context that it returns and, because the client may be slow, what is being written. Stop is called after the
// last write.
func (x *exchange) endsWithServer(ctx context.Context) (_ context.Context, stop func(), ending context.Context) {
	ending, _ = ctx.Value(endingKey{}).(context.Context)
	if ending == nil {
		return ctx, func() {}, context.Background()
	}
	ctx, cancel := context.WithCancel(ctx)
	control := http.NewResponseController(x.w)
	unhook := context.AfterFunc(ending, func() {
		cancel()
		_ = control.SetWriteDeadline(time.Now()) // a writer without deadlines ends at the next record
	})
	return ctx, func() { unhook(); cancel() }, ending
}
