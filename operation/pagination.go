package operation

// Pagination sets how a collection is paged. It can be set for an API, a resource and an operation. A field that is not
// set comes from the next wider level, else it has the default named at the field. Set a switch with a pointer:
// new(true).
type Pagination struct {
	// Enabled turns paging on. If it is off, every response has the whole collection. Default: true.
	Enabled *bool
	// ClientEnabled lets clients request the whole collection with pagination=false. Default: false.
	ClientEnabled *bool
	// ItemsPerPage is the page length if the client requests none, at most 1,000,000. Default: 30.
	ItemsPerPage int
	// MaxItemsPerPage is the longest page that clients can request, at most 1,000,000. Default: 100, or ItemsPerPage if
	// that is more.
	MaxItemsPerPage int
	// ClientItemsPerPage lets clients choose the page length with itemsPerPage. Default: true.
	ClientItemsPerPage *bool
	// MaxPage is the greatest page number, at most 1,000,000,000. It limits the cost, because a store has to skip all
	// records before the page. Later records are reached by cursor. Default: 10,000.
	MaxPage int
	// Partial omits the total and the link to the last page, so that nothing is counted. Default: false.
	Partial *bool
	// ClientPartial lets clients choose with partial=true or partial=false. Default: false.
	ClientPartial *bool
	// ClientOffset lets clients start a page at any record with offset=40, which skips 40 records. The greatest offset
	// is (MaxPage-1) times the longest page that clients can choose. It has no effect with ViaCursor. Default: false.
	ClientOffset *bool
	// ViaCursor links pages by cursors from the first one on and removes page numbers. Every page costs the same, and
	// no record is repeated or skipped when others are created or deleted. Such pages have no total. Default: false;
	// clients can still start with an empty cursor.
	ViaCursor *bool
}
