package execute

import (
	"context"

	"github.com/trove-api/trove/internal/compiled"
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
	steps   = [...]step{
		{"parents", readParents, (*compiled.Operation).HasParents},
		{"read", read, readsRecords},
		{"authorize", authorizeRecord, actsOnRecord},
		{"expand", embed, embeds},
		{"preconditions", holdConditions, writes},
		{"references", noteReferences, refers},
		{"deserialize", deserialize, (*compiled.Operation).TakesBody},
		{"relationship", changeList, changesList},
		{"apply", apply, appliesInput},
		{"created", keepCreateOnly, keepsCreateOnly},
		{"parents", setParents, takesParents},
		{"members", guardMembers, guardsMembers},
		{"members", guardCreating, guardsCreating},
		{"prepare", prepare, (*compiled.Operation).Prepares},
		{"validate", validate, (*compiled.Operation).TakesBody},
		{"authorize", authorizeChange, authorizesChanges},
		{"authorize", guardCreated, guardsCreating},
		{"write", write, runsOrWrites},
		{"expand", embed, embedsWritten},
	}
	keeps = [...]step{{"replay", keep, nil}}
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

	steps []*step
	views views

	keepsCreated bool // it must not change members that are set at creation alone
	guarded      map[string]*compiled.Resource

	// What every call asks, found once.
	tells, inTransaction, transacts bool
	compares                        bool // the record with what it was before
}

// Of returns what executes an operation, which does not change any more.
func Of(op *compiled.Operation) *Operation {
	o := &Operation{Operation: op, keepsCreated: keepsCreateOnly(op), guarded: guarded(op)}
	o.tells, o.inTransaction, o.transacts = op.TellsRequest(), op.InTransaction(), op.Transacts()
	o.compares = op.HasHooks() || guardsMembers(op) || o.keepsCreated || op.Relationship != nil && op.Kind.Writes()
	for i := range steps {
		if s := &steps[i]; s.concerns(op) {
			o.steps = append(o.steps, s)
		}
	}
	return o
}

// TellsRequest is that of the compiled operation.
func (o *Operation) TellsRequest() bool { return o.tells }

// InTransaction is that of the compiled operation.
func (o *Operation) InTransaction() bool { return o.inTransaction }

// Transacts is that of the compiled operation.
func (o *Operation) Transacts() bool { return o.transacts }
