package format

// API describes an API, for formats that say what there is. Nobody changes it.
type API struct {
	// Prefix is the path that all others begin with, "/api"; "" for none.
	Prefix string
	// Title is what the documentation calls the API, "" until it is mounted.
	Title string
	// Description is what the documentation says of it, "" for nothing.
	Description string
	// Resources are in the order of declarations. One without operations is hidden.
	Resources []Resource
}

// Resource is one resource of an [API].
type Resource struct {
	// Name is its short name.
	Name string
	// Plural is the plural of the name.
	Plural string
	// Description says what it is.
	Description string
	// Collection is the path of its collection, "" for none.
	Collection string
	// CollectionTypes are the media types in which the collection is answered.
	CollectionTypes []string
	// Item is the path of a record with its variable, "/api/books/{id}"; "" for none.
	Item string
	// Path is the path of the Get at which its records are: Item, else that below other records; "" where
	// they have no addresses.
	Path string
	// Relationships are the references that have addresses of their own by [Format.Relationships],
	// in the order of the members.
	Relationships []string
	// Type has the members of its records: Readable are those that answers show, Writable those
	// that a body may set, and Required are those that must be there when a record is created. A member
	// that is not Readable is Required only if every body that makes or changes a record must have it.
	Type *Type
	// Operations are those that are not hidden, in the order of the declaration.
	Operations []Operation
}

// Operation is one operation of a [Resource].
type Operation struct {
	// ID is its name in the document, "listBooks".
	ID string
	// Method is the HTTP method.
	Method string
	// Path is the template of its path, with the prefix.
	Path string
	// Item says that the path names a record.
	Item bool
	// Collection says that the answer is a page of records.
	Collection bool
	// Custom says that a handler of the user's decides what is done.
	Custom bool
	// Summary is its title.
	Summary string
	// Description says more.
	Description string
	// Status is the status of success.
	Status int
	// Expects is the type of the body, nil for none.
	Expects *Type
	// Returns is the type of the answer, of each record of a collection; nil for none.
	Returns *Type
	// Parameters are what clients may ask with.
	Parameters []Parameter
}

// Parameter is a parameter of the query of an [Operation].
type Parameter struct {
	// Name is what it is called: "year[gte]".
	Name string
	// Role is what it is for: "filter", "order" (order[year]), "sort", "search", "page",
	// "offset", "itemsPerPage", "pagination", "partial", "cursor", "fields", "expand", or "own" for one of the
	// user's.
	Role string
	// Field is the path of the member that a filter or an order is about, "" for others.
	Field string
	// Many says that it may be given several times.
	Many bool
}

// Document is something that a format tells of an [API] at a path of its own.
type Document struct {
	// Path is where it is, below the API's prefix: "/contexts/Book".
	Path string
	// ContentType is its media type. Default: that of the format.
	ContentType string
	// Write appends it to b. It is called once, when somebody first asks for it.
	Write func(b []byte) ([]byte, error)
	// Describes says that it tells what the documentation of the API does. Whoever may not read
	// that, by openapi.Config.Access, may not read it.
	Describes bool
	// Rel is the relation by which each answer in the format leads to it, by its absolute URL in a
	// field Link. Default: "", by none.
	Rel string
}
