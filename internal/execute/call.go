package execute

import (
	"context"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/conditional"
	"github.com/trove-api/trove/internal/gate"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/operation"
)

// Call is what is asked of an operation. It is run once, by one goroutine.
type Call struct {
	Operation  *Operation
	ID         any                // of the record that the call names; nil for none
	Member     any                // the identifier that a membership is about; nil for other operations
	Parents    []any              // of the records that it names above, in the order of Operation.Parents
	Values     *parameters.Values // nil for those of a call without parameters
	Body       []byte             // JSON, of an operation that takes a body
	Conditions conditional.Conditions
	Key        *Key               // nil for none
	Stream     bool               // a collection is read batch by batch: Next
	EmbedsOnce bool               // the response has each embedded record once, however many records refer to it
	Request    *operation.Request // what hooks, handlers and stores see; nil for one that the call makes where they look
	Principal  any                // who calls; nil for whom operation.WithPrincipal has named in the context, or nobody
	Scopes     access.Scopes      // what the principal's credentials grant
	Caller     Caller             // nil for one to whom the result is enough
	Watcher    Watcher            // nil for none

	State []byte // room for states of records, which the next call may use again
	Room  *Room  // the same for all else, once it is cleared; nil until some was needed

	ownRequest bool      // the call has made the request
	ran        bool      // a transaction has run the steps
	authorized bool      // Authorize has been called
	prepared   *prepared // before the transaction; nil where all steps run in it
	latest     any       // the record as the transaction has found it, for the next start; nil for none
	caller     gate.Caller
	met        bool                        // rules of other resources know who asks
	selected   map[gate.Set]*codec.Encoder // of the members asked for without hidden ones
	attempt
}

// attempt is what one run of the steps makes of a call. A transaction may run them again,
// and then begins with the zero value: what a run leaves behind is in here, and nowhere else.
type attempt struct {
	Result

	tx       compiled.Tx // nil outside of a transaction
	previous any         // the record before the change; nil for none
	inserted bool        // the record is new, and has been saved
	saved    bool        // something has been
	in       any         // pointer to what the body is decoded onto: the record, or a handler's own
	decoded  codec.Decoded
	members  []string      // that the body or the path sets; nil until sent lists them
	held     map[held]bool // references of the record before the change
	elements []*element    // the records of a handler's body
	added    []int         // the places in the body of what its list has come to have behind that
	written  gate.Set      // the fields with rules that the caller has been allowed to write
	refusals []error       // of Prepare, told together with broken rules
	embeds   int           // how many records the response embeds, or the batch of a stream
	whole    bool          // all steps have run, so that the transaction may end
}

// Result is what comes of a call. It is valid until the call is run again or reset.
type Result struct {
	Record   any            // pointer to the record that the call is about
	Created  bool           // it is a new one
	Unsaved  bool           // the Processor has saved nothing, so that the record shows no state
	Out      any            // what is answered: the record, or what a handler has returned; nil for a collection
	Items    compiled.Items // of a collection; nil for what is none
	Total    int            // of a collection, or NoTotal
	More     bool           // the store has records behind them
	Embedded []*Embedded    // what the record, or those of Items, refer to; nil for nothing
	Broken   []error        // of records that the store could not read, which Items lack

	Replayed bool   // there was an answer to the same call before: Kept
	Kept     []byte // what Caller.Keep has returned then
}

// Caller is who makes a call, where it has a part in the transaction.
// It is an interface rather than three functions, since the exchange that makes the call is one
// value that is there already: functions would be allocated for each request.
type Caller interface {
	// Answer makes the answer of a result, before the transaction ends, so that nothing is
	// saved that cannot be answered.
	Answer(ctx context.Context, result *Result) error
	// Keep returns the answer that was made, as a call with the same key is handed it.
	Keep() ([]byte, error)
	// Again is called before the steps run once more: what was made of the result is to be
	// forgotten, and what hooks may have changed of the call, to be made anew.
	Again(ctx context.Context) error
}

// Watcher is told of steps.
// It is nil where nobody observes, which costs a request one comparison a step and no clock.
type Watcher interface {
	// Ran says that a step has run, and when it began.
	Ran(step string, began time.Time)
}

// Describe makes what hooks, handlers and stores see of a call, in place of what an earlier
// run of the steps has left of it. Its Origin is the caller's to set.
func (c *Call) Describe(ctx context.Context) {
	if c.Principal == nil {
		c.Principal = operation.PrincipalFrom(ctx)
	}
	if c.Request == nil {
		c.Request = new(operation.Request)
	}
	*c.Request = operation.Request{
		Origin:          c.Request.Origin,
		Kind:            c.Operation.Kind,
		Name:            c.Operation.Name,
		ExtraProperties: c.Operation.Extra,
		Parameters:      c.Values.Own,
		Principal:       c.Principal,
		Scopes:          c.Scopes,
	}
}

// describe makes the request of a call whose caller has made none.
// Variables are strings, as a path has them, whichever protocol the call came by.
func (c *Call) describe(ctx context.Context) {
	c.Describe(ctx)
	variables := map[string]string{}
	c.Request.Origin = operation.From(nil, variables)
	for i, key := range c.Parents {
		if text, err := c.Operation.Parents[i].Resource.ID.Text(key); err == nil {
			variables[c.Operation.Parents[i].Variable] = text
		}
	}
	if !c.Operation.Item {
		return
	}
	id := c.Operation.Resource.ID
	for _, name := range id.Names() {
		if text, err := id.Variable(c.ID, name); err == nil { // else there is no such record
			variables[name] = text
		}
	}
}
