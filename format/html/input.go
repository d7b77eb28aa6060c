package html

import (
	"net/url"
	"slices"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/page"
)

// input is an input of a form, or a group of inputs.
type input struct {
	Kind     string // "text", "decimal", "password", "datetime", "area", "select", "choices", "group"
	ID, Name string
	Label    string
	Hint     string
	Value    string
	Complete string // what browsers fill in, "" for nothing of their own
	Options  []option
	Required bool
	Error    string
	Now      string    // the value that someone else has saved meanwhile; "" for none
	Link     page.Link // to the records to choose from; empty for none
	Inputs   []*input  // of a group
}

// option is one of the values to choose from.
type option struct {
	Value, Label string
	Chosen       bool
}

// maxEdited is the maximum size in bytes of a value that a form has. Longer ones would make the page unusable.
const maxEdited = 64 << 10

// maxNested is how many objects within each other have inputs of their own. Deeper ones are edited as JSON.
const maxNested = 3

// inputs makes the inputs of a form.
type inputs struct {
	site   *site
	id     string            // of the form
	was    url.Values        // collects the hashes of the values; nil if all values are sent
	locked []string          // fields that the caller may not set
	errors map[string]string // by path
	typed  url.Values        // what the person has sent; nil for a form that has not been sent
	before url.Values        // the hashes of what they were shown
	now    bool              // the record has changed since then
	met    map[*format.Type]bool
	left   []string // labels of fields whose values no form can have
}

// of returns the inputs for the fields of an object. The current one may be nil.
func (f *inputs) of(t *format.Type, current []byte, prefix string, depth int) []*input {
	var list []*input
	values := map[string][]byte{}
	for _, v := range scan.Values(current) {
		values[v.Name] = v.Text
	}
	for i := range t.Fields {
		of := &t.Fields[i]
		path := prefix + of.Name
		if !of.Writable || of.Reference != nil && of.Reference.Inverse || prefix == "" && slices.Contains(f.locked, of.Name) {
			continue
		}
		if f.typed != nil && !f.wasSent(path) {
			continue
		}
		if made := f.input(of, values[of.Name], path, depth); made != nil {
			list = append(list, made)
		}
	}
	return list
}

// wasSent reports whether the person has sent a field, or a part of it.
func (f *inputs) wasSent(path string) bool {
	for name := range f.typed {
		name = strings.TrimPrefix(name, wholeField+".")
		if name == path || strings.HasPrefix(name, path+".") {
			return true
		}
	}
	return false
}

// input returns the input for a field, nil for a value that a form cannot have.
func (f *inputs) input(of *format.TypeField, current []byte, path string, depth int) *input {
	made := &input{
		ID: f.id + "-" + strings.ReplaceAll(path, " ", "-"), Name: path, Label: naming.Label(of.Name), Hint: of.Description, Required: of.Required,
		Error: f.errors[path],
	}
	t := of.Type
	if t.Kind == format.Object && len(t.Fields) > 0 && depth < maxNested && !f.met[t] {
		f.met[t] = true
		made.Kind, made.Inputs = "group", f.of(t, current, path+".", depth+1)
		delete(f.met, t)
		if len(made.Inputs) == 0 {
			return nil
		}
		return made
	}
	f.fill(made, of, current)
	if len(made.Value) > maxEdited || strings.ContainsRune(made.Value, 0) {
		f.left = append(f.left, made.Label)
		return nil
	}
	f.compare(made)
	if r := of.Reference; r != nil {
		made.Hint = join(made.Hint, "The path or the identifier of the "+naming.Phrase(r.To)+".")
		if to := f.site.known().resources[r.To]; to != nil && to.Collection != "" && !strings.Contains(to.Collection, "{") {
			made.Link = page.Link{Title: "Show all " + naming.Phrase(to.Plural), Path: to.Collection}
		}
	}
	return made
}

// fill sets the kind and the value of an input.
func (f *inputs) fill(made *input, of *format.TypeField, current []byte) {
	t := of.Type
	switch {
	case t.Kind == format.List && isPlain(t):
		f.fillList(made, of, current)
		return
	case !isPlain(t):
		made.Kind = "area"
		made.Hint = join(made.Hint, "JSON.")
		if len(current) > 0 && string(current) != "null" {
			made.Value = string(current)
			if pretty, isCut := indent(current); !isCut {
				made.Value = pretty
			}
		}
		return
	}
	made.Value = textOf(current)
	switch {
	case t.Kind == format.Boolean:
		made.Kind, made.Options = "select", optionsOf([]string{"true", "false"}, made.Value)
		made.Options[0].Label, made.Options[1].Label = "Yes", "No"
		made.addNone(t, made.Value == "")
	case t.Choices != nil:
		made.Kind, made.Options = "select", optionsOf(t.Choices, made.Value)
		if made.Value != "" && !slices.Contains(t.Choices, made.Value) { // a rule that is younger than the record
			made.Options = append(made.Options, option{made.Value, made.Value, true})
		}
		made.addNone(t, made.Value == "")
	case t.Kind == format.Integer || t.Kind == format.Number:
		made.Kind = "decimal"
	case t.Format == "date-time":
		made.Kind, made.Value = "datetime", withoutZone(made.Value)
		made.Hint = join(made.Hint, "In UTC.")
	case isSecret(of.Name):
		made.Kind = "password"
	case t.Format == "byte", t.MaxLength > 200, strings.Contains(made.Value, "\n"), len(made.Value) > 100, t.MaxLength == 0 && isLong(of.Name):
		made.Kind = "area"
	default:
		made.Kind = "text"
	}
}

