package operation

import (
	"cmp"
	"net/http"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
)

// Operation is one of the literals [Get], [GetCollection], [Post], [Put], [Patch], [Delete] and [Aggregate]. No other type
// implements it.
type Operation interface {
	// Kind returns which of the kinds the literal is.
	Kind() Kind
	// Metadata returns the fields of the literal.
	Metadata() Metadata

	sealed()
}

// Metadata holds the settings of an operation. All literals have these fields. The zero value of each field is the
// default named there.
type Metadata struct {
	// Name distinguishes operations of one kind and starts the operation's id in the OpenAPI document: "discount" gives
	// discountDragonTreasure. It has letters and digits and starts with a lower-case letter. Default: the id of the
	// kind, such as getDragonTreasure. A second operation of the kind that has its own View, Output or Input adds the
	// name of that type or view, such as listDragonTreasureCards.
	Name string
	// URITemplate is the path below the API's prefix, such as "/dragon-plunder/{id}" (RFC 6570 level 1). Its variable
	// is the JSON name of the identifier. A composite identifier needs one variable for each field, each as a whole
	// segment or several in one segment with semicolons between them. A template that ends in {._format} accepts format
	// suffixes. If a further variable of a Put or Delete is a list of references of the record, that operation changes
	// the list: "/treasures/{id}/tags/{tags}". A Put adds the referenced record to the list, and a Delete removes it.
	// A Handler may have any other variables, which it reads by [Request.Variables]. They must not read like the
	// identifier, as {bookId} and {book} do for a Book.
	// Default: the plural of the resource's short name in snake case, then /{identifier} for items, with suffixes.
	URITemplate string
	// Summary is the operation's one-line title in the OpenAPI document. Default: a text made from the kind and the
	// short name.
	Summary string
	// Description is the operation's longer text in the OpenAPI document, in Markdown. Default: none.
	Description string
	// Status is the HTTP status of success. Default: 200; 201 for a Post without a Handler; 204 for Delete and for an
	// empty response. A Post that saves no record, such as one whose Processor puts it into a queue, needs a status
	// other than 201: see [Process].
	Status int
	// Handler is the function of a custom operation, made by [Handle] or [HandleAfter], the fields that it sets, made by
	// [Set], or [Restore] or [Purge]. Default: nil, the standard behavior of the kind.
	Handler Handler
	// Processor wraps the save of Post, Put, Patch, Delete and of a Handler that changes its record. It is made by
	// [Process]. Default: the resource's.
	Processor Processor
	// Access is the rule for calling the operation. It replaces the resource's rule for the verb: Read for Get and
	// GetCollection, Create for Post, Update for Put and Patch, Delete for Delete. A Handler on a Get or GetCollection
	// is guarded by Read. On other kinds, Update guards a Handler with a record and Create one without. Default: the
	// resource's rule. Hidden operations need a rule too.
	Access access.Rule
	// When is a condition on the record that the operation changes, such as access.Where("status", "requested"). It is
	// checked on the record before the change, after Access and before preconditions and the body. If it does not hold,
	// the response is a 409 whose detail has the name of the rule: "The booking must meet this condition: status is
	// requested." A name set by access.Named that ends with a period is the whole detail. A rule that depends on the
	// principal is allowed. When is for operations with a record in the path, and for a Handler that takes a [PatchOf] of
	// the resource, which checks each record. When a Put with AllowCreate creates its record, nothing is checked.
	// Default: none, the operation is possible in any state.
	When access.Rule
	// ExtraProperties are properties of your own, merged by name over those of the resource. Hooks and handlers read
	// them as [Request.ExtraProperties]. Trove itself reads "standard_put" (a bool): if it is true, Put replaces the
	// record. Default: the resource's.
	ExtraProperties map[string]any
	// AllowCreate lets a Put create a missing record (201). The client must set the identifier; it cannot be generated.
	// Default: false, and a missing record is a 404.
	AllowCreate bool
	// Parameters are additional query and header parameters, declared by [Parameters]. Default: none.
	Parameters ParameterSet
	// Pagination sets how a GetCollection or Aggregate is paged. Default: the resource's.
	Pagination Pagination
	// Order is the sort order of a GetCollection if the client requests none: JSON names of fields, with "-" before a
	// descending one. The most significant field comes first. Default: the resource's.
	Order []string
	// Expand lists the references whose records a Get or GetCollection always embeds, in "_embedded". Each is a JSON
	// name, or two joined by a dot for a reference of the referenced record. The word expand in the api tag lets
	// clients request an expansion instead: ?expand=owner,tags. Default: none.
	Expand []string
	// Nested lists names of the resource's Inverse. The body of a Post, Put or Patch, which is JSON, may have the records of
	// these lists as objects, without their reference to the record itself. A Post creates them. In a Put or Patch, a list is
	// the whole truth: records that it omits are deleted first, elements with the identifier of a record in the list change
	// it, and others are created. A list that the body omits stays as it is, and so do records that the caller cannot see.
	// Each record is saved by the Post, Put, Patch or Delete of its own resource, with its Access, When, Prepare, validation
	// and Processor, all in one transaction; a Patch also serves as a Put, and the other way round. The response embeds the
	// lists in "_embedded". Their maximum length is MaxNested of resource.Config. Default: none.
	Nested []string
	// SparseFields lets clients of a Get or GetCollection choose the fields of the response with fields=name,value. The
	// identifier is always sent. Default: the resource's.
	SparseFields bool
	// View limits the fields in the response of a Get or GetCollection. Default: the resource's, else all fields.
	View *View
	// Output converts the record to another type for the response. It is made by [Output] and excludes a View. Default:
	// the resource's, else the record itself.
	Output OutputType
	// Input is another type for the body of Post, Put and Patch, made by [Input] or [InputOf]. Default: the resource's,
	// else the record itself.
	Input InputType
	// RequirePrecondition rejects changes without If-Match or "If-None-Match: *" with 428 (RFC 6585, section 3). It
	// applies to Put, Patch, Delete and a Handler that saves its record. If-Unmodified-Since is not enough, because two
	// changes within a second have the same time. Default: the resource's.
	RequirePrecondition bool
	// CacheControl is the Cache-Control header (RFC 9111) of the responses of a Get or GetCollection. Default: the
	// resource's, else "no-cache": caches store the response, but revalidate it each time.
	CacheControl string
	// Idempotency is how long the response to a Post with an Idempotency-Key is stored. A request that repeats the key
	// gets the stored response, and nothing is saved again. A different request with the same key returns 422
	// (draft-ietf-httpapi-idempotency-key-header). The store must implement store.ResponseKeeper. Default: the
	// resource's; negative for none.
	Idempotency time.Duration
	// Deprecated is when the operation was or will be deprecated. Responses announce it in the Deprecation header (RFC
	// 9745). Default: the resource's; the zero time for not at all.
	Deprecated time.Time
	// Sunset is when the operation is expected to end. Responses announce it in the Sunset header (RFC 8594). Default:
	// the resource's; the zero time for never.
	Sunset time.Time
	// DeprecationLink is the URL of a page about the deprecation, sent in a Link header with the relation
	// "deprecation". Default: the resource's; "" for none.
	DeprecationLink string
	// MaxBodyBytes is the maximum size of a body in bytes, at most 1 TiB; a larger body returns 413. It is only for
	// operations that take a body. Default: 0, that of resource.Config.
	MaxBodyBytes int64
	// Timeout limits the time of the operation, including reading the body and sending the response. When it expires,
	// the context of hooks, handlers and stores ends and the response is a 503, or a 408 if the body is late. A stream, such
	// as NDJSON, has the time for each of its batches. Default: the resource's, else that of resource.Config; negative for
	// none.
	Timeout time.Duration
	// Formats are the formats of the operation's responses and bodies, the default one first. They replace those of the
	// resource and of resource.Config. Default: the resource's, else those of resource.Config.
	Formats []format.Format
	// Anonymous treats every request as anonymous and ignores its credentials, so that a caller with an expired token
	// can still sign in or out. If a scheme reads a cookie, requests from other origins that change something get a
	// 403. Default: false.
	Anonymous bool
	// ResponseHeader documents the response header fields that hooks and handlers set by [Request.ResponseHeader], with
	// a description of each: {"Set-Cookie": "The session."}. Not every field that is set needs to be listed. Default:
	// none.
	ResponseHeader map[string]string
	// Hidden leaves the operation out of the OpenAPI document. It is still served. Default: false.
	Hidden bool
}

