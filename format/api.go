package format

// API describes an API, for formats that document it. It must not be changed.
type API struct {
	// Prefix is the prefix of all paths as clients see them: "/api"; "" for none.
	Prefix string
	// Title is the title of the OpenAPI document, "" until that is mounted.
	Title string
	// Description is the description of the OpenAPI document, "" for none.
	Description string
	// Resources are in the order of their declarations. A resource without operations is hidden.
	Resources []Resource
}

// Resource is one resource of an [API].
type Resource struct {
	// Name is its short name.
	Name string
	// Plural is the plural of the name.
	Plural string
	// Description is the description from the declaration.
	Description string
	// Collection is the path of its collection, "" for none.
	Collection string
	// CollectionTypes are the media types of the collection.
	CollectionTypes []string
	// Item is the path of a record with its variable: "/api/books/{id}"; "" for none.
	Item string
	// Path is the path of the Get that links use: Item, or a path below other records; "" if there is no Get.
	Path string
	// Type has the fields of its records: responses have the Readable ones, bodies set the Writable ones, and creating a
	// record needs the Required ones. A field that is not Readable is Required only if every body that creates or changes
	// a record must have it.
	Type *Type
	// Operations are the operations that are not hidden, in the order of the declaration.
	Operations []Operation
}

// Operation is one operation of a [Resource].
type Operation struct {
	// ID is its id in the OpenAPI document: "listBooks".
	ID string
	// Method is the HTTP method.
	Method string
	// Path is the template of its path, with the prefix.
	Path string
	// Item reports whether the path names a record.
	Item bool
	// Collection reports whether the response is a page of records.
	Collection bool
	// Custom reports whether the operation has a Handler.
	Custom bool
	// Summary is the summary of the operation.
	Summary string
	// Description is the description of the operation.
	Description string
	// Status is the status of success.
	Status int
	// Expects is the type of the body, nil for none.
	Expects *Type
	// Returns is the type of the response, or of each record of a collection; nil for none.
	Returns *Type
	// Parameters are the query parameters.
	Parameters []Parameter
}

// Parameter is a query parameter of an [Operation].
type Parameter struct {
	// Name is its name in the query: "year[gte]".
	Name string
	// Role is its purpose: "filter", "tree" (a tree of conditions), "order" (order[year]), "sort", "search", "page", "offset", "itemsPerPage",
	// "pagination", "partial", "cursor", "fields", "expand", "deleted" (records in the trash), "group", "function" (sum, avg, min, max),
	// "timezone", or "own" for a declared parameter.
	Role string
	// Field is the path of the field that a filter or an order uses, "" for other roles.
	Field string
	// Many reports whether it can be given several times.
	Many bool
}

// Document is a document of a format at a path of its own, such as a JSON-LD context.
type Document struct {
	// Path is its path below the API's prefix: "/contexts/Book".
	Path string
	// ContentType is its media type. Default: that of the format.
	ContentType string
	// Write appends it to b. It is called once, for the first request.
	Write func(b []byte) ([]byte, error)
	// WriteFor appends it to b as a caller may see it, instead of Write. The API has only the resources of which they may
	// use an operation, and of these the fields that they may see or set; Collection and CollectionTypes are empty if they
	// may use no operation at the path of the collection. If nothing is appended, the response is a 404. Without access
	// rules it is called once. Default: nil, everyone gets the same document.
	WriteFor func(b []byte, api *API) ([]byte, error)
	// Describes reports whether it describes the API as the OpenAPI document does. Callers whom openapi.Config.Access
	// denies that document cannot read this one either.
	Describes bool
	// Rel is the relation of the Link to the document in each response of the format. Default: "", no Link.
	Rel string
}
