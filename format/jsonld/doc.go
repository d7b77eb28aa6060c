// Package jsonld is the format JSON-LD 1.1 with the Hydra core vocabulary: records are nodes that
// are named by their addresses, collections have members and views of their pages, and what there
// is can be found out from the entrypoint alone.
//
//	resource.Config{Formats: append(format.Standard(), jsonld.Format)}
//
// A record has @context, @id and @type beside the members of its JSON; a reference is the IRI of
// another node, or that node where the client asks for it (expand). Bodies may have @context, @id
// and @type, which must then be those of the record. Below the API's prefix there are
//
//	/contexts/Book   the context of each resource, of Entrypoint, Error and ConstraintViolation
//	/docs.jsonld     the API documentation, to which a field Link of each answer leads
//
// Links between records need resource.Paths, which is the default: where references are
// identifiers they are values here, too.
package jsonld
