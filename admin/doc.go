// Package admin serves an admin page for an API, at /admin. People find, create, change and delete records there, and run
// your own operations. [Mount] adds it to an API. Its files are embedded in the program, so there is nothing to build or to
// deploy. Programs that do not import the package do not contain them.
//
// The page is an ordinary client of the API: it sends the requests of the person who uses it, with their credentials. So
// access rules, validation, hooks and limits apply as always, and the admin adds no permission of its own. In addition to its
// files, it has two paths, which return JSON for the caller:
//
//   - /model describes the resources, operations, fields and schemas that rules may allow for this caller, and how to sign
//     in. It contains no name of a field that rules hide from the caller in every record.
//   - /permissions?path=/api/books/1 returns the operations that the caller may run on a record, as unmet those that only the
//     state of the record does not allow, and the fields that they cannot set. With several parameters path, up to 100, it
//     returns those of several records. Records that are missing or hidden are absent. Each path runs the Get of the record,
//     with its rules, limits and observers.
//
// The content security policy of the page allows no other script, style or host than its own, and the identity provider
// of [Config].ClientID.
package admin