// addNone adds the choice of no value. It may be the one that is chosen, which no other one must replace unseen.
func (in *input) addNone(t *format.Type, isNone bool) {
	if t.Nullable || isNone {
		in.Options = append([]option{{Label: "–", Chosen: isNone}}, in.Options...)
	}
}

// fillList sets the kind and the value of an input for a list: choices, or one element a line.
func (f *inputs) fillList(made *input, of *format.TypeField, current []byte) {
	var texts []string
	isLine := true
	for _, v := range scan.Values(current) {
		text := textOf(v.Text)
		isLine = isLine && text != "" && text == strings.TrimSpace(text) && !strings.ContainsAny(text, "\r\n")
		texts = append(texts, text)
	}
	if choices := of.Type.Elem.Choices; choices != nil {
		made.Kind, made.Options = "choices", optionsOf(choices, texts...)
		return
	}
	made.Kind = "area"
	if !isLine {
		made.Name, made.Value = wholeField+"."+made.Name, string(current)
		made.Hint = join(made.Hint, "JSON.")
		return
	}
	made.Value = strings.Join(texts, "\n")
	made.Hint = join(made.Hint, "One per line.")
}

// compare replaces the current value by what the person has sent, and notes how to find out what they change next.
func (f *inputs) compare(made *input) {
	path := strings.TrimPrefix(made.Name, wholeField+".")
	current := made.values()
	if f.was != nil {
		f.was.Set(path, hashOf(current...))
	}
	if f.typed == nil {
		return
	}
	typed, sent := f.typed[path]
	if !sent {
		if typed, sent = f.typed[wholeField+"."+path]; sent {
			made.Name = wholeField + "." + path
		}
	}
	if f.now && f.before.Get(path) == hashOf(typed...) {
		return // they left it as it was, so it stays what it is now
	}
	if f.now && hashOf(typed...) != hashOf(current...) && f.before.Get(path) != hashOf(current...) {
		made.Now = strings.Join(current, ", ")
		if made.Now == "" {
			made.Now = "no value"
		}
		made.Now, _ = cut(made.Now, ofCell().characters)
	}
	made.set(typed)
}

// values returns the values that the input sends if it is left as it is.
func (in *input) values() []string {
	if in.Options == nil {
		return []string{in.Value}
	}
	var chosen []string
	for _, o := range in.Options {
		if o.Chosen {
			chosen = append(chosen, o.Value)
		}
	}
	return chosen
}

// set sets the values of the input. Secrets are never sent back.
func (in *input) set(values []string) {
	if in.Kind == "password" {
		in.Value = ""
		return
	}
	in.Value = ""
	if len(values) > 0 {
		in.Value = newlines.Replace(values[len(values)-1])
	}
	for i := range in.Options {
		in.Options[i].Chosen = slices.Contains(values, in.Options[i].Value)
	}
}

func optionsOf(choices []string, chosen ...string) []option {
	list := make([]option, len(choices))
	for i, choice := range choices {
		list[i] = option{choice, choice, slices.Contains(chosen, choice)}
	}
	return list
}

// textOf returns a scalar as an input has it, "" for null.
func textOf(text []byte) string {
	switch {
	case len(text) == 0, text[0] == 'n':
		return ""
	case text[0] == '"':
		return string(scan.AppendText(nil, text))
	}
	return string(text)
}

// isSecret reports whether a field has a name of secrets, which no one should read on the screen.
func isSecret(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "password") || strings.Contains(name, "passphrase") || strings.Contains(name, "secret")
}

// isLong reports whether a field has a name of long texts.
func isLong(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"description", "comment", "content", "body", "text", "notes", "summary", "biography"},
		func(word string) bool { return strings.HasSuffix(name, word) })
}

// join joins sentences.
func join(sentences ...string) string {
	return strings.Join(slices.DeleteFunc(sentences, func(s string) bool { return s == "" }), " ")
}
