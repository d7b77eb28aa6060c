// Package mcp serves an API to agents, by the Model Context Protocol over streamable HTTP.
// [Mount] adds the path /mcp to an API; programs that do not import the package link nothing of
// the protocol.
//
// # Tools
//
// Each operation is a tool, which has the operation's id as its name, and the texts, schemas and
// rules of the document. Hidden operations have none, nor have those that [Config].Without names,
// such as a login, nor the relationships that formats have at addresses of their own. A call takes
// the same way as a request of the operation: the same rules of access, validation, hooks,
// transaction, limits, observers. Its arguments are in one object:
//
//   - the variables of the path: {"id": 1}
//   - the members of the body beside them: {"id": 1, "title": "Dune"}. A body that is no
//     object is the argument body.
//   - filters, sort, q, fields, expand, itemsPerPage and the operation's own parameters, of the
//     query and of the header. A name has a dot for a bracket, for models take no other: value.gte
//     for value[gte]. A list is an array, an argument that is null is not there. What the query
//     takes besides, such as order[name], is taken by its name there.
//   - cursor, of a collection: where the next page begins
//   - If-Match, where the API wants preconditions, and Idempotency-Key, where it keeps answers
//
// A member that has the name of a variable is not there twice: the path has it. But of a handler's
// body, where it may be something else, it is called body.name. A parameter that has the name of a
// member is called query.name, or header.name.
//
// Structured content is the JSON of the operation's answer, and text beside it for clients that know no
// other. A page is {"items": […], "nextCursor": "…"}; without nextCursor it is the last one. It
// has the other arguments in it, so that cursor alone leads on. An answer of a handler that is no object
// is {"items": […]} for a list and else {"value": …}, since the protocol wants objects.
//
// A refusal is a result with isError, and the problem or the violations as JSON in its text, in
// the words of HTTP: names of members are names of arguments. A text beside it tells which scope the
// credentials lack, and when to try again, as the header of HTTP does. A failure of the service tells
// nothing but the incident that the log has. Two refusals are those of the connection: credentials
// that are not good, and a caller who is nobody but may do it once signed in, are answered 401 with
// the ways to sign in, as HTTP would.
//
// # Who asks
//
// Credentials are those of each HTTP request, read by the API's own schemes, or whom a middleware
// has named by operation.WithPrincipal. Lists of tools and of templates of resources have what the
// caller may use, as far as rules tell without a record. Nothing is kept between requests, so any of
// several instances may answer.
//
// # Resources
//
// A record is a resource by its address, such as /api/books/1, as references and Location have
// it. The templates are those of each Get without a handler. What is read is the answer of that Get
// as JSON; a missing record and a hidden one are not found alike.
package mcp
