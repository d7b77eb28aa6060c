// Package resource turns structs into API resources. A resource is declared as a
// literal, [Of], and any number of them become an API by [New]:
//
//	var Books = resource.Of[Book]{Description: "A book on sale."}
//
//	api, err := resource.New(resource.Config{}, Books)
//
// The API is an http.Handler with chi routes, validation and persistence for each
// operation; openapi.Mount documents it from the same compiled model.
//
// # Struct tags
//
// Trove reads json, validate (github.com/go-playground/validator/v10), doc, example,
// default, message and one tag of its own, api, with these words, separated by commas:
//
//	id         names the record in paths (default: the field ID)
//	readonly   the service sets it; what clients send for it is ignored; with id,
//	           a part of a composite identifier that Prepare or the path sets
//	writeonly  clients send it; no answer shows it
//	hidden     it is kept, and no message has it: the hash of a secret
//	unique     no two records have the same value: 409
//	version    an integer that counts the changes of a record; Trove sets it
//	created    a time.Time, when the record was created; Trove sets it
//	modified   a time.Time, when the record was changed last; Trove sets it
//	filter     collections can be filtered by it; exact, iexact, partial, start, end or
//	           word_start, and range and exists, joined by "|": filter=exact|range;
//	           contains for what is in a slice
//	sort       collections can be ordered by it
//	search     the parameter q looks into it
//	header     in a struct of operation.Parameters: a header field, not one of the query
//
// A pointer is nullable. An integer identifier, or one that marshals itself as text
// such as a UUID, is made by the store; a string identifier is the client's. A field with
// the word id that is made by a store is read-only in whatever body its struct stands.
//
// # Collections
//
// A GetCollection answers page by page: page and itemsPerPage choose one, Link has the
// addresses of the others, X-Total-Count the total, and cursor leads from page to page
// while records come and go. Filters, order and search are those that tags allow;
// operation.Pagination, Order and SparseFields set the rest. As application/x-ndjson, or
// with the suffix .ndjson, a collection is a stream of all its records. A parameter that
// is not known or not valid is answered 400 and named.
//
// # Stores
//
// A resource without a Store keeps its records in memory, in a store of its own made
// by store/memory; they are gone when the program ends. store/sqlstore keeps them in
// SQLite or PostgreSQL.
//
// # Deviations from API Platform
//
// All six operations are there by default, Put included. Put updates unless
// standard_put is set, as in API Platform 3.1. Null members are written, not left out.
// Unknown members and unknown query parameters are refused. Path segments know
// acronyms: HTTPServer is http_servers.
package resource
