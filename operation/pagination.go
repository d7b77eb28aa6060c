package operation

// Pagination is how a collection is cut into pages. It can be set for an API, a resource
// and an operation; each field that is not set there is that of the next wider one, and
// at last the default named at the field. A switch is set by a pointer: new(true).
type Pagination struct {
	// Enabled says that there are pages at all. Default: true. Else every answer has the
	// whole collection.
	Enabled *bool
	// ClientEnabled lets clients ask for the whole collection by pagination=false.
	// Default: false.
	ClientEnabled *bool
	// ItemsPerPage is the length of a page where the client asks for none, 1,000,000 at
	// most. Default: 30.
	ItemsPerPage int
	// MaxItemsPerPage is the greatest length that clients can ask for, 1,000,000 at most.
	// Default: 100, or ItemsPerPage if that is more.
	MaxItemsPerPage int
	// ClientItemsPerPage lets clients choose the length by itemsPerPage. Default: true.
	ClientItemsPerPage *bool
	// MaxPage is the greatest number of a page, for a store passes over all records
	// before it; 1,000,000,000 at most. The collection goes on behind it by cursor.
	// Default: 10,000.
	MaxPage int
	// Partial leaves out the total and the last page, so that nothing is counted.
	// Default: false.
	Partial *bool
	// ClientPartial lets clients choose by partial=true or partial=false. Default: false.
	ClientPartial *bool
	// ClientOffset lets clients begin a page at any record by offset=40, which passes over 40
	// records, and at most over as many as the pages by number before the last one: (MaxPage-1)
	// of the greatest length that clients can choose. Default: false. Pages by ViaCursor never take it.
	ClientOffset *bool
	// ViaCursor leads from page to page by cursors from the first page on, and takes no
	// page numbers: every page costs the same, and none has a record twice or passes
	// over one when others come and go. Such pages have no total. Default: false;
	// clients can then begin with an empty cursor themselves.
	ViaCursor *bool
}
