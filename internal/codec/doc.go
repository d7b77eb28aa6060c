// Package codec turns JSON bodies into records and records into JSON, by plans made
// once from the compiled model: decoders, an encoder and a copier for each type.
//
// Decoding reads a body once and collects everything that is wrong with it. Paths are
// by JSON names: "address.city" for a member, "tags[1]" for an element, "labels[key]"
// for an entry of a map, as validator writes them.
//
// Encoding writes what [json.Marshal] of github.com/go-json-experiment/json writes
// with Deterministic, byte for byte, less the write-only members. It differs in one
// thing: a slice of a named byte type is base64, like []byte.
package codec
