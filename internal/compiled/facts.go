package compiled

import "github.com/trove-api/trove/operation"

// Facts is what an operation does, as documents, agents, formats and tests need to know it. resource.New sets it
// once; no request asks it which steps to run.
type Facts struct {
	Kind operation.Kind

	Item        bool // the path names a record
	Reads       bool // it changes nothing, and runs in no transaction
	Custom      bool // a Handler does the work
	Creates     bool // each success is a new record of the resource
	AllowCreate bool // a Put that creates the record that its path names
	Replace     bool // a Put whose body is the whole record: omitted fields get their defaults
	Saves       bool // it may write the record that its path names, or that its body is
	Lists       bool // the response is several records of the resource, each of them Out
	Pages       bool // parameters choose which: filters, sort order, page
	OfRecords   bool // the response shows records of the resource, or what Output makes from them
	Shows       bool // the response shows one record: that of the path, or of the body
	IsLocated   bool // ... as the Get at the record's path shows it
	HasInput    bool // the body is not the record, but what Input applies to it
	HasOutput   bool // the response is not the record, but what Output makes from it
	Hooked      bool // functions of the user run in it, which may return any error
	Transacts   bool // ... in a transaction, so that they must not begin another one beside it
	Observed    bool // functions of the user, or the store, may ask the context for the request

	Creating     *Resource     // whose records a handler's body creates; nil for none
	Patching     *Resource     // whose records a handler's body changes; nil for none
	Judged       bool          // rules of that resource decide about each of these records
	Membership   *Parent       // the reference that it adds to a list or removes; nil for other operations
	Relationship *Relationship // the reference that it is about alone; nil for operations on whole records
}

// ShowsRecords reports whether the operation reads, and its response shows the record that the path names, or records
// of a collection.
func (o *Operation) ShowsRecords() bool { return o.Reads && (o.Pages || o.Shows) }
