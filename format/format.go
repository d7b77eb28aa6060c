package format

import "encoding/json"

// JSON is the media type of JSON (RFC 8259).
const JSON = "application/json"

// Format is one wire format. MediaType and either JSON or a function are required; the zero value of every other field is
// the default given there. A nil function is something that the format does not support; operations that need it are
// not available in the format. All functions must be safe for concurrent use.
type Format struct {
	// MediaType is the media type of responses that Accept selects, in lower case and without parameters: "text/csv".
	MediaType string
	// ContentType is the Content-Type of responses. Default: MediaType.
	ContentType string
	// Suffix is the path suffix that selects the format, with its dot: ".csv". Default: "", only Accept selects it.
	Suffix string

	// JSON makes the format Trove's own JSON: bodies are read as they come, a record is its object, a collection an
	// array. Read, Item and Collection must then be nil. With Stream the format is JSON lines, for collections only.
	// Default: false.
	JSON bool
	// Stream writes the whole collection, record by record, in constant memory. Its [Page] has no links and no total,
	// and an error on the way aborts the response. Default: false, one page per response.
	Stream bool

	// Linked declares that the format writes embedded records itself: AppendJSON and Fields of an [Item] omit the field
	// _embedded, and Embedded returns the records. Default: false.
	Linked bool
	// EmbedsOnce declares that a response contains each embedded record at most once, as Included returns them. The
	// limits on embedded records then count it once. Default: false, each record embeds its own copy.
	EmbedsOnce bool
	// Supports reports whether a media type with these parameters means the format. Names are in lower case, and q is
	// left out; it is called only if there are parameters. Ranges of Accept that are not supported are ignored; a body with such a
	// Content-Type gets 415. Default: nil, parameters are ignored except the charset of a body, which must be UTF-8.
	Supports func(parameters map[string]string) bool
	// Query converts the raw query of a request to one with Trove's own parameters. For a collection it is called only
	// if the response is in the format. Its errors are those of Read. Default: nil, the query is used as it is.
	Query func(query string) (string, error)

	// Reads are the media types of bodies that Read accepts. Default: MediaType.
	Reads []string
	// Patches are additional media types that Read accepts for a Patch. They come before Reads. Default: none.
	Patches []string
	// Read converts a body to the JSON that the operation documents: an object with the fields of the record. The body
	// has at most Config.MaxBodyBytes; the result must not exceed a small multiple of it. The client gets the text of
	// an [*Error], of an operation.Error and of validation.Fail. Any other error is a 400 that names the expected media
	// type. Default: nil, and the format supports no bodies.
	Read func(body *Body) ([]byte, error)

	// Item appends one record or the result of a handler to b. An error is a 500. Default: nil, and the format supports
	// only collections.
	Item func(b []byte, item Item) ([]byte, error)
	// Collection writes collections. Default: the format has none.
	Collection Collection

	// WriteError appends an error response to b. Default: nil, application/problem+json (RFC 9457). Errors that occur
	// before the format of the response is known are always problems.
	WriteError func(b []byte, response *ErrorResponse) ([]byte, error)
	// ErrorType is the media type of what WriteError appends. Default: ContentType.
	ErrorType string

	// For returns the functions for one type. New calls it once for each type that an operation reads or returns; the
	// type of a collection is that of its records. Only Read, Query, Item, Collection and Schema of the result
	// are used, and replace those of the format. Query is taken from the type of the response. An error is a declaration
	// error. Default: nil, the functions are the same for all types.
	For func(t *Type) (Format, error)

	// ForAPI returns the format for one API. New calls it once. The result replaces the format except for the media types,
	// Suffix, JSON and Stream. Until New has returned, only the Prefix of the API is set. An error is a declaration
	// error. Default: nil, the format is the same for all APIs.
	ForAPI func(api *API) (Format, error)
	// Documents lists further documents of the format, with their paths. New calls it once, last. Default: nil, none.
	Documents func() []Document

	// Index appends the list of collections, which GET of the API's prefix returns. Default: nil, that path does not
	// support the format.
	Index func(b []byte, entries []Entry) ([]byte, error)
	// Schema returns the JSON Schema of a response or body in the format. It gets the schema of a record, or of a handler's
	// type, in JSON, often a $ref. The result may refer to it: {"$ref":"#/record"} is the record, and
	// {"$ref":"#/record/properties/title"} is one of its fields. A $ref of the record together with properties or required
	// adds these to the record, replaces fields of the same name, and omits _embedded. For a collection, {"$ref":"#/item"}
	// is what Schema returns for a record. Default: nil, a string.
	Schema func(record json.RawMessage, collection bool) json.RawMessage
	// SchemaName is appended to the names of schemas, after a dot: "jsonld" for Book.jsonld. Default: "", the schemas have
	// no names.
	SchemaName string
	// ErrorSchema is the JSON Schema of what WriteError appends. Default: nil, it is not documented.
	ErrorSchema json.RawMessage
}

// Collection writes collections, piece by piece: a record that cannot be written is left out completely, and streams need
// memory for only one piece.
type Collection struct {
	// Begin and End append the text before and after the records. Default: nothing.
	Begin, End func(b []byte, page Page) ([]byte, error)
	// Item appends one record. Default: nil, the format does not support collections.
	Item func(b []byte, item Item) ([]byte, error)
	// Separator is written between two records. Default: "".
	Separator string
}

// Standard returns the default formats: JSON, which also reads merge patches (RFC 7396), and NDJSON for collections. The
// slice is new, so you can append to it.
func Standard() []Format {
	return []Format{
		{MediaType: JSON, Suffix: ".json", JSON: true, Patches: []string{"application/merge-patch+json"}},
		{MediaType: "application/x-ndjson", Suffix: ".ndjson", JSON: true, Stream: true},
	}
}
