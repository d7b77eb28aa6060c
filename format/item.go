package format

import "encoding/json"

// Item is a record, or what a handler answers, as writers are handed it. It is valid until
// the writer returns, and so is all that its methods return. Trove implements it, and may
// give it more methods: an Item of a test's own embeds the interface.
type Item interface {
	// Type returns the short name of the resource, "" for a handler's own type.
	Type() string
	// ID returns the text of the record's identifier, as it stands in paths before
	// percent-encoding; "" for what is no record.
	ID() string
	// Address returns the absolute path of the record's Get, "" where there is none.
	Path() string
	// AppendAddress appends Address to b. It has nothing that JSON would escape.
	AppendPath(b []byte) []byte
	// AppendRelationship appends to b the absolute path that a reference has of its own by
	// [Format.Relationships]; nothing where it has none. It needs no escaping either.
	AppendRelationship(b []byte, member string) []byte
	// AppendJSON appends the whole of it as JSON to b: what the service answers as
	// application/json, without _embedded for a format that is Linked.
	AppendJSON(b []byte) ([]byte, error)
	// Members returns the members of an object in the order of JSON, nil for what is none.
	Fields() ([]Field, error)
	// Embedded returns the records that a member refers to, if the answer has them: one for each
	// reference, nil for one that is gone or that the caller may not see, and none at all for null or
	// an empty list. Shown is false where the client has not asked for them.
	Embedded(member string) (records []Item, shown bool, err error)
	// Included returns the records that the record has embedded, and those that these have, each once and
	// without the record itself; nil if the client requested none.
	Included() ([]Item, error)
	// Fields returns the names of the members that the client asked for, in the order of
	// JSON; nil where it did not choose.
	Selected() []string
}

// Member is a member of an object.
type Field struct {
	// Name is the JSON name, without quotes.
	Name string
	// JSON is the value.
	JSON json.RawMessage
}

// Page is what a collection's answer has beside its records. It is valid as an [Item] is.
type Page interface {
	// Type returns the short name of the resource.
	Type() string
	// Address returns the path of the collection, without a query; "" for the answer to another request than a
	// GET, to which nothing leads.
	Path() string
	// Links returns where this page and others are.
	Links() (Links, error)
	// Fields returns what [Item] returns by that name.
	Selected() []string
	// Parameters returns what clients may ask of the collection, the same for each of its pages.
	Parameters() []Parameter
	// Included returns the records that the page's records have embedded, and those that these
	// have, each once and without those of the page; nil where the client has asked for none.
	Included() ([]Item, error)
	// Count returns how many records have been written: 0 in Begin, all of them in End.
	Count() int
	// Total returns how many records there are on all pages, and whether that is known.
	Total() (int, bool)
}

// Links are the addresses of pages: absolute paths with their query, "" for one that there
// is not.
type Links struct {
	// Self is the address of the page itself, as it was asked for; "" for the answer to another request than a GET.
	Self string
	// First is the address of the first page.
	First string
	// Prev is the address of the page before.
	Prev string
	// Next is the address of the page behind.
	Next string
	// Last is the address of the last page, known where pages have numbers and a total.
	Last string
}

// Body is a body, as readers are handed it. It is valid until the reader returns.
type Body struct {
	// Bytes is the body as it was sent. The reader may change it, and return it.
	Bytes []byte
	// MediaType is that of Content-Type, one of those that the format reads, without
	// parameters.
	MediaType string
	// Type is the short name of the resource, "" for the body of a handler.
	Type string
	// Method is that of the request: POST, PUT or PATCH.
	Method string
	// ID is the text of the identifier in the path, "" for none.
	ID string
	// Path is the path of the Get of the record that ID names, "" for none.
	Path string
	// MaxDepth is how deeply the JSON may be nested, and MaxMembers how many members and
	// elements it may have: what exceeds either is refused afterwards. A reader may refuse it
	// before it has made it; 0 says nothing.
	MaxDepth  int
	MaxValues int
}

// Entry is a collection in the list that the API's prefix answers.
type Entry struct {
	// Type is the short name of the resource.
	Type string
	// Address is the path of the collection.
	Path string
}
