// Package operation says what an operation of an API resource is: its kind, its
// metadata, and the functions of the user's that run in it.
//
// The six kinds are Get, GetCollection, Post, Put, Patch and Delete. Each is a
// plain struct literal with the fields of [Metadata]; the zero value of every
// field is the convention, so operation.Get{} is a complete operation.
//
//	Operations: []operation.Operation{
//		operation.Get{URITemplate: "/dragon-plunder/{id}"},
//		operation.GetCollection{URITemplate: "/dragon-plunder"},
//		operation.Post{},
//		operation.Post{
//			Name: "discount", URITemplate: "/treasures/{id}/discount",
//			Handler: operation.Handle(discount),
//		},
//	}
//
// # Functions run again
//
// A write is one transaction of the store: read, apply the body, prepare,
// validate, write. A store may run the transaction again after a conflict with
// another one, so every hook and handler must be repeatable: it changes the record
// it is given and what it reaches through the context's transaction, nothing else.
//
// # Slow work
//
// Other requests wait for a transaction. Slow work runs before it: in resource.Of's BeforeTransaction, or in the
// first function of [HandleAfter]. If the record changes in the meantime, that function runs again.
//
// # Refusing
//
// A hook or handler refuses by returning an error: an [Error] is sent as a problem,
// validation.Fail joins the field errors of the answer, store.ErrNotFound and
// store.ErrConflict become 404 and 409. Any other error is a 500 that tells the
// client nothing and is logged.
package operation
