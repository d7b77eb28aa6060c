package negotiate

import (
	"mime"
	"slices"
	"strings"
)

// ContentType returns which of the supported media types the field names, and whether
// it names one in a charset that JSON has, which is UTF-8 (RFC 8259, section 8.1).
func ContentType(header string, supported []string) (string, bool) {
	if slices.Contains(supported, header) {
		return header, true // what most clients say
	}
	name, parameters, err := mime.ParseMediaType(header)
	if err != nil || !slices.Contains(supported, name) {
		return "", false
	}
	charset, given := parameters["charset"]
	return name, !given || strings.EqualFold(charset, "utf-8")
}
