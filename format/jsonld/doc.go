// Package jsonld is the format JSON-LD 1.1 with the Hydra core vocabulary. Records are nodes with their paths as IRIs.
// Collections link their records and the views of their pages. Clients discover the API from its entry point.
//
//	resource.Config{Formats: append(format.Standard(), jsonld.Format)}
//
// A record has @context, @id and @type in addition to the fields of its JSON. A reference is the IRI of another node,
// or that node if the client expands it. Bodies may have @context, @id and @type, which must then be those of the
// record. Below the API's prefix are
//
//	/contexts/Book   the context of each resource, of Entrypoint, Error and ConstraintViolation
//	/docs.jsonld     the API documentation; each response has a Link to it
//
// Links between records need resource.Paths, the default. With identifiers as references, the format has identifiers
// too.
package jsonld
