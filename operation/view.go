package operation

// View limits the fields that responses show of a record. A View of a resource applies to every response that shows a
// record, including those of writes. A View of a Get or GetCollection replaces it there. It does not affect bodies, nor
// If-Match, which compares the whole record.
//
//	operation.GetCollection{View: &operation.View{Name: "TreasureCard", Fields: []string{"id", "name"}}}
//
// Parameters never filter, search, sort or select by a field that the view leaves out. Two views of one resource with
// the same name must have the same fields.
type View struct {
	// Name is the name of the schema in the OpenAPI document. Required: letters, digits and underscores, beginning with
	// a letter.
	Name string
	// Fields lists the JSON names of the fields to show, each once. Required: at least one. Responses have exactly
	// these. A field of a referenced record, such as "owner.username", embeds that record with just the fields so named.
	// The columns of CSV have the order of this list; JSON and other formats have the order of the struct.
	Fields []string
}
