// Package spec is what the black-box tests of Trove share: a client that sends requests to an API in the same process or
// over the wire, and records, callers and stores of several tests. The tests themselves are in the packages below, by
// theme: declarations, bodies, collections, relations, composite keys, views, formats, bulk, hooks, access, routes and wire.
package spec
