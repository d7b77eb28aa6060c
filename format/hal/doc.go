// Package hal is the format HAL (draft-kelly-json-hal-11), application/hal+json: JSON with the references of a record
// in _links, and embedded records in _embedded.
//
//	resource.Config{Formats: append(format.Standard(), hal.Format)}
//
// A record:
//
//	{"_links": {"self": {"href": "/api/treasures/1"}, "owner": {"href": "/api/users/1"}}, "id": 1, "name": "Gold"}
//
// References are links instead of fields: null has no link, and a list is an array of links. Expanded records are in
// _embedded under the same name. A collection has its records in _embedded.item, its pages in _links (self, first,
// prev, next, last) and its total in totalItems. The URI template (RFC 6570) of its query is in _links.search. The
// API's prefix returns a link to each collection. Errors are application/problem+json.
//
// A client can send back a record that it has read and changed. Links that are references set them; other links and
// _embedded are ignored. If the self link is that of another record, the request returns 409.
package hal
