package operation

import "net/http"

// Kind is the kind of an operation. Its zero value is not a kind.
type Kind int

// The kinds, in the order of [Standard].
const (
	// KindGet returns one record.
	KindGet Kind = iota + 1
	// KindGetCollection returns a page of records, or all of them.
	KindGetCollection
	// KindPost creates a record.
	KindPost
	// KindPut updates a record, or replaces it.
	KindPut
	// KindPatch updates a record by a merge patch (RFC 7396).
	KindPatch
	// KindDelete deletes a record.
	KindDelete
)

var kinds = [...]struct{ name, method string }{
	{"unknown", ""},
	{"Get", http.MethodGet},
	{"GetCollection", http.MethodGet},
	{"Post", http.MethodPost},
	{"Put", http.MethodPut},
	{"Patch", http.MethodPatch},
	{"Delete", http.MethodDelete},
}

// String returns the name of the literal, such as "GetCollection", or "unknown".
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kinds) {
		k = 0
	}
	return kinds[k].name
}

// Method returns the HTTP method, or "" for an unknown kind.
func (k Kind) Method() string {
	if k < 0 || int(k) >= len(kinds) {
		k = 0
	}
	return kinds[k].method
}

// Writes reports whether the kind changes records: Post, Put, Patch and Delete do.
func (k Kind) Writes() bool { return k >= KindPost && k <= KindDelete }

// TakesBody reports whether requests of the kind carry a body: Post, Put and Patch do.
func (k Kind) TakesBody() bool { return k >= KindPost && k <= KindPatch }
