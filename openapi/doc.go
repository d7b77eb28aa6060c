// Package openapi describes an API to people and programs: an OpenAPI 3.1 document built
// from the compiled model that the API also runs on, and Swagger UI to read it with.
//
//	api, err := resource.New(resource.Config{}, Books)
//	if err == nil {
//		err = openapi.Mount(api, openapi.Config{Title: "Bookshop", Version: "1.0.0"})
//	}
//
// # Schemas
//
// A struct has a schema for each part that it plays:
//
//	Book        what answers show: every member, those left out when empty not required
//	BookSparse  what answers show where clients choose the members by fields: the
//	            identifier alone is required
//	BookCreate  the body of a Post, and of a Put that replaces
//	BookUpdate  the body of a Put that replaces, where it differs from BookCreate:
//	            members that answers never show may be left out, and an identifier
//	            that clients choose must be the one in the path
//	BookPatch   a merge patch, the body of a Patch and of a Put that updates
//
// The names follow from the short name and the struct alone, not from which operations
// there are. Other structs are components too, with the same suffixes; one that is
// nothing but the body of an operation has none. Generic types read from the inside out:
// Page[shop.Book] is BookPage. Types of one name from several packages have the package
// before it.
//
// # Rules
//
// Every rule of a validate tag that JSON Schema can say is said, in requests and in
// answers. An answer states no rule that what is stored may break: not on members with
// omitempty that cannot be null, nor in structs that only a handler's answer consists
// of. Rules hold for answers because writes are checked by them; a Processor, or a store
// filled by others, that brings records which break them makes the document wrong.
//
// A rule that keywords cannot say, such as eqfield, is said in words, and marked by a
// format of its own: a value that follows the keywords may still be refused. The same
// goes for types that marshal themselves. That no text has the character U+0000 is true of
// every API and said nowhere.
//
// # Parameters
//
// Every parameter is documented in the order in which a refusal lists those that are
// allowed, with its type, default, limits and an example; one of an operation's own with
// all its rules. What no keyword can say has a format: cursor, for a position that the
// service gave, and range, for two values with .. between them, each of which the same
// field's [gte] would take. Parameters that are valid alone are valid together, except by
// rules of the user's own that name another parameter; which one goes before the other
// stands in their descriptions.
//
// # Answers
//
// An operation tells in full what clients act on: success, 304, wrong parameters, broken
// rules, 404, 409, 412 where it takes If-Match, and 428. A problem (RFC 9457) as default
// stands for every other refusal; Config.EveryStatus tells each of them. Refusals are
// components, and so are parameters, header fields and successes that several operations
// have alike: PageParameter, BookIdParameter, BookResponse.
//
// # Changing the document
//
// An operation's OpenAPI function changes that operation, which then shares no parameter,
// header field or success with others; Config.Customize comes last and changes anything,
// a component for all that refer to it. Problems that they add get an example, if they have
// none. What comes out is checked by the specification.
package openapi
