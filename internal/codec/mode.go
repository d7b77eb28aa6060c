package codec

import "github.com/trove-api/trove/internal/model"

// Mode is how a body meets the record that it is decoded onto. The zero value is none.
type Mode int

const (
	// Create fills a new record, which has its defaults: a required member must be
	// there.
	Create Mode = iota + 1
	// Replace fills a new record in place of a stored one (see [Codec.Renew]): as
	// Create, but a write-only member may be left out.
	Replace
	// CreateNamed is Create of a record that the path names: the identifier may be left out.
	CreateNamed
	// ReplaceNamed is Replace of one: the identifier may be left out, too.
	ReplaceNamed
	// Merge applies a merge patch (RFC 7396): members left out are kept.
	Merge

	// graft is Create inside of a merge patch, for a struct that the patch makes:
	// nulls in maps still remove, as the RFC says of objects that are not there yet.
	graft
)

// forNew is the mode for a value that the body makes, in a body of mode m.
func (m Mode) forNew() Mode {
	if m.patches() {
		return graft
	}
	return Create
}

// patches reports whether a null removes.
func (m Mode) patches() bool { return m == Merge || m == graft }

// requires reports whether a body of the mode must have a required member.
func (m Mode) requires(f *model.Field) bool {
	switch m {
	case Create, graft:
		return true
	case CreateNamed:
		return !f.Identifier
	case Replace:
		return !f.WriteOnly
	case ReplaceNamed:
		return !f.WriteOnly && !f.Identifier
	}
	return false
}
