package format

// Type describes what an operation answers or reads, for a [Format] that makes a plan of it.
// Types may hold themselves: one that was met before is the same pointer. Nobody changes one.
type Type struct {
	// Name is the short name of the resource, "" for a handler's own type and for what is
	// within another type.
	Name string
	// Request says that it is what clients send, false that it is what they are answered. It is
	// said of the outermost type alone.
	Request bool
	// Kind is what the JSON of a value is.
	Kind Kind
	// Nullable says that null is a value, too.
	Nullable bool
	// Elem is the type of the elements of a [List] and of the values of a [Map], else nil.
	Elem *Type
	// Members are those of an [Object] in the order in which they are written: all that there
	// may be, for answers leave some out where the client asks for others or may not see them.
	Members []TypeMember
}

// TypeMember is a member of an object's type.
type TypeMember struct {
	// Name is the JSON name.
	Name string
	// Type is that of the value.
	Type *Type
	// Readable says that answers show it.
	Readable bool
	// Writable says that bodies set it. One that is Readable alone may stand in a body, and
	// is passed over.
	Writable bool
	// Required says that a body must have it, and an answer always has it.
	Required bool
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
