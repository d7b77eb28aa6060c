package serve

import (
	"context"
	"errors"
	"net/http"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/operation"
)

// errTrial is what observers see of a request that nothing is saved of, although its response is a success.
var errTrial = errors.New("a trial: its transaction is rolled back")

// ErrUndone ends the transaction of [Operation.Together] without saving anything.
var ErrUndone = errors.New("the requests are undone")

// Nests reports whether several requests of the operation can run in one transaction, of which each can be undone. Not with a
// function before the transaction, because nothing undoes what it does.
func (o *Operation) Nests() bool {
	_, nests := o.owner.Store.(compiled.Nester)
	for i := range o.nested {
		nests = nests && o.nested[i].create.before == nil
	}
	return nests && !o.Reads && o.before == nil
}

// Together runs a function that serves inner requests of the operation in one transaction, which may run again after a
// conflict. Requests that are made of r belong to the transaction. What nest's function serves is undone if it returns
// false. If the function returns an error, nothing is saved; Together sends the response of any other error than ErrUndone.
func (o *Operation) Together(
	w http.ResponseWriter, r *http.Request, client *Client, run func(r *http.Request, nest func(func() (keeps bool)) error) error,
) (err error) {
	nester := o.owner.Store.(compiled.Nester)
	c := o.unrouted(w, r)
	c.Client, c.format, c.path = *client, o.standard, o.Path()
	c.identify(r.Context())
	s := &seen{op: o, path: c.path, received: r} // histories name the caller and the operation
	s.request = operation.Request{Origin: s, Kind: o.Kind, Name: o.Name, ExtraProperties: o.Extra, Principal: c.principal, Scopes: c.scopes}
	err = nester.Transact(operation.WithRequest(r.Context(), &s.request), storing(func(ctx context.Context, _ compiled.Tx) error {
		return run(r.WithContext(ctx), func(part func() bool) error { return nester.Nest(ctx, part) })
	}))
	if err != nil && !errors.Is(err, ErrUndone) {
		c.sendError(c.explainConflict(err))
	}
	return err
}
