// Package jsonapi is the format JSON:API 1.1 (https://jsonapi.org/format/1.1/),
// application/vnd.api+json.
//
//	resource.Config{Formats: append(format.Standard(), jsonapi.Format)}
//
// A record is the data of a document:
//
//	{"type": "treasures", "id": "1", "attributes": {"name": "Gold"},
//	 "relationships": {"owner": {"data": {"type": "users", "id": "1"}, "links": {"related": "/api/users/1"}}},
//	 "links": {"self": "/api/treasures/1"}}
//
// The type is the last part of the collection's path. The identifier is the id, a text, and no
// attribute; references are relationships, and no attributes either. What a handler answers that
// is no record of a resource is in meta (of what is no object as its member value), and so are their
// bodies.
//
// References that a resource's Get shows are at addresses of their own,
// /treasures/1/relationships/tags, too: Get reads one, Patch replaces it, and of a list Post adds to
// it and Delete takes away. They are the resource's Get and Patch, with all that holds for these.
//
// The query has include, fields[TYPE] (of the type that is asked for), sort, page[number],
// page[size], page[cursor], filter[name] and filter[name][gte], with the meaning of Trove's own
// parameters, which may be used as well. A filter of a reference takes an id, too. No extension is
// supported (ext: 406, 415), profiles are passed over.
package jsonapi
