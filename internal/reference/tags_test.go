package reference_test

import (
	"maps"
	"slices"
	"testing"
)

// meaning is an example of a word, and what the word does.
type meaning struct{ example, text string }

// words are the words of the api tag.
var words = map[string]meaning{
	"id":         {`api:"id"`, "The identifier. On several fields: a composite identifier."},
	"readonly":   {`api:"readonly"`, "Clients cannot set the field. Bodies may have it; its value is ignored."},
	"writeonly":  {`api:"writeonly"`, "Clients can set the field, but no response has it, such as a password."},
	"createonly": {`api:"createonly"`, "Only a Post sets the field. Later changes are validation errors unless the value is equal."},
	"hidden":     {`api:"hidden"`, "Clients can neither see nor set the field. It appears in no document."},
	"password":   {`api:"password"`, "A `writeonly` string. Stores keep only the hash of a password: set `BeforeTransaction` to the `Hash` of `password.Accounts`."},
	"unique":     {`api:"unique"`, "No two records have the same value: 409 names the field. Null may repeat."},
	"index":      {`api:"index,hidden"`, "Stores keep an index, for lookups by your own code."},
	"version":    {`api:"version"`, "An integer that the store increases with each change. Read-only."},
	"created":    {`api:"created"`, "The time of creation, set by the store. Read-only."},
	"modified":   {`api:"modified"`, "The time of the last change, set by the store. Read-only."},
	"filter":     {`api:"filter=partial|range"`, "Collections can be filtered by the field; see [filters](#filters). Without a value: `exact`."},
	"sort":       {`api:"sort"`, "Collections can be sorted by the field: `?sort=-year,title`."},
	"search":     {`api:"search"`, "`?q=` searches the field, together with all others that have the word."},
	"title":      {`api:"title"`, "The value names the record for people, in the admin. Default: a field such as `title` or `name`."},
	"header":     {`api:"header"`, "In the struct of `Parameters`: a request header field instead of a query parameter."},
	"ref":        {`api:"ref=User"`, "The key of a record of that resource. A slice is a list of references."},
	"expand":     {`api:"ref=User,expand"`, "`?expand=owner` embeds the record that the field refers to."},
	"through":    {`api:"ref=User,through=username"`, "Collections can be filtered and sorted by fields of the referenced record: `?owner.username=ann`."},
	"ondelete":   {`api:"ref=User,ondelete=cascade"`, "What happens when the referenced record is deleted: `restrict` (default, 409), `cascade` or `null`."},
}

// operators are the values of the word filter.
var operators = map[string]meaning{
	"exact":      {"?year=1965&year=1970", "equals one of the values"},
	"iexact":     {"?title=dune", "equals one of the values, in any letter case"},
	"partial":    {"?title=un", "contains the text, in any letter case"},
	"start":      {"?title=du", "starts with the text"},
	"end":        {"?title=ne", "ends with the text"},
	"word_start": {"?title=me", "has a word that starts with the text"},
	"contains":   {"?tags=red", "a list that has the element"},
	"range":      {"?year[gte]=1960&year[lt]=1970", "is in the range: `gt`, `gte`, `lt`, `lte`"},
	"exists":     {"?exists[price]=false", "is not null (`true`), or is null (`false`)"},
}

// keys are the struct tags that Trove reads.
var keys = map[string]meaning{
	"json":     {`json:"title,omitempty"`, "The name in JSON. Default: the Go name. `omitempty` and `omitzero` leave out empty values. `-`: no field of the API."},
	"api":      {`api:"filter=partial,sort"`, "The words below."},
	"validate": {`validate:"notblank,max=200"`, "[Rules](#rules) that a value must follow."},
	"message":  {`message:"notblank: Enter a title. | max: At most 200 characters."`, "The text for a broken rule, for all rules of the field or by rule."},
	"default":  {`default:"7"`, "The value that a new record has if the body omits the field."},
	"example":  {`example:"Dune"`, "The example in the OpenAPI document."},
	"doc":      {`doc:"As printed on the cover."`, "The description in the OpenAPI document."},
	"db":       {`db:"book_title"`, "The column in an SQL table. Default: the JSON name in snake case."},
}

func tagTable(t *testing.T) string {
	t.Helper()
	return meanings(t, "Tag", keys, stringsOf(t, "internal/model", "tags"))
}

func wordTable(t *testing.T) string {
	t.Helper()
	return meanings(t, "Word", words, stringsOf(t, "internal/model", "apiWords"))
}

func filterTable(t *testing.T) string {
	t.Helper()
	return meanings(t, "Filter", operators, stringsOf(t, "internal/model", "filters"))
}

// meanings writes a table in the order of names, which must be those of the meanings.
func meanings(t *testing.T, head string, of map[string]meaning, names []string) string {
	t.Helper()
	if got, want := slices.Sorted(maps.Keys(of)), slices.Sorted(slices.Values(names)); !slices.Equal(got, want) {
		t.Errorf("the reference explains %v, the code has %v", got, want)
	}
	rows := make([][]string, len(names))
	for i, name := range names {
		rows[i] = []string{code(name), code(of[name].example), of[name].text}
	}
	return table([]string{head, "Example", "Meaning"}, rows)
}
