package compiled

import (
	"slices"
	"strings"
)

// ownFields are fields of an answer that say how it is to be read, or how it comes. Functions that
// set one could make the answer another one than the document's.
var ownFields = []string{
	"Connection", "Deprecation", "Etag", "Idempotent-Replayed", "Keep-Alive", "Last-Modified", "Sunset", "Trailer",
	"Transfer-Encoding", "Upgrade", "X-Content-Type-Options", "X-Total-Count",
}

// OwnsField reports whether a field of the operation's answers, by its canonical name, is not for
// functions of the user's to set.
func (o *Operation) OwnsField(name string) bool {
	switch name {
	case "Location":
		return o.Creates || o.AllowCreate
	case "Cache-Control":
		return o.Reads
	}
	return strings.HasPrefix(name, "Content-") && name != "Content-Disposition" && name != "Content-Security-Policy" || slices.Contains(ownFields, name)
}

// IsFieldName reports whether a text can be the name of a field (RFC 9110, section 5.6.2).
func IsFieldName(name string) bool {
	odd := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	}
	return name != "" && !strings.ContainsFunc(name, odd)
}

// IsFieldValue reports whether a text can be the value of a field (RFC 9110, section 5.5): it is one line, without
// control characters but tabs.
func IsFieldValue(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}
