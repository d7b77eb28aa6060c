package openapi

import (
	"strings"

	"github.com/trove-api/trove/internal/describe"
)

// Text is one of the texts that Trove writes into documents.
type Text struct {
	// Key is the text's key in [Config.Texts], such as "operation.create.summary".
	Key string
	// Template is the English text, with placeholders in braces, such as "Create {an}".
	Template string
	// Where says where the text appears in a document.
	Where string
	// Placeholders are the names that a template of this key can have in braces.
	Placeholders []string
}

// Texts returns all texts, in a new slice for each call. Start a translation from it: put a template for each key into
// [Config.Texts].
//
// Templates have placeholders. {one}, {an} and {many} are a resource's nouns: "order", "an order", "orders". {name} is
// its short name. {parent} and {target} are the nouns of other resources, and {a-parent} and {a-target} have an
// article. {field} is a field as code, {id} the name of an identifier, and {param} the parameter of a rule.
func Texts() []Text {
	table := describe.Table()
	texts := make([]Text, len(table))
	for i, text := range table {
		texts[i] = Text{text.Key, text.English, text.Where, strings.Fields(text.Values)}
	}
	return texts
}
