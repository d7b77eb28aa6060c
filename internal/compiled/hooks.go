package compiled

// HasHooks reports whether functions of the user's run in the operation, which may refuse
// with any status.
func (o *Operation) HasHooks() bool {
	return o.Handler != nil || o.Processor != nil || o.Prepares() || o.RunsBefore()
}

// Prepares reports whether the resource's Prepare hook runs in the operation.
func (o *Operation) Prepares() bool {
	return o.Resource.Prepare != nil && o.TakesBody() && o.Handler == nil
}

// RunsBefore reports whether a function of the user's runs before the transaction: the resource's
// BeforeTransaction, or that of a handler.
func (o *Operation) RunsBefore() bool {
	if o.Handler != nil {
		return o.Handler.Before() != nil
	}
	return o.Resource.Before != nil && o.TakesBody()
}

// TellsRequest reports whether somebody may ask for the request: the user's functions, or
// a store that is not in memory.
func (o *Operation) TellsRequest() bool {
	return o.HasHooks() || o.Input != nil || o.Output != nil || o.Computes() || o.ComputesWithin() ||
		o.Resource.AsksRequest || o.Gate.runs() || o.Resource.Gate.Runs()
}

// runs reports whether functions of the user's run for the rules.
func (g *Gate) runs() bool { return g != nil && (g.Read.Runs() || g.Act.Runs() || g.Create.Runs()) }

// Transacts reports whether hooks run in a transaction, and could begin another one beside
// it.
func (o *Operation) Transacts() bool { return o.HasHooks() && o.InTransaction() }
