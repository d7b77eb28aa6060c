package serve

import (
	"net/http"
	"time"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/httpfield"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/operation"
)

// call is one request of an operation and its response, or the part of a request that saves one record of a body. One
// goroutine runs it.
type call struct {
	arrival
	Client

	w     http.ResponseWriter
	r     *http.Request
	watch *watch // nil without observers

	format     *compiled.Format
	negotiated bool               // the client has chosen the format
	translated bool               // the format has translated the query
	query      string             // the query that was sent, if it is translated
	values     *parameters.Values // of the query and the header
	id         any                // the identifier of the record; nil for none
	pathIDs    []any              // the identifiers of the other records that the path names, in the order of pathRecords
	conditions httpfield.Conditions
	body       []byte             // JSON, of an operation that takes a body
	key        *idempotencyKey    // nil for none
	request    *operation.Request // what hooks, handlers and stores see; nil if nothing can read it

	caller     authz.Caller                 // as rules see them
	identified bool                         // the caller is set
	narrowed   map[authz.Set]*codec.Encoder // of the requested fields without hidden ones

	ran      bool      // a transaction has run the steps
	prepared *prepared // before the transaction; nil if all steps run in it
	latest   any       // the record as the transaction has found it, for the next start; nil for none
	attempt

	item    item      // that a format is writing
	ends    time.Time // the deadline of the operation; zero for none
	begun   bool      // the status has been sent
	bytes   int64     // how many bytes of the body have been sent
	buffers buffers
}

// attempt is the state of one run of the steps, with the response. A transaction may run them again, and then begins
// with the zero value.
type attempt struct {
	tx            compiled.Tx // nil outside of a transaction
	record        any         // pointer to the record that the call is about
	previous      any         // the record before the change; nil for none
	created       bool        // the record is new
	inserted      bool        // ... and has been saved
	saved         bool        // the Processor has saved a record
	unsaved       bool        // the Processor has saved nothing, so that the record shows no state
	in            any         // pointer to what the body is decoded onto: the record, or a handler's own
	decoded       codec.Decoded
	sentFields    []string               // the fields that the body or the path sets; nil until sent lists them
	held          map[referencedKey]bool // references of the record before the change
	targets       map[target]any         // records that references of an element may be to; the others are looked up
	unchecked     []site                 // references that the write checks
	elements      []*element             // the records of a handler's body
	changedFields authz.Set              // the fields with rules that the caller has been allowed to write
	hookErrors    []error                // field errors of Prepare, reported together with broken rules
	embedCount    int                    // how many records the response embeds, or the batch of a stream
	whole         bool                   // all steps have run, so that the transaction may end

	out      any              // what the response shows: the record, or what a handler has returned; nil for a collection
	items    compiled.Items   // of a collection; nil for other operations
	total    parameters.Total // of a collection
	more     bool             // the store has more records after them
	embedded []*expanded      // what the record, or those of items, refer to; nil for nothing
	kept     []byte           // the response to an earlier request with the same key; nil for none

	status     int
	response   []byte // the body
	modified   time.Time
	encoder    *codec.Encoder // of the record, or of each of a collection
	count      int            // records of a collection that have been written
	work       work
	names      []string // see selected
	isSelected bool     // names is set

	tag, length, link, totalCount string   // header fields, "" for none
	lines                         []string // header lines: see line

	masks func(record any, name string) bool // see sortMasks
}

// maxReused is the maximum size in bytes of a buffer that is reused, because the buffer of a rare large response would stay in
// memory.
const maxReused = 64 << 10

// buffers are the buffers of a call, which later ones reuse.
type buffers struct {
	request, response []byte             // their bodies
	state             []byte             // the state of a record, for its ETag
	queries           *queryMemory       // nil until there is some
	items             *itemMemory        // nil until a format uses more of an item than its JSON
	values            *parameters.Values // of the query; nil until there is one
}

// itemMemory is memory for what items return to the writer of a record. It stays valid until the writer returns.
type itemMemory struct {
	text   []byte // JSON that fields refer to
	fields []format.Field
	items  []item // embedded ones
	lists  []format.Item
	met    map[recordName]bool // the records that a page has included; nil for none
}

// maxItems is the maximum number of fields and of items in memory that is reused.
const maxItems = 1 << 10

// itemMemory returns the memory for what items return.
func (c *call) itemMemory() *itemMemory {
	if c.buffers.items == nil {
		c.buffers.items = new(itemMemory)
	}
	return c.buffers.items
}

// release drops all records, and memory that is too large to be kept.
func (m *itemMemory) release() {
	if cap(m.text) > maxReused || cap(m.fields) > maxItems || cap(m.items) > maxItems || cap(m.lists) > maxItems || len(m.met) > maxItems {
		*m = itemMemory{}
	}
	clear(m.met)
	clear(m.items[:cap(m.items)])
	clear(m.lists[:cap(m.lists)])
}

// reset removes everything but the buffers, so that the pool holds no records, requests or credentials. The response has been
// sent, and decoding has copied what the record keeps of the body.
func (c *call) reset() {
	kept := c.buffers
	if kept.queries != nil {
		kept.queries.clear()
	}
	if c.response != nil {
		kept.response = c.response
	}
	if kept.items != nil {
		kept.items.release()
	}
	for _, buffer := range []*[]byte{&kept.request, &kept.response, &kept.state} {
		if cap(*buffer) > maxReused {
			*buffer = nil
		}
		*buffer = (*buffer)[:0] // nothing of this request is visible to the next one
	}
	if kept.values != nil {
		*kept.values = parameters.Values{}
	}
	*c = call{} // an empty literal, because one with fields would be created elsewhere and copied
	c.buffers = kept
}
