// Package msgpack is the format MessagePack: the same content as JSON in fewer bytes. Responses, pages, errors, the
// list of collections and bodies have the fields and values of their JSON.
//
//	resource.Config{Formats: append(format.Standard(), msgpack.Format)}
//
// Times are strings (RFC 3339) and bytes are strings (base64), as in JSON. A number is the shortest integer that fits,
// or a 64-bit float. Bodies are read strictly: names of fields must be strings, strings must be UTF-8, and numbers
// must be finite. Extension types and binary values are rejected.
package msgpack
