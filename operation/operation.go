package operation

import (
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
)

// Operation is one of the six literals [Get], [GetCollection], [Post], [Put],
// [Patch] and [Delete]. No other type satisfies it.
type Operation interface {
	// Kind returns which of the six kinds the literal is.
	Kind() Kind
	// Metadata returns the fields of the literal.
	Metadata() Metadata

	sealed()
}

// Metadata is what each of the six literals says of its operation. The zero value of
// every field is the convention named at the field.
type Metadata struct {
	// Name tells operations of one kind apart and begins the operation's id in the
	// document ("discount" gives discountDragonTreasure). Default: the kind's own id,
	// such as getDragonTreasure; of a further one with a View, Output or Input of its own, with the name
	// of that in it, such as listDragonTreasureCards. Letters and digits, beginning with a lower-case letter.
	Name string
	// URITemplate is the path below the API's prefix, such as "/dragon-plunder/{id}"
	// (RFC 6570 level 1). Its variable is the JSON name of the identifier; where several fields
	// make it there is one for each, in segments of their own or with semicolons between them. A template
	// that ends in {._format} takes format suffixes. Default: the plural of the
	// resource's short name in snake case, then /{identifier} for items, with suffixes.
	URITemplate string
	// Summary is the operation's one line in the document. Default: made of the kind
	// and the short name.
	Summary string
	// Description is the operation's longer text in the document, in Markdown.
	Description string
	// Status is the status of success. Default: 200; 201 for Post without a Handler;
	// 204 for Delete and where there is nothing to send. A Post that saves no record, such
	// as one whose Processor puts it into a queue, has another one than 201: see [Process].
	Status int
	// Handler is the body of a custom operation, made by [Handle] or [HandleAfter]. Default: what the
	// kind does by convention.
	Handler Handler
	// Processor wraps the save of Post, Put, Patch, Delete and of a Handler that
	// changes its record; made by [Process]. Default: the resource's.
	Processor Processor
	// Access says who may do the operation, in place of the resource's rule for its verb: Read of a Get
	// or GetCollection, Create of a Post, Update of a Put or Patch, Delete of a Delete. With a Handler, Read
	// guards a Get or GetCollection; of the other kinds, Update guards one that has a record, and Create one that
	// has none. Default: that rule. Hidden operations have it, too.
	Access access.Rule
	// ExtraProperties are free for users, over those of the resource, name by name: hooks
	// and handlers read them as [Request.ExtraProperties]. Trove itself reads
	// "standard_put" (a bool): Put replaces the record.
	ExtraProperties map[string]any
	// AllowCreate lets a Put create the record when it is missing (201). Default:
	// 404. The identifier must be the client's own, not a generated one.
	AllowCreate bool
	// Parameters are query and header parameters of the operation's own, made by
	// [Parameters]. Default: none but those that Trove itself reads.
	Parameters ParameterSet
	// Pagination is how a GetCollection is cut into pages. Default: that of the
	// resource.
	Pagination Pagination
	// Order is the order of a GetCollection where the client asks for none: JSON names
	// of fields, the weightiest first, with "-" before those in descending order, as in
	// "-value". Default: that of the resource.
	Order []string
	// Expand are the references whose records a Get or GetCollection always answers with, in
	// "_embedded" beside the members: JSON names, or two joined by a dot for a reference of the
	// record that is referred to. What clients may ask for by expand=owner,tags is for the tags
	// of the struct to say. Default: none.
	Expand []string
	// SparseFields lets clients of a Get or GetCollection choose the members that are
	// sent, by fields=name,value; the identifier always is. Default: that of the
	// resource.
	SparseFields bool
	// View is what the answers of a Get or GetCollection show of a record. Default: that of the
	// resource, else all members.
	View *View
	// Output is another type that answers have in place of the record; made by [Output]. Default:
	// that of the resource, else the record itself. Not together with a View.
	Output OutputType
	// Input is another type that the bodies of Post, Put and Patch have in place of the record;
	// made by [Input] or [InputOf]. Default: that of the resource, else the record itself.
	Input InputType
	// RequirePrecondition refuses a Put, Patch or Delete, and a Handler that saves its
	// record, unless the request says which state it changes by If-Match, or that there is
	// none yet by "If-None-Match: *": 428 (RFC 6585). Times do not count, for two changes
	// within a second have one. Default: that of the resource.
	RequirePrecondition bool
	// CacheControl is the field Cache-Control (RFC 9111) of the answers of a Get or
	// GetCollection. Default: that of the resource, else "no-cache": caches keep the
	// answer, and ask each time whether it is still the one.
	CacheControl string
	// Idempotency is how long the answer to a Post that carries an Idempotency-Key is
	// kept: the same request with the same key is given it again, and saves nothing.
	// The store must be a store.ResponseKeeper. Default: that of the resource; negative
	// for none.
	Idempotency time.Duration
	// Deprecated is since when, or from when on, clients should no longer use the
	// operation; its answers then say so in Deprecation (RFC 9745). Default: that of the
	// resource; the zero time for not at all.
	Deprecated time.Time
	// Sunset is when the operation is expected to end; answers say so in Sunset
	// (RFC 8594). Default: that of the resource; the zero time for never.
	Sunset time.Time
	// DeprecationLink is the address of a text on the deprecation, sent in Link with the
	// relation "deprecation". Default: that of the resource; "" for none.
	DeprecationLink string
	// MaxBodyBytes is the size in bytes up to which a body is read; a larger one is
	// answered 413. Default: that of resource.Config.
	MaxBodyBytes int64
	// Timeout is how long the operation may take, its body and its answer included. Then
	// the context of hooks, handlers and stores ends, and the answer is 503, or 408 where
	// the body is late. Default: that of the resource, else of resource.Config; negative
	// for none.
	Timeout time.Duration
	// Unset are the names of fields that the resource sets and this operation does not
	// take over, such as "RequirePrecondition" for one that needs none: for them the
	// convention is as if the resource said nothing. Default: none.
	Unset []string
	// Formats are the formats of the operation's answers and bodies, the usual one first, in
	// place of all others. Default: those of the resource, else of resource.Config.
	Formats []format.Format
	// Anonymous makes every request of the operation one of nobody: no scheme is asked whose
	// credentials it has, so that who has bad ones can sign in, or out, all the same. Where a scheme reads a cookie,
	// what would change something is refused to pages of other origins: 403. Default: the schemes of the API.
	Anonymous bool
	// ResponseHeader are the fields that functions set in the header of a successful
	// answer by [Request.ResponseHeader], with what each says, for the document: {"Set-Cookie": "The session."}. It may leave
	// some out. Default: none.
	ResponseHeader map[string]string
	// Hidden keeps an operation that is served out of the document.
	Hidden bool
	// OpenAPI changes the built operation of the document: a function of the type
	// func(*openapi3.Operation) (github.com/getkin/kin-openapi/openapi3). It is
	// declared as any to keep that library out of programs without a document; a
	// value of another type is an error of resource.New.
	OpenAPI any
}

// Get answers one record: 200, or 404.
type Get Metadata

// GetCollection answers the records that its parameters ask for, page by page: 200, a
// JSON array.
type GetCollection Metadata

// Post creates a record: 201, with its address in Location.
type Post Metadata

// Put updates a record: 200, or 404. Members left out of the body are kept; with the
// extra property standard_put they are reset, as in API Platform.
type Put Metadata

// Patch updates a record by a JSON merge patch (RFC 7396): 200, or 404.
type Patch Metadata

// Delete removes a record: 204, or 404.
type Delete Metadata

// Standard returns the six operations, each with its conventions, in a new slice that
// the caller may append to.
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

func (Get) sealed()           {}
func (GetCollection) sealed() {}
func (Post) sealed()          {}
func (Put) sealed()           {}
func (Patch) sealed()         {}
func (Delete) sealed()        {}
