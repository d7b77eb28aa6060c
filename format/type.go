package format

// Type describes what an operation answers or reads, for a [Format] that makes a plan of it.
// Types may hold themselves: one that was met before is the same pointer. Nobody changes one.
type Type struct {
	// Name is the short name of the resource, "" for a handler's own type and for what is
	// within another type.
	Name string
	// ID is the member that is the identifier of a resource's record, "" for none.
	ID string
	// Request says that it is what clients send, false that it is what they are answered. It is
	// said of the outermost type alone.
	Request bool
	// Stored says that a body is about a record that the path names. It is said of the outermost
	// type alone.
	Stored bool
	// Unaddressed says that a list of records is the answer to another request than a GET, and is at no address: the
	// [Page] has none, and no links. It is said of the outermost type alone.
	Unaddressed bool
	// Relationship is the member that is all there is of a record at an address of
	// [Format.Relationships], "" elsewhere. It is said of the outermost type alone.
	Relationship string
	// Kind is what the JSON of a value is.
	Kind Kind
	// Format is what texts are, as OpenAPI calls it: "date-time", "byte" for base64; "" for any text.
	Format string
	// Nullable says that null is a value, too.
	Nullable bool
	// Elem is the type of the elements of a [List] and of the values of a [Map], else nil.
	Elem *Type
	// Members are those of an [Object] in the order in which they are written: all that there
	// may be, for answers leave some out where the client asks for others or may not see them.
	Fields []TypeField
}

// TypeMember is a member of an object's type.
type TypeField struct {
	// Name is the JSON name.
	Name string
	// Type is that of the value.
	Type *Type
	// Description is what the member's doc tag says.
	Description string
	// Reference says what the member refers to, nil for one that is no reference.
	Reference *Reference
	// Embedded is the type of the records that an answer may have for the reference, nil for
	// one that never has them.
	Embedded *Type
	// Always says that an answer has them whatever the client asks for.
	Always bool
	// OnlyEmbedded says that an answer has them without the reference, by a view that names their
	// members alone: JSON has them in _embedded, and no such member. A [Format] that is Linked is told the
	// member, null where the record is gone or hidden; such ones are not in a list.
	OnlyEmbedded bool
	// Readable says that answers show it.
	Readable bool
	// Writable says that bodies set it. One that is Readable alone may stand in a body, and
	// is passed over.
	Writable bool
	// Required says that a body must have it, and an answer always has it.
	Required bool
}

// Reference says what a member refers to. Its functions can be called once New has returned.
type Reference struct {
	// To is the short name of the resource.
	To string
	// Many says that the member is a list of references. Each of its elements is a value for the
	// functions.
	Many bool
	// Inverse says that the member is the address of the collection of the records that refer to this
	// one. No function is for it.
	Inverse bool
	// Identifiers says that JSON has the identifiers of records; false, that it has their addresses.
	Identifiers bool
	// AppendAddress appends to b the address of the record that a value stands for, as JSON has it,
	// null excepted; nothing where the resource has no Get.
	AppendPath func(b, value []byte) []byte
	// AppendID appends the text of the identifier of the record that a value stands for.
	AppendID func(b, value []byte) []byte
	// AppendValue appends the value, as JSON has it in bodies, that stands for the record with an
	// identifier, and reports whether there can be one.
	AppendValue func(b []byte, id string) ([]byte, bool)
	// IDAt returns the identifier of the record at an address, and whether it is one of the resource.
	IDAt func(address string) (id string, ok bool)
}

// Kind is what a value is as JSON.
type Kind int

// The kinds of values.
const (
	// Boolean is true or false.
	Boolean Kind = iota + 1
	// Integer is a number without a fraction.
	Integer
	// Number is a number.
	Number
	// Text is a string: times, base64 of bytes, the addresses of other records, too.
	Text
	// Object is an object with the members of its type.
	Object
	// List is an array of any length.
	List
	// Map is an object with any names.
	Map
	// Any is any JSON, which the type alone knows.
	Any
)
