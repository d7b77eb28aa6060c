package compiled

import (
	"slices"
	"strings"

	"github.com/trove-api/trove/operation"
)

// Format is a form in which an operation answers.
type Format struct {
	MediaType string
	Suffix    string // of paths that choose the format
	Stream    bool   // record by record, of a collection as a whole
}

// Media types of bodies.
const (
	JSON       = "application/json"
	NDJSON     = "application/x-ndjson"
	MergePatch = "application/merge-patch+json"
)

// Formats lists all formats. The first one is the usual one.
func Formats() []Format {
	return []Format{{MediaType: JSON, Suffix: ".json"}, {MediaType: NDJSON, Suffix: ".ndjson", Stream: true}}
}

// ChooseFormats gives the operation its formats.
func (o *Operation) ChooseFormats() {
	o.Formats = slices.DeleteFunc(Formats(), func(f Format) bool { return f.Stream && !o.IsCollection() })
	for _, format := range o.Formats {
		o.Offers = append(o.Offers, format.MediaType)
	}
}

// IsCollection reports whether the operation answers the records of its resource that
// the parameters ask for.
func (o *Operation) IsCollection() bool {
	return o.Kind == operation.KindGetCollection && o.Handler == nil
}

// Suffixes lists the suffixes that the operation's paths take, nil for none.
func (o *Operation) Suffixes() []string {
	if !o.Suffix {
		return nil
	}
	var suffixes []string
	for _, format := range o.Formats {
		suffixes = append(suffixes, format.Suffix)
	}
	return suffixes
}

// DoubledSuffix returns the suffix that a path of the operation needs once more, since an
// identifier ends in it and it would be taken for the format's; else "".
func (o *Operation) DoubledSuffix(path string) string {
	for i := range o.Formats {
		if suffix := o.Formats[i].Suffix; o.Suffix && strings.HasSuffix(path, suffix) {
			return suffix
		}
	}
	return ""
}
