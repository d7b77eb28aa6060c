// Package codec turns JSON bodies into records and records into JSON, by plans made
// once from the compiled model: decoders, an encoder and a copier for each type.
//
// Decoding reads a body once and collects everything that is wrong with it. Paths are
// by JSON names: "address.city" for a member, "tags[1]" for an element, "labels[key]"
// for an entry of a map, as validator writes them.
//
// There are two plans by which a type is decoded. A scanner takes most bodies in which
// nothing is wrong, in less than half of the time; a decoder takes all bodies, and says what
// is wrong. A scanner that meets what it does not know gives up and leaves no trace.
//
// Encoding writes what [json.Marshal] of github.com/go-json-experiment/json writes
// with Deterministic, byte for byte, less the write-only members. It differs in one
// thing: a slice of a named byte type is base64, like []byte.
package codec
