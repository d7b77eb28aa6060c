// Package describe says of the types of an API what clients may send and get: it makes the
// schemas of internal/schema, with texts and examples, from the compiled model. Structs are
// definitions, named when all are known. It knows no form in which they are published, so that
// documents, tools of agents and tests describe alike.
package describe
