package execute

import (
	"context"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
)

// step is one step of a call.
type step struct {
	name     string
	run      func(ctx context.Context, c *Call) error
	concerns func(op *compiled.Operation) bool // nil for all of them
}

// The steps of a call with a key, and between the two those of any call.
var (
	replays = [...]step{{"replay", lookUp, nil}}
	first   = [...]step{
		{"parents", readParents, (*compiled.Operation).HasParents},
		{"read", read, readsRecords},
		{"authorize", authorizeRecord, actsOnRecord},
		{"expand", embed, embeds},
		{"preconditions", holdConditions, writes},
		{"references", noteReferences, refers},
		{"deserialize", deserialize, decodesBody},
		{"deserialize", takeElements, receivesElements},
		{"relationship", changeList, changesList},
		{"apply", apply, appliesInput},
		{"created", keepCreateOnly, keepsCreateOnly},
		{"parents", setParents, takesParents},
		{"members", guardMembers, guardsMembers},
		{"members", guardCreating, guardsCreating},
		{"prepare", prepare, (*compiled.Operation).Prepares},
		{"validate", validate, decodesBody},
		{"validate", judgeElements, receivesElements},
		{"authorize", authorizeChange, authorizesChanges},
		{"authorize", guardCreated, guardsCreating},
	}
	last = [...]step{
		{"write", write, runsOrWrites},
		{"expand", embed, embedsWritten},
	}
	keeps = [...]step{{"replay", keep, nil}}

	// Where a function runs before the transaction, it comes behind the first steps. The transaction then begins with
	// those of them that look at what is stored.
	befores = [...]step{{"before", callBefore, nil}}
	again   = [...]step{
		{"parents", readParents, (*compiled.Operation).HasParents},
		{"read", read, readsRecords},
		{"authorize", authorizeRecord, actsOnRecord},
		{"preconditions", holdConditions, writes},
		{"resume", resume, nil},
	}
)

func readsRecords(op *compiled.Operation) bool {
	return op.Item || op.IsCollection()
}

func writes(op *compiled.Operation) bool { return op.Kind.Writes() }

func runsOrWrites(op *compiled.Operation) bool {
	return op.Handler != nil && !op.Paged || op.Kind.Writes()
}

// Operation is a compiled operation with the steps that concern it. It is safe for use by
// many goroutines.
type Operation struct {
	*compiled.Operation

	ahead []*step // before the transaction; nil where all of them run in it
	steps []*step
	views views

	keepsCreated bool // it must not change members that are set at creation alone
	guarded      map[string]*compiled.Resource
	fromService  []*model.Field // the parts of the identifier that the service sets
	element      *Operation     // what saves the records of a handler's body; nil for none

	// What every call asks, found once.
	tells, inTransaction, transacts bool
	compares                        bool // the record with what it was before
}

// Of returns what executes an operation, which does not change any more.
func Of(op *compiled.Operation) *Operation {
	o := &Operation{Operation: op, keepsCreated: keepsCreateOnly(op), guarded: guarded(op), fromService: op.Resource.ID.FromService()}
	o.tells, o.inTransaction, o.transacts = op.TellsRequest(), op.InTransaction(), op.Transacts()
	o.compares = op.HasHooks() || guardsMembers(op) || o.keepsCreated || op.Relationship != nil && op.Kind.Writes()
	if op.Element != nil {
		o.element = Of(op.Element)
		o.element.compares = true // functions are told what was there
	}
	if op.RunsBefore() {
		o.ahead = concerning(op, first[:], befores[:])
		o.steps = concerning(op, again[:], last[:])
	} else {
		o.steps = concerning(op, first[:], last[:])
	}
	return o
}

// concerning returns the steps that concern an operation.
func concerning(op *compiled.Operation, lists ...[]step) (chosen []*step) {
	for _, list := range lists {
		for i := range list {
			if s := &list[i]; s.concerns == nil || s.concerns(op) {
				chosen = append(chosen, s)
			}
		}
	}
	return chosen
}

// TellsRequest is that of the compiled operation.
func (o *Operation) TellsRequest() bool { return o.tells }

// InTransaction is that of the compiled operation.
func (o *Operation) InTransaction() bool { return o.inTransaction }

// Transacts is that of the compiled operation.
func (o *Operation) Transacts() bool { return o.transacts }
