package describe

import (
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/operation"
)

// Summary returns an operation's one line, with what the path names above its records.
// The parent is added to texts of Trove's alone. One that a user has written says what he wants.
func Summary(op *compiled.Operation) string {
	line := summarizeOwn(op)
	if len(op.Parents) > 0 && op.Summary == "" && op.Name == "" {
		line += " of one " + naming.Phrase(op.Parents[len(op.Parents)-1].Resource.ShortName)
	}
	return line
}

// summarizeOwn begins with a verb in the imperative, as lists of operations are scanned by it. A
// Put that replaces is told apart from one that changes: that is what a client has to know first.
func summarizeOwn(op *compiled.Operation) string {
	one := naming.Phrase(op.Resource.ShortName)
	switch {
	case op.Summary != "":
		return op.Summary
	case op.Relationship != nil:
		return summarizeRelationship(op)
	case op.Name != "":
		return naming.SentenceCase(op.Name)
	case op.Membership != nil:
		return summarizeMembership(op)
	case op.Kind == operation.KindGetCollection:
		return "List " + naming.Phrase(op.Resource.PluralName)
	case op.Kind == operation.KindGet:
		return "Get one " + one
	case op.Kind == operation.KindPost:
		return "Create a new " + one
	case op.Replace:
		return "Replace one " + one
	case op.Kind == operation.KindPatch:
		return "Change one " + one
	case op.Kind == operation.KindDelete:
		return "Delete one " + one
	}
	return "Update one " + one
}

// Description returns an operation's text, with who may do it where something says so.
// Who may is said of operations even where a scheme stands beside them: scheme and scopes do not
// say which callers a rule lets pass.
func Description(op *compiled.Operation) string {
	text := describeOperation(op)
	if op.Access != nil {
		text += "\n\nWho may: " + Who(op.Access, op.Resource.Struct) + "."
	}
	return text
}

// What a handler does only its author knows. So the text claims no more than on what it acts.
func describeOperation(op *compiled.Operation) string {
	one := naming.Phrase(op.Resource.ShortName)
	switch {
	case op.Description != "":
		return op.Description
	case op.Relationship != nil:
		return describeRelationship(op)
	case op.Membership != nil:
		return describeMembership(op)
	case op.Custom && op.Item:
		return "Acts on the " + one + " that the path names."
	case op.Custom:
		return "An operation beside those on stored " + naming.Phrase(op.Resource.PluralName) + "."
	case op.Kind == operation.KindGetCollection:
		return "Answers with the " + naming.Phrase(op.Resource.PluralName) + " that the parameters ask for."
	case op.Kind == operation.KindGet:
		return "Answers with the " + one + " that the path names."
	case op.Kind == operation.KindPost:
		return "Makes a new " + one + " of the body and answers with it."
	case op.Kind == operation.KindDelete:
		return "Removes the " + one + " that the path names."
	}
	return describeChange(op)
}

// describeChange returns the text of an operation that changes a record.
func describeChange(op *compiled.Operation) string {
	text := "Changes the members that the body has, and keeps the others. A null clears a member that may be null."
	switch {
	case op.Replace:
		text = "Puts the body in place of what is stored. Members left out get their default, else null or their zero value; " +
			"read-only and write-only members stay."
	case op.Kind == operation.KindPatch:
		text = "Applies a JSON merge patch (RFC 7396): changes the members that the body has, and keeps the others. " +
			"A null clears a member that may be null."
	}
	if op.AllowCreate {
		text += " Where there is none yet, it is created" + describeNeeds(op) + "."
	}
	return text
}

// describeNeeds lists what a body must have where it creates, beyond what its schema
// requires.
// One schema serves both cases, of which the frequent one is the change: so what creating needs
// beyond it is said in words.
func describeNeeds(op *compiled.Operation) string {
	names := Needs(op)
	if len(names) == 0 {
		return ""
	}
	return "; the body must then have `" + strings.Join(names, "`, `") + "`"
}
