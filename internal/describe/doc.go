// Package describe makes the schemas and examples of what an API takes and answers, of the
// compiled model that the API also runs on. A struct has a schema for each role that it plays;
// each is a definition, named when all are known. Documents, tools of agents and tests read
// the same ones.
package describe
