// Package jsonapi is the format JSON:API 1.1 (https://jsonapi.org/format/1.1/), application/vnd.api+json.
//
//	resource.Config{Formats: append(format.Standard(), jsonapi.Format)}
//
// A record is the data of a document:
//
//	{"type": "treasures", "id": "1", "attributes": {"name": "Gold"},
//	 "relationships": {"owner": {"data": {"type": "users", "id": "1"}, "links": {"related": "/api/users/1"}}},
//	 "links": {"self": "/api/treasures/1"}}
//
// The type is the last part of the collection's path. The identifier is the id, a string, and not an attribute.
// References are relationships, and not attributes. Results and bodies of handlers that are not records are in meta; a
// value that is not an object is the field value of meta.
//
// The query has include, fields[TYPE] (for the type of the response), sort, page[number], page[size], page[cursor],
// filter[name] and filter[name][gte]. They mean the same as Trove's own parameters, which work too. A filter of a
// reference also accepts an id. Extensions are not supported (ext: 406, 415), and profiles are ignored.
package jsonapi
