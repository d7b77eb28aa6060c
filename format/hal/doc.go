// Package hal is the format HAL (draft-kelly-json-hal-11), application/hal+json: JSON with the
// addresses of what a record refers to in _links, and the records themselves in _embedded.
//
//	resource.Config{Formats: append(format.Standard(), hal.Format)}
//
// A record:
//
//	{"_links": {"self": {"href": "/api/treasures/1"}, "owner": {"href": "/api/users/1"}}, "id": 1, "name": "Gold"}
//
// References are links and no members; null is none, a list is an array of links. What
// expand asks for is in _embedded under the same name, as records in HAL. A collection has its
// records in _embedded.item, its pages in _links (self, first, prev, next, last) and, in
// _links.search, the template (RFC 6570) of what clients may ask of it; totalItems is how many
// records there are. The API's prefix answers with a link to each collection. Refusals are
// application/problem+json.
//
// A body may be what was read, changed: its links that are references set them, others and
// _embedded are passed over. One whose self is another record's is refused with 409.
package hal
