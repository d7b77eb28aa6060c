package format

// Type describes what an operation reads or returns. Types can contain themselves: the same type is the same pointer. They
// must not be changed.
type Type struct {
	// Name is the short name of the resource, "" for the type of a handler and for a nested type.
	Name string
	// ID is the field with the identifier of the resource's records, "" for none.
	ID string
	// Request reports whether it is the type of a request body, not of a response. Only the outermost type sets it.
	Request bool
	// Stored reports whether a body is about the record that the path names. Only the outermost type sets it.
	Stored bool
	// NoPath reports whether a list of records is the response to a request that is not a GET. Its [Page] then has no
	// path and no links. Only the outermost type sets it.
	NoPath bool
	// Kind is the kind of JSON value.
	Kind Kind
	// Format is the format of strings in OpenAPI: "date-time", "date", "decimal", or "byte" for base64; "" for any string.
	Format string
	// Nullable reports whether the value can be null.
	Nullable bool
	// Elem is the type of the elements of a [List] and of the values of a [Map], nil for other kinds.
	Elem *Type
	// Fields are all possible fields of an [Object], in the order of JSON. Responses omit those that the client does not
	// select and those that the caller may not read.
	Fields []TypeField
	// Order lists the fields as the view of the response does, with the fields of embedded records as
	// "owner.username"; nil without a view. [Type.Fields] and JSON keep the order of the struct. A format whose clients
	// see an order, such as columns, follows it; fields that it does not list come last.
	Order []string
}

// TypeField is a field of an object's type.
type TypeField struct {
	// Name is the JSON name.
	Name string
	// Type is the type of the value.
	Type *Type
	// Description is the doc tag of the field.
	Description string
	// Reference describes what the field refers to, nil if it is not a reference.
	Reference *Reference
	// Embedded is the type of the records that a response can embed for the reference, nil for none.
	Embedded *Type
	// Always reports whether responses always embed the records.
	Always bool
	// OnlyEmbedded reports whether responses have the embedded records without the reference, because a view names only
	// their fields. In JSON the field is absent; a Linked [Format] gets it, null if the record is deleted or
	// hidden. Lists omit such records.
	OnlyEmbedded bool
	// Readable reports whether responses have the field.
	Readable bool
	// Writable reports whether bodies set the field. Bodies may have a field that is only Readable; its value is ignored.
	Writable bool
	// Required reports whether a body must have the field, or a response always has it.
	Required bool
}

// Reference describes what a field refers to. Its functions can be called once New has returned, concurrently.
type Reference struct {
	// To is the short name of the resource.
	To string
	// Many reports whether the field is a list of references. The functions take one element.
	Many bool
	// Inverse reports whether the field is the path of the collection of the records that refer to this one. The functions
	// do not apply to it.
	Inverse bool
	// Identifiers reports whether JSON has the identifiers of records; otherwise it has their paths.
	Identifiers bool
	// AppendPath appends to b the path of the record that a JSON value refers to. The value must not be null. It
	// appends nothing if the resource has no Get.
	AppendPath func(b, value []byte) []byte
	// AppendID appends to b the identifier, as a string, of the record that a JSON value refers to.
	AppendID func(b, value []byte) []byte
	// AppendValue appends to b the JSON value that refers to the record with an identifier, and reports whether the
	// identifier is valid.
	AppendValue func(b []byte, id string) ([]byte, bool)
	// IDAt returns the identifier of the record at a path, and whether the path is one of the resource.
	IDAt func(path string) (id string, ok bool)
}

// Kind is a kind of JSON value.
type Kind int

// The kinds of JSON values.
const (
	// Boolean is true or false.
	Boolean Kind = iota + 1
	// Integer is a number without a fraction.
	Integer
	// Number is a number.
	Number
	// Text is a string; times, base64 and the paths of other records too.
	Text
	// Object is an object with the fields of its type.
	Object
	// List is an array of any length.
	List
	// Map is an object with any names.
	Map
	// Any is any JSON value.
	Any
)