// Get returns one record: 200, or 404.
type Get Metadata

// GetCollection returns the records that match the request's parameters, page by page: 200 and a JSON array.
type GetCollection Metadata

// Post creates a record: 201, with its path in Location.
type Post Metadata

// Put updates a record as [Patch] does: 200, or 404. Fields and entries of maps that the body omits are kept; null removes
// an entry. With the extra property standard_put, the body replaces the record, as in API Platform.
type Put Metadata

// Patch updates a record by a JSON merge patch (RFC 7396): 200, or 404. Lists are replaced as a whole.
type Patch Metadata

// Delete deletes a record: 204, or 404.
type Delete Metadata

// Aggregate counts records in groups, and sums, averages and compares their values, as the words group and aggregate of the
// api tag allow: GET /bookings/aggregate?group=from:month&sum=total. The response is 200 and a JSON array of groups. It takes
// the filters and pages of a [GetCollection], and Access.Read guards it. A value that the caller may not read counts as null.
// The store must be a store.Aggregator. The default URITemplate is that of the collection with /aggregate.
type Aggregate Metadata

// Standard returns all six operations with their defaults, in a new slice.
func Standard() []Operation {
	return []Operation{Get{}, GetCollection{}, Post{}, Put{}, Patch{}, Delete{}}
}

