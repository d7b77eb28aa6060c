package negotiate

import (
	"mime"
	"slices"
	"strings"
)

// ContentType returns which of the supported media types the field names, and whether
// it names one in a charset that JSON has, which is UTF-8 (RFC 8259, section 8.1).
func ContentType(header string, supported []string) (string, bool) {
	return ContentTypeMeant(header, supported, nil)
}

// ContentTypeMeant is ContentType, but that the field names none whose parameters do not mean it.
// Where means has something to say of a media type, that goes for a charset, too; nil has nothing.
func ContentTypeMeant(header string, supported []string, means func(mediaType string) Means) (string, bool) {
	if slices.Contains(supported, header) {
		return header, true // what most clients say
	}
	// It takes quoted parameters and any case, as RFC 9110, section 8.3.1, does.
	name, parameters, err := mime.ParseMediaType(header)
	if err != nil || !slices.Contains(supported, name) {
		return "", false
	}
	if means != nil && len(parameters) > 0 {
		if own := means(name); own != nil {
			return name, own(name, parameters)
		}
	}
	// Other parameters, such as profile, say nothing of how the bytes are read.
	charset, given := parameters["charset"]
	return name, !given || strings.EqualFold(charset, "utf-8")
}
