package format

import "encoding/json"

// Item is a record, or the result of a handler, for a writer. It and everything that its methods return are valid until
// the writer returns. Trove implements it and may add methods: fakes in tests should embed the interface.
type Item interface {
	// Type returns the short name of the resource, "" for the type of a handler.
	Type() string
	// ID returns the identifier of the record as a string, before percent-encoding; "" if the item is not a record.
	ID() string
	// Path returns the absolute path of the record's Get, "" if it has none.
	Path() string
	// AppendPath appends Path to b. It contains nothing that JSON would escape.
	AppendPath(b []byte) []byte
	// AppendJSON appends the item as application/json has it to b, without _embedded if the format is Linked.
	AppendJSON(b []byte) ([]byte, error)
	// Fields returns the fields of an object in the order of JSON, nil if the item is not an object.
	Fields() ([]Field, error)
	// Embedded returns the records that a reference embeds, one for each reference. An element is nil if its record is
	// deleted or hidden from the caller. For null and for an empty list it returns none. Shown is false if the client
	// did not request them.
	Embedded(field string) (records []Item, shown bool, err error)
	// Included returns all records embedded in this one, directly and in each other. Each is returned once, and the
	// record itself is left out. It returns nil if the client requested none.
	Included() ([]Item, error)
	// Selected returns the names of the fields that the response can have, in the order of JSON: those that the client
	// selected; else, if the caller may not read the documentation, those that they may see in some record; nil for all.
	Selected() []string
}

// Field is a field of a JSON object.
type Field struct {
	// Name is the JSON name, without quotes.
	Name string
	// JSON is the value.
	JSON json.RawMessage
}

// Page is what a response with a collection has in addition to its records. It is valid as long as an [Item] is.
type Page interface {
	// Type returns the short name of the resource.
	Type() string
	// Path returns the path of the collection without a query, "" if the request was not a GET.
	Path() string
	// Links returns the URLs of this page and of the others.
	Links() (Links, error)
	// Selected returns the names of the fields that the response can have, in the order of JSON: those that the client
	// selected; else, if the caller may not read the documentation, those that they may see in some record; nil for all.
	Selected() []string
	// Parameters returns the query parameters of the collection, the same for all pages, without those of fields that the
	// caller may not read.
	Parameters() []Parameter
	// Included returns all records embedded in those of the page, each once and without those of the page; nil if the
	// client requested none.
	Included() ([]Item, error)
	// Total returns the number of records on all pages, and whether it is known.
	Total() (int, bool)
	// MoreThan returns a number if only that is known of Total: there are more records.
	MoreThan() (int, bool)
	// Estimate returns about the number of records if only that is known of Total.
	Estimate() (int, bool)
}

// Links are the absolute paths of pages, with their queries; "" for a page that does not exist.
type Links struct {
	// Self is the page itself as requested; "" if the request was not a GET.
	Self string
	// First is the first page.
	First string
	// Prev is the previous page.
	Prev string
	// Next is the next page.
	Next string
	// Last is the last page. It is known if pages have numbers and an exact total.
	Last string
}

// Body is a request body for a reader. It is valid until the reader returns.
type Body struct {
	// Bytes is the body as received. The reader may change and return it.
	Bytes []byte
	// MediaType is that of Content-Type, without parameters. The format lists it in Reads or Patches.
	MediaType string
	// Type is the short name of the resource, "" for the body of a handler.
	Type string
	// Method is the method of the request: POST, PUT or PATCH.
	Method string
	// ID is the identifier in the path as a string, "" for none.
	ID string
	// Path is the path of the Get of the record that ID names, "" for none.
	Path string
}

// Entry is a collection in the list that GET of the API's prefix returns.
type Entry struct {
	// Type is the short name of the resource.
	Type string
	// Path is the path of the collection.
	Path string
}