// Kind returns [KindGet].
func (Get) Kind() Kind { return KindGet }

// Kind returns [KindGetCollection].
func (GetCollection) Kind() Kind { return KindGetCollection }

// Kind returns [KindPost].
func (Post) Kind() Kind { return KindPost }

// Kind returns [KindPut].
func (Put) Kind() Kind { return KindPut }

// Kind returns [KindPatch].
func (Patch) Kind() Kind { return KindPatch }

// Kind returns [KindDelete].
func (Delete) Kind() Kind { return KindDelete }

// Kind returns [KindAggregate].
func (Aggregate) Kind() Kind { return KindAggregate }

// Metadata returns the fields of the literal.
func (o Get) Metadata() Metadata { return Metadata(o) }

// Metadata returns the fields of the literal.
func (o GetCollection) Metadata() Metadata { return Metadata(o) }

// Metadata returns the fields of the literal.
func (o Post) Metadata() Metadata { return Metadata(o) }

// Metadata returns the fields of the literal.
func (o Put) Metadata() Metadata { return Metadata(o) }

// Metadata returns the fields of the literal.
func (o Patch) Metadata() Metadata { return Metadata(o) }

// Metadata returns the fields of the literal.
func (o Delete) Metadata() Metadata { return Metadata(o) }

// Metadata returns the fields of the literal.
func (o Aggregate) Metadata() Metadata { return Metadata(o) }

func (Get) sealed()           {}
func (GetCollection) sealed() {}
func (Post) sealed()          {}
func (Put) sealed()           {}
func (Patch) sealed()         {}
func (Delete) sealed()        {}
func (Aggregate) sealed()     {}

// Kind is the kind of an operation. Its zero value is not a kind.
type Kind int

// The kinds, those of [Standard] in its order.
const (
	// KindGet returns one record.
	KindGet Kind = iota + 1
	// KindGetCollection returns a page of records, or all of them.
	KindGetCollection
	// KindPost creates a record.
	KindPost
	// KindPut updates a record, or replaces it.
	KindPut
	// KindPatch updates a record by a merge patch (RFC 7396).
	KindPatch
	// KindDelete deletes a record.
	KindDelete
	// KindAggregate computes values of groups of records.
	KindAggregate
)

var kinds = map[Kind]struct{ name, method string }{
	KindGet:           {"Get", http.MethodGet},
	KindGetCollection: {"GetCollection", http.MethodGet},
	KindPost:          {"Post", http.MethodPost},
	KindPut:           {"Put", http.MethodPut},
	KindPatch:         {"Patch", http.MethodPatch},
	KindDelete:        {"Delete", http.MethodDelete},
	KindAggregate:     {"Aggregate", http.MethodGet},
}

// String returns the name of the literal, such as "GetCollection", or "unknown".
func (k Kind) String() string { return cmp.Or(kinds[k].name, "unknown") }

// Method returns the HTTP method, or "" for an unknown kind.
func (k Kind) Method() string { return kinds[k].method }

