package operation

// View is what answers show of a record: some of its members, under a name of their own. One
// on a resource holds for every answer that shows a record, those of writes too; one on a Get
// or a GetCollection for its answers, in place of the resource's. It changes nothing of what
// clients send, nor of what If-Match compares, which is the whole record.
//
//	operation.GetCollection{View: &operation.View{Name: "TreasureCard", Members: []string{"id", "name"}}}
//
// Parameters never filter, search, sort or choose by a member that the view leaves out. Two
// views of one name, of the same resource, have the same members.
type View struct {
	// Name is the name of the schema in the document: letters, digits and underscores,
	// beginning with a letter. It must be set.
	Name string
	// Members are the JSON names of the members that answers show, each once: exactly these,
	// in the order of the struct. There must be some. One of a record that a reference is to,
	// "owner.username", embeds that record with just the members so named.
	Members []string
}
