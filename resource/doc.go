// Package resource turns structs into API resources. Declare each with [Of] and combine them with [New]:
//
//	var Books = resource.Of[Book]{Description: "A book on sale."}
//
//	api, err := resource.New(resource.Config{}, Books)
//
// The API is an http.Handler with routes, validation and persistence for each operation. With openapi.Mount it also
// serves an OpenAPI document, which is built from the same compiled model.
//
// # Struct tags
//
// Trove reads json, validate (github.com/go-playground/validator/v10), doc, example,
// default, message and one tag of its own, api, with these words, separated by commas:
//
//	id         identifies the record in paths (default: the field ID)
//	readonly   only the server sets it, and values from clients are ignored; with id,
//	           a part of a composite identifier that Prepare or the path sets
//	writeonly  clients send it, and responses omit it
//	createonly clients set it when the record is created, and never change it
//	hidden     stored, but in no request or response: the hash of a secret
//	password   like writeonly; stores keep only hashes of package access/password in it
//	unique     no two records can have the same value: 409
//	index      stores index it, for your own queries
//	version    an integer that counts how often a record was saved; Trove sets it
//	created    a time.Time of the record's creation; Trove sets it
//	modified   a time.Time of the record's last change; Trove sets it
//	deleted    a *time.Time: deleted records go to a trash, and this is when
//	filter     clients can filter by it: exact, iexact, partial, start, end or word_start,
//	           range and exists, joined by "|": filter=exact|range; contains for a slice
//	sort       clients can sort by it
//	search     the parameter q searches it
//	group      an Aggregate can group by it
//	aggregate  an Aggregate can compute its sum, average, minimum and maximum
//	title      names the record for people, in the admin and in references to it
//	ref        references records of another resource: ref=User; see [References]
//	expand     with ref: clients can embed the record with ?expand=owner
//	through    with ref: clients can filter and sort by the record's fields: through=username
//	ondelete   with ref: restrict (default), cascade or null if the record is deleted
//	header     in a struct of operation.Parameters: a header instead of a query parameter
//
// A pointer is nullable. The store generates an integer identifier, or one that marshals itself as text, such as a UUID.
// The client sets a string identifier. A field with the word id that a store generates is read-only in every body.
//
// Rules about several records, such as unique pairs and bookings that do not overlap, are a method of the struct:
//
//	func (Seat) Constraints() []store.Constraint {
//		return []store.Constraint{store.Unique("row", "number")}
//	}
//
// # Collections
//
// A GetCollection returns pages. The query parameters page and itemsPerPage select one. The response header Link (RFC
// 8288) has the URLs of the other pages, and X-Total-Count has the total, up to 10,000 records. Paging by cursor neither repeats nor skips
// records while others are created and deleted. Tags declare filters, sorting and search; operation.Pagination, Order
// and SparseFields set the rest. As application/x-ndjson, or with the suffix .ndjson, a collection is a stream of all
// its records. An unknown or invalid parameter returns a 400 that names it.
//
// # Stores
//
// A resource without a Store keeps its records in memory (package store/memory), and they are lost when the program ends.
// Package store/sqlstore stores them in SQLite or PostgreSQL.
//
// # Deviations from API Platform
//
// By default a resource has all six operations, including Put. Put updates unless standard_put is set, as in API Platform
// 3.1. Null fields are sent, not omitted. Unknown fields and query parameters are rejected. Path segments treat acronyms as
// words: HTTPServer is http_servers.
package resource