// Writes reports whether the kind changes records: Post, Put, Patch and Delete do.
func (k Kind) Writes() bool { return k >= KindPost && k <= KindDelete }

// TakesBody reports whether requests of the kind carry a body: Post, Put and Patch do.
func (k Kind) TakesBody() bool { return k >= KindPost && k <= KindPatch }

// Pagination sets how a collection is paged. It can be set for an API, a resource and an operation. A field that is not
// set comes from the next wider level, else it has the default named at the field. Set a switch with a pointer:
// new(true).
type Pagination struct {
	// Enabled turns paging on. If it is off, every response has the whole collection. Default: true.
	Enabled *bool
	// ClientEnabled lets clients request the whole collection with pagination=false. Default: false.
	ClientEnabled *bool
	// ItemsPerPage is the page length if the client requests none, at most 1,000,000. Default: 30.
	ItemsPerPage int
	// MaxItemsPerPage is the longest page that clients can request, at most 1,000,000. Default: 100, or ItemsPerPage if
	// that is more.
	MaxItemsPerPage int
	// ClientItemsPerPage lets clients choose the page length with itemsPerPage. Default: true.
	ClientItemsPerPage *bool
	// MaxPage is the greatest page number, at most 1,000,000,000. It limits the cost, because a store has to skip all
	// records before the page. Later records are reached by cursor. Default: 10,000.
	MaxPage int
	// Total is how the records on all pages are counted. Default: [TotalCapped], up to 10,000 records.
	Total Total
	// Partial counts nothing, as [TotalNone] does, and takes precedence over Total. Default: false.
	Partial *bool
	// ClientPartial lets clients choose with partial=true or partial=false, regardless of what is set for them. They then
	// get a total as Total sets it, which is capped for TotalNone. Default: false.
	ClientPartial *bool
	// ClientOffset lets clients start a page at any record with offset=40, which skips 40 records. The greatest offset
	// is (MaxPage-1) times the longest page that clients can choose. It has no effect with ViaCursor. Default: false.
	ClientOffset *bool
	// ViaCursor links pages by cursors from the first one on and removes page numbers. Every page costs the same, and
	// no record is repeated or skipped when others are created or deleted. Such pages have no total. Default: false;
	// clients can still start with an empty cursor.
	ViaCursor *bool
}

// Total is how a collection counts the records on all its pages. The zero value is not set; see [Pagination]. An [Aggregate]
// computes all its groups anyway, so it counts them all unless its Total is TotalNone.
type Total string

// The ways to count. Pages by cursor and streams count nothing, and a response with the whole collection counts everything.
const (
	// TotalCapped counts up to 10,000 records, which keeps the cost of a page independent of the size of the collection.
	// Up to that number, X-Total-Count has the total. Beyond it, the response has X-Total-More-Than: 10000 instead, and no
	// link to the last page. It is the default.
	TotalCapped Total = "capped"
	// TotalExact counts all records for each page. X-Total-Count has the total.
	TotalExact Total = "exact"
	// TotalEstimated is TotalCapped, except for more than 10,000 records that nothing restricts: no filter, search, parent
	// or trash, and no condition of an access rule. X-Total-Estimate then has the estimate of the store, if the store is a
	// store.Estimator.
	TotalEstimated Total = "estimated"
	// TotalNone counts nothing. Responses have neither a total nor a link to the last page, and clients cannot request the
	// total alone.
	TotalNone Total = "none"
)

// View limits the fields that responses show of a record. A View of a resource applies to every response that shows a
// record, including those of writes. A View of a Get or GetCollection replaces it there. It does not affect bodies, nor
// If-Match, which compares the whole record.
//
//	operation.GetCollection{View: &operation.View{Name: "TreasureCard", Fields: []string{"id", "name"}}}
//
// Parameters never filter, search, sort or select by a field that the view leaves out. Two views of one resource with
// the same name must have the same fields.
type View struct {
	// Name is the name of the schema in the OpenAPI document. Required: letters, digits and underscores, beginning with
	// a letter.
	Name string
	// Fields lists the JSON names of the fields to show, each once. Required: at least one. Responses have exactly
	// these. A field of a referenced record, such as "owner.username", embeds that record with just the fields so named.
	// The columns of CSV have the order of this list; JSON and other formats have the order of the struct.
	Fields []string
}
