package describe

import (
	"net/http"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/operation"
)

// Summary returns an operation's one line: the user's own, or one that begins with a verb, as lists of operations are
// scanned by it, and ends with what the path names above the records.
func Summary(op *compiled.Operation) string {
	line, _ := texts(op)
	switch {
	case op.Summary != "":
		return op.Summary
	case op.Name != "" && op.Relationship == nil:
		return naming.SentenceCase(op.Name)
	case op.Name == "" && len(op.Parents) > 0:
		return line + " of one " + naming.Phrase(op.Parents[len(op.Parents)-1].Resource.ShortName)
	}
	return line
}

// Description returns an operation's text, with who may do it where something says so: scheme and scopes do not
// say which callers a rule lets pass.
func Description(op *compiled.Operation) string {
	_, text := texts(op)
	switch {
	case op.Description != "":
		text = op.Description
	case op.Relationship != nil, op.Membership != nil:
	case op.Custom && op.Item: // what a handler does only its author knows
		text = "Acts on the " + naming.Phrase(op.Resource.ShortName) + " that the path names."
	case op.Custom:
		text = "An operation beside those on stored " + naming.Phrase(op.Resource.PluralName) + "."
	}
	if op.Access != nil {
		text += "\n\nWho may: " + who(op.Access, op.Resource.Struct) + "."
	}
	return text
}

// texts returns the line and the text of an operation without words of its own.
func texts(op *compiled.Operation) (line, text string) {
	switch {
	case op.Relationship != nil:
		return relationshipTexts(op)
	case op.Membership != nil:
		return membershipTexts(op)
	}
	const changes = "hanges the members that the body has, and keeps the others. A null clears a member that may be null."
	one, many := naming.Phrase(op.Resource.ShortName), naming.Phrase(op.Resource.PluralName)
	of := [...][2]string{
		operation.KindGet:           {"Get one " + one, "Answers with the " + one + " that the path names."},
		operation.KindGetCollection: {"List " + many, "Answers with the " + many + " that the parameters ask for."},
		operation.KindPost:          {"Create a new " + one, "Makes a new " + one + " of the body and answers with it."},
		operation.KindPut:           {"Update one " + one, "C" + changes},
		operation.KindPatch:         {"Change one " + one, "Applies a JSON merge patch (RFC 7396): c" + changes},
		operation.KindDelete:        {"Delete one " + one, "Removes the " + one + " that the path names."},
	}[op.Kind]
	if op.Replace {
		of = [2]string{"Replace one " + one, "Puts the body in place of what is stored. Members left out get their default, else null or their zero value; " +
			"read-only and write-only members stay."}
	}
	if op.AllowCreate {
		of[1] += " Where there is none yet, it is created"
		if names := Needs(op); len(names) > 0 {
			of[1] += "; the body must then have `" + strings.Join(names, "`, `") + "`"
		}
		of[1] += "."
	}
	return of[0], of[1]
}

// membershipTexts is about what changes only what one record is referred to by a list.
func membershipTexts(op *compiled.Operation) (line, text string) {
	what, list := naming.Phrase(op.Membership.Resource.ShortName), naming.Phrase(op.Membership.Field.Name)
	one, member := naming.Phrase(op.Resource.ShortName), "`"+op.Membership.Field.Name+"`"
	if op.Kind == operation.KindDelete {
		return "Take one " + what + " out of the " + list + " of one " + one,
			"Takes a " + what + " out of " + member + " of the " + one + ". The " + what + " itself stays. Both are named by the path."
	}
	return "Add one " + what + " to the " + list + " of one " + one,
		"Adds a " + what + " to the end of " + member + " of the " + one + ", unless it is there already. Both are named by the path."
}

// relationshipTexts is about a reference of a record alone.
func relationshipTexts(op *compiled.Operation) (line, text string) {
	of := op.Relationship
	member, whose := naming.Phrase(of.Field.Name), " of one "+naming.Phrase(op.Resource.ShortName)
	one := "the " + naming.Phrase(op.Resource.ShortName) + " that the path names"
	text = "Puts the body in place of the " + member + " of " + one + ". All else stays."
	switch {
	case op.Reads:
		return "Get the " + member + whose, "Answers with what " + one + " refers to as its " + member + "."
	case of.Change == compiled.Adds:
		return "Add to the " + member + whose, "Adds to the " + member + " of " + one + " those of the body that are not among them yet."
	case of.Change == compiled.Removes:
		return "Remove from the " + member + whose, "Takes those of the body away from the " + member + " of " + one + ". What is not among them is passed over."
	case of.Field.Reference.Many:
		return "Replace the " + member + whose, text
	}
	return "Change the " + member + whose, text
}

// Success returns the text of a response of a status.
func Success(op *compiled.Operation, status int) string {
	what := "the " + op.Resource.ShortName + " as it is now"
	switch {
	case !op.Answers():
		return "Done; there is nothing to tell."
	case op.Custom:
		return "Done."
	case op.Relationship != nil:
		what = "the " + naming.Phrase(op.Relationship.Field.Name) + " of the " + op.Resource.ShortName
	case op.Pages:
		what = "the " + op.Resource.PluralName + " that were asked for"
	case op.Reads:
		what = "the " + op.Resource.ShortName
	case status == http.StatusCreated, op.Creates:
		what = "the new " + op.Resource.ShortName
	}
	return naming.Sentence(what)
}
