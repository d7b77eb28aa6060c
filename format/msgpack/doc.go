// Package msgpack is the format MessagePack: what JSON says, in fewer bytes. Answers, pages,
// refusals, the list of collections and bodies have the members and values of their JSON.
//
//	resource.Config{Formats: append(format.Standard(), msgpack.Format)}
//
// Times are texts (RFC 3339) and bytes are texts (base64), as in JSON. A number is the shortest
// integer that holds it, or a float of 64 bits. Bodies are read strictly: names of members are
// texts, texts are UTF-8, numbers finite, and there are no extension types and no binary values.
package msgpack
