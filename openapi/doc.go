// Package openapi serves an OpenAPI 3.1 document of an API, and Swagger UI to read it and try requests. The document is
// built from the same compiled model that serves requests.
//
//	api, err := resource.New(resource.Config{}, Books)
//	if err == nil {
//		err = openapi.Mount(api, openapi.Config{Title: "Bookshop", Version: "1.0.0"})
//	}
//
// Use [Document] or [Export] to get the document without a server.
//
// # Schemas
//
// A struct has one schema for each of its uses:
//
//	Book        responses: every field; fields with omitempty are not required
//	BookSparse  responses with fields that the client selects: only the identifier is required
//	BookCreate  the body of a Post, and of a Put that replaces
//	BookUpdate  the body of a Put that replaces, if it differs from BookCreate: fields that responses never show are
//	            optional, and an identifier that clients choose must equal the one in the path
//	BookPatch   a merge patch: the body of a Patch, and of a Put that updates
//
// The names depend only on the short name and the struct, not on the declared operations. Other structs are components
// with the same suffixes, except a struct that is only the body of an operation, which has none. Names of generic types
// begin with their arguments: Page[shop.Book] is BookPage. If types of several packages have the same name, the package
// precedes it.
//
// # Rules
//
// Schemas state every rule of a validate tag that JSON Schema can express. Schemas of responses omit rules that stored
// values may violate. These are rules on fields with omitempty that cannot be null, and in structs that only a handler
// returns. Other rules hold for responses because writes are validated. A Processor, or another program, that stores
// invalid records makes the document wrong.
//
// A rule that keywords cannot express, such as eqfield, is described in words and marked by its own format. The service
// may then reject a value that the keywords allow. The same applies to types that marshal themselves.
//
// # Parameters
//
// Parameters have the order in which errors list them, with type, default, limits and an example; an operation's own
// parameters have all their rules. Some have a format for what keywords cannot express. It is cursor for a position
// that the service returned, and range for two values with .. between them. Parameters that are valid alone are valid
// together, unless a rule of your own names another parameter. Descriptions say which parameter takes precedence.
//
// # Responses
//
// Each operation documents success, 304 and the errors that clients handle; the default response is a problem (RFC
// 9457) for all other errors. Errors are components, and so are parameters, headers and responses that several
// operations share: PageParameter, BookIdParameter, BookResponse.
//
// # Changing the document
//
// A function of Config.Operations changes one operation, which then shares no parameter, header or response with others.
// Config.Customize runs last and can change anything, such as translate the texts that Trove writes, which are English.
// The result is validated.
package openapi
