// Package mcp serves an API to AI agents over the Model Context Protocol, by streamable HTTP. [Mount] adds the path /mcp to
// an API. Programs that do not import the package do not link the protocol.
//
// # Tools
//
// Each operation is a tool. It has the operation's id as its name, and the texts, schemas and rules of the OpenAPI
// document. Hidden operations are not tools, and neither are those in [Config].Without, such as a login. A call runs as a
// request over HTTP does, with the same access rules, validation, hooks, transaction, limits and observers. Its arguments
// are one object with
//
//   - the variables of the path: {"id": 1}
//   - the fields of the body: {"id": 1, "title": "Dune"}. A body that is not an object is the argument body.
//   - filters, sort, q, fields, expand, itemsPerPage, and the operation's own query parameters and header fields. Names have
//     _ instead of brackets and dots: value_gte for value[gte]. A list is an array, and null means that the argument is
//     absent.
//   - cursor, of a collection: the next page
//   - If-Match, if the API requires preconditions, and Idempotency-Key, if it supports idempotency keys
//
// A field with the name of a path variable appears only once, as the variable. In the body of a handler it can have a
// different meaning, so it is called body_name. A parameter with the name of a field is called query_name or header_name.
//
// Clients accept only names of up to 64 ASCII letters, digits, _ and -. Other names of operations, fields and parameters
// have _ instead of other characters, and end in a hash of the whole name. It is always the same.
//
// Structured content is the JSON of the response, and clients without support for it get the same as text. A page is
// {"items": […], "nextCursor": "…"}; the last page has no nextCursor. The cursor contains the other arguments, so it is
// enough for the next call. The protocol requires objects, so a handler's list is {"items": […]}, and any other value is
// {"value": …}.
//
// An error is a result with isError. Its text is the problem or the violations as JSON, as over HTTP; names of fields
// are names of arguments. Two more texts may follow: the scope that is missing, and when to try again. They come from
// the response header. A 5xx contains only the id of the incident in the log. The HTTP status is 401 for invalid
// credentials, and for anonymous callers who could make the call if they signed in. As over HTTP, its field
// WWW-Authenticate lists the schemes.
//
// # Callers
//
// Credentials come with each HTTP request. The API's own schemes read them, or a middleware sets the principal with
// operation.WithPrincipal. Lists of tools and resource templates contain what the caller may use, as far as rules can
// decide without a record. The server keeps no state between requests, so any instance can serve them.
//
// # Resources
//
// A record is a resource. Its URI is its path, such as /api/books/1, as in references and Location. Each Get without a
// handler is a template. Reading a resource returns the response of that Get as JSON. Hidden and missing records both
// return not found.
package mcp
