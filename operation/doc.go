// Package operation defines the operations of an API resource: their kinds, their settings and the functions that run
// in them.
//
// The kinds are Get, GetCollection, Post, Put, Patch, Delete and Aggregate. Each is a struct literal with the fields of
// [Metadata]. Every zero value is the default, so operation.Get{} is a complete operation.
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
// # Retries
//
// A write is one transaction of the store: read, apply the body, prepare, validate, write. The store may rerun the
// transaction after a conflict with another one. Every hook and handler must therefore be retryable: it must change
// only the record it gets and what it reaches through the context's transaction.
//
// # Slow work
//
// A transaction can make other requests wait. Do slow work before it: in BeforeTransaction of resource.Of, or in the
// first function of [HandleAfter]. If the record changes in the meantime, that function runs again.
//
// # Errors
//
// A hook or handler rejects a request by returning an error. An [Error] is sent as a problem, validation.Fail adds to
// the validation errors of the response, and store.ErrNotFound and store.ErrConflict become 404 and 409. Other errors
// are logged and returned as a 500 without details.
package operation
