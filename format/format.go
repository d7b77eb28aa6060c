package format

import "encoding/json"

// JSON is the media type of JSON (RFC 8259).
const JSON = "application/json"

// Format is one format. MediaType is needed, and JSON or a function; of all others the zero
// value is the default named at the field. A function that is nil is something that the
// format cannot do: operations that need it do without the format. All of them are called by
// many goroutines at once.
type Format struct {
	// MediaType is the media type of answers, which Accept chooses, in lower case and
	// without parameters: "text/csv".
	MediaType string
	// ContentType is the field Content-Type of answers. Default: MediaType.
	ContentType string
	// Suffix is the end of paths that choose the format, with its dot: ".csv". Default:
	// none, so that only Accept chooses it.
	Suffix string

	// JSON makes it the JSON of Trove as it is: bodies are read as they come, a record is
	// its object, a collection the array of them. Read, Item and Collection are nil then.
	// With Stream the format is lines of JSON instead: a record on each, and collections
	// alone. Default: false.
	JSON bool
	// Stream answers a collection as a whole, record by record and in constant memory. Its
	// Page then has no links and no total, and an error on the way breaks the answer off.
	// Default: false, a page at a time.
	Stream bool

	// Linked says that the format writes itself what records refer to: AppendJSON and Members of
	// an [Item] leave out the member _embedded, and Embedded returns the records. Default: false.
	Linked bool
	// EmbedsOnce says that a response has each embedded record once at most, as Included returns them, however
	// many records refer to it. The budget of expansions then counts it once. Default: false, a record is
	// embedded in each record that refers to it.
	EmbedsOnce bool
	// Supports reports whether a media type of the format with these parameters, names in lower
	// case, means the format. A range of Accept that does not is passed over, as if it were not
	// there; a body's Content-Type that does not is 415. It is called only where there are
	// parameters, q not being one. Default: nil, all are passed over but a charset of a body, which
	// must be UTF-8.
	Supports func(parameters map[string]string) bool
	// Relationships gives the references of records addresses of their own, at which the format
	// alone is spoken: it is what stands there between the address of a record's Get and the name of the
	// member, "/relationships/". They are read by GET and set by PATCH; a list of them is added to by
	// POST and taken away from by DELETE, whose bodies have those that are added or taken away. For
	// is handed a type with that member alone. Reading one is the resource's Get, and a change of it its
	// Patch, with their hooks, rules and conditions; without these it is not there. Default: "", there are none.
	Relationships string
	// Query turns the query of a request, as it is in the URL, into one with Trove's own
	// parameters; of a collection only if that is asked for in the format. Errors are as of Read.
	// Default: nil, it is read as it comes.
	Query func(query string) (string, error)

	// Reads are the media types of bodies that Read is called for. Default: MediaType.
	Reads []string
	// Patches are further ones that it reads for a Patch, which come before Reads. Default:
	// none.
	Patches []string
	// Read turns a body into JSON in the form that operations document: an object with the
	// members of the record. It has room for at most what Config.MaxBodyBytes lets in, and
	// must not make more of it than a small multiple. An [*Error] tells the client what is
	// wrong; so do operation.Error and validation.Fail. Any other error is 400 that says no
	// more than which media type was expected. Default: nil, no bodies.
	Read func(body *Body) ([]byte, error)

	// Item appends an answer of one record, or of whatever a handler returned, to b.
	// An error is the service's fault: 500. Default: nil, collections alone.
	Item func(b []byte, item Item) ([]byte, error)
	// Collection is how collections of records are answered. Default: not at all.
	Collection Collection

	// WriteError appends a refusal to b. Default: nil, application/problem+json (RFC 9457), as
	// is a refusal before the format of the answer is known.
	WriteError func(b []byte, refusal *ErrorResponse) ([]byte, error)
	// ErrorType is the media type of what Refuse writes. Default: ContentType.
	ErrorType string

	// For makes the functions for one type, when the API is made: once for each type that an
	// operation reads or answers, each record's of a collection. Of what it returns Read, Query, Item,
	// Collection and Schema are used, in place of those of the format; Query is that of the type of
	// answers. An error is a mistake in
	// the declaration. Default: nil, the format's own functions are for all types.
	For func(t *Type) (Format, error)

	// ForAPI makes the format for one API, when that is made. Of what it returns all but the media
	// types, Suffix, JSON and Stream is used, in place of what is here. The API is complete once
	// New has returned it, and until then has no more than its Prefix. An error is a mistake in the
	// declaration. Default: nil, the format is the same for all.
	ForAPI func(api *API) (Format, error)
	// Documents lists what else there is in the format, at paths of their own. It is called once, at
	// the end of New. Default: nil, nothing.
	Documents func() []Document

	// Index appends the list of collections that the API's prefix answers. Default: nil; the
	// prefix answers without the format.
	Index func(b []byte, entries []Entry) ([]byte, error)
	// Schema returns the JSON Schema of an answer, or of a body, in the format, given the
	// schema of one record or of a handler's type as JSON has it, often a $ref, and whether
	// there is a collection of them. What it returns may refer to parts of that schema:
	// {"$ref":"#/record"} is the record, {"$ref":"#/record/properties/title"} one of its members. With
	// properties or required beside the former it is the record with these members over its own,
	// without _embedded. In a collection {"$ref":"#/item"} is what Schema returns of a record. Default:
	// nil, a text.
	Schema func(record json.RawMessage, collection bool) json.RawMessage
	// SchemaName is what the name of a record's schema gets behind it, with a dot, for that of
	// the format's own: "jsonld" for Book.jsonld. Default: "", Schema has no name.
	SchemaName string
	// ErrorSchema is the JSON Schema of what Refuse writes. Default: nil, it is not told of.
	ErrorSchema json.RawMessage
}

// Collection is how a format writes collections. They are written piece by piece, so that a
// record that cannot be written is left out without a trace, and streams need no more room
// than one piece.
type Collection struct {
	// Begin and End append what stands before and behind the records. Default: nothing.
	Begin, End func(b []byte, page Page) ([]byte, error)
	// Item appends one of the records. Default: nil, the format answers no collections.
	Item func(b []byte, item Item) ([]byte, error)
	// Separator stands between two records. Default: nothing.
	Separator string
}

// Standard returns the formats of an API that names none, in a new slice that the caller may
// append to: JSON, which also reads merge patches (RFC 7396), and NDJSON for collections.
func Standard() []Format {
	return []Format{
		{MediaType: JSON, Suffix: ".json", JSON: true, Patches: []string{"application/merge-patch+json"}},
		{MediaType: "application/x-ndjson", Suffix: ".ndjson", JSON: true, Stream: true},
	}
}
