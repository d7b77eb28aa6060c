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
//	readonly   the service sets it; what clients send for it is ignored
//	writeonly  clients send it; no answer shows it
//	unique     no two records have the same value: 409
//	filter     collections can be filtered by it (filter=exact|partial|…)
//	sort       collections can be ordered by it
//
// A pointer is nullable. An integer identifier, or one that marshals itself as text
// such as a UUID, is made by the store; a string identifier is the client's.
//
// # Stores
//
// A resource without a Store keeps its records in memory, in a store of its own made
// by store/memory; they are gone when the program ends.
//
// # Deviations from API Platform
//
// All six operations are there by default, Put included. Put updates unless
// standard_put is set, as in API Platform 3.1. Null members are written, not left out.
// Unknown members and unknown query parameters are refused. Path segments know
// acronyms: HTTPServer is http_servers.
package resource
