package reference_test

import (
	"encoding/json"
	"iter"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// ruleTable lists the rules of validate: each with an example, the message for a value that breaks it, and the schema.
func ruleTable(t *testing.T) string {
	t.Helper()
	api, err := resource.New(resource.Config{}, resource.Of[first]{ShortName: "First"}, resource.Of[second]{ShortName: "Second"})
	if err != nil {
		t.Fatal(err)
	}
	document, err := openapi.Document(api, openapi.Config{})
	if err != nil {
		t.Fatal(err)
	}
	rules, err := check.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	missing := rules.Rules()
	var rows [][]string
	for path, of := range map[string]reflect.Type{"/api/firsts": reflect.TypeFor[first](), "/api/seconds": reflect.TypeFor[second]()} {
		messages := messagesOf(t, api, path, of)
		properties := document.Components.Schemas[strings.ToUpper(of.Name()[:1])+of.Name()[1:]].Value.Properties
		for rule, tag := range rulesOf(of) {
			if !slices.Contains(missing, rule) {
				t.Errorf("there is no rule %s", rule)
			}
			missing = slices.DeleteFunc(missing, func(name string) bool { return name == rule })
			if messages[rule] == "" {
				t.Errorf("the value of %s breaks no rule", rule)
			}
			rows = append(rows, []string{code(tag), strings.TrimPrefix(messages[rule], rule+" "), code(keywords(t, properties[rule].Value))})
		}
	}
	if len(missing) > 0 {
		t.Errorf("these rules have no example: %v", missing)
	}
	slices.SortFunc(rows, func(a, b []string) int { return strings.Compare(a[0], b[0]) })
	return table([]string{"Rule", "Message", "Schema"}, rows)
}

// rulesOf yields the rules of a struct's fields, with their tags.
func rulesOf(of reflect.Type) iter.Seq2[string, string] {
	return func(yield func(rule, tag string) bool) {
		for field := range of.Fields() {
			if tag := field.Tag.Get("validate"); tag != "" && !yield(field.Tag.Get("json"), tag) {
				return
			}
		}
	}
}

// messagesOf sends the values that break the rules, and returns the message for each field.
func messagesOf(t *testing.T, api http.Handler, path string, of reflect.Type) map[string]string {
	t.Helper()
	body := `{"word":"x","five":5,"country":"DE"`
	for field := range of.Fields() {
		if bad := field.Tag.Get("bad"); bad != "" {
			body += `,"` + field.Tag.Get("json") + `":` + bad
		}
	}
	var problem struct {
		Errors map[string]string `json:"errors"`
	}
	if err := json.Unmarshal(send(t.Context(), api, http.MethodPost, path, body+"}"), &problem); err != nil {
		t.Fatal(err)
	}
	return problem.Errors
}

// keywords returns what a schema says of a rule: all but the type and what the comment repeats.
func keywords(t *testing.T, schema *openapi3.Schema) string {
	t.Helper()
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"type", "description", "items", "examples", "contentEncoding"} {
		delete(all, key)
	}
	if all["format"] == "int64" || all["format"] == "double" { // of the type
		delete(all, "format")
	}
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(all); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

// shapes has a field for each row of the table of required fields.
type shapes struct {
	Code     string   `json:"code" api:"id"`
	Title    string   `json:"title" validate:"required"`
	Name     string   `json:"name" validate:"notblank"`
	Pages    int      `json:"pages" validate:"gte=1"`
	Year     int      `json:"year" validate:"gte=0"`
	Price    *float64 `json:"price" validate:"omitempty,gt=0"`
	Note     string   `json:"note"`
	Colour   string   `json:"colour" default:"red"`
	Subtitle *string  `json:"subtitle"`
	Owner    *string  `json:"owner" validate:"required"`
	Remark   string   `json:"remark,omitempty"`
	Tags     []string `json:"tags"`
	Added    string   `json:"added" api:"readonly"`
	Password string   `json:"password" validate:"required" api:"writeonly"`
}

// requiredTable lists fields, and whether requests and responses must have them.
func requiredTable(t *testing.T) string {
	t.Helper()
	api, err := resource.New(resource.Config{}, resource.Of[shapes]{ShortName: "Shape"})
	if err != nil {
		t.Fatal(err)
	}
	document, err := openapi.Document(api, openapi.Config{})
	if err != nil {
		t.Fatal(err)
	}
	item := document.Paths.Value("/api/shapes/{code}")
	post := document.Paths.Value("/api/shapes").Post.RequestBody.Value.Content.Get("application/json").Schema.Value
	patch := item.Patch.RequestBody.Value.Content.Get("application/merge-patch+json").Schema.Value
	read := item.Get.Responses.Status(http.StatusOK).Value.Content.Get("application/json").Schema.Value
	var rows [][]string
	for field := range reflect.TypeFor[shapes]().Fields() {
		name := field.Tag.Get("json")
		if remaining := len(name) - len(",omitempty"); remaining > 0 && name[remaining:] == ",omitempty" {
			name = name[:remaining]
		}
		rows = append(rows, []string{
			code(field.Name + " " + field.Type.String() + " `" + string(field.Tag) + "`"),
			presence(post, name), presence(patch, name), presence(read, name),
		})
	}
	return table([]string{"Field", "Post", "Put, Patch", "Response"}, rows)
}

// presence returns what a schema requires of a property.
func presence(schema *openapi3.Schema, name string) string {
	property := schema.Properties[name]
	switch {
	case property == nil:
		return "absent"
	case property.Value.ReadOnly && len(property.Value.Required) == 0 && !slices.Contains(schema.Required, name):
		return "ignored"
	}
	text := "optional"
	if slices.Contains(schema.Required, name) {
		text = "required"
	}
	if property.Value.Type.Includes(openapi3.TypeNull) {
		text += ", may be null"
	}
	return text
}

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
	"version":    {`api:"version"`, "An integer that the store increases each time it saves the record, with equal values too. Read-only."},
	"created":    {`api:"created"`, "The time of creation, set by the store. Read-only."},
	"modified":   {`api:"modified"`, "The time of the last change, set by the store. Read-only."},
	"deleted":    {`api:"deleted"`, "The time at which a `*time.Time` field puts the record into the trash: Delete sets it, and `operation.Restore` sets it to null. Read-only."},
	"filter":     {`api:"filter=partial|range"`, "Collections can be filtered by the field; see [filters](#filters). Without a value: `exact`."},
	"sort":       {`api:"sort"`, "Collections can be sorted by the field: `?sort=-year,title`."},
	"search":     {`api:"search"`, "`?q=` searches the field, together with all others that have the word."},
	"group":      {`api:"group"`, "An [Aggregate](guides/collections.md#compute-totals) can group by the field: `?group=status`."},
	"aggregate":  {`api:"aggregate"`, "An [Aggregate](guides/collections.md#compute-totals) can compute its `sum`, `avg`, `min` and `max`."},
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
