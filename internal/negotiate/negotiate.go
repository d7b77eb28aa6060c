// Package negotiate reads the header fields Accept and Content-Type (RFC 9110, sections 12.5.1 and 8.3).
package negotiate

import (
	"mime"
	"slices"
	"strconv"
	"strings"
)

// Means reports whether a media type with parameters, names in lower case, means what the media type alone does.
type Means func(mediaType string, parameters map[string]string) bool

// Accept returns the offer that the client prefers, the earlier one of two that it prefers alike, and whether there is
// one that it takes. Media types compare regardless of case; parameters but q are ignored, and so are malformed ranges
// and those whose parameters do not mean their media type; nil means that all do. Without a range every offer is taken.
func Accept(header, offers []string, means Means) (string, bool) {
	// Two comparisons spare nearly all requests the reading of the field.
	if len(header) == 0 || len(header) == 1 && (header[0] == "*/*" || header[0] == offers[0]) {
		return offers[0], true // what most clients say
	}
	ranges, passed := parse(header, means)
	// RFC 9110, section 12.5.1, lets a server pass over the field. One that says nothing is passed over, for
	// an answer in a form that the client may take helps more than 406.
	if len(ranges) == 0 {
		return offers[0], !passed
	}
	best, quality := "", 0.0
	for _, offer := range offers {
		if q := qualityOf(offer, ranges); q > quality {
			best, quality = offer, q
		}
	}
	return best, quality > 0
}

// mediaRange is one element of Accept.
type mediaRange struct {
	typ, subtype string // "*" for any
	q            float64
}

// parse returns the ranges of the field, and whether it has passed over one for its parameters.
func parse(header []string, means Means) (ranges []mediaRange, passed bool) {
	for _, line := range header {
		for element := range strings.SplitSeq(line, ",") {
			r, ok := parseRange(element)
			switch {
			case !ok:
			case means != nil && !isMeant(element, means):
				passed = true
			default:
				ranges = append(ranges, r)
			}
		}
	}
	return ranges, passed
}

// isMeant reports whether the parameters of a range but q let it mean its media type.
func isMeant(element string, means Means) bool {
	name, parameters, err := mime.ParseMediaType(element)
	if err != nil {
		return true // it has been read otherwise, and its parameters are not those of a media type
	}
	delete(parameters, "q")
	return len(parameters) == 0 || means(name, parameters)
}

// Parameters of the type itself, such as charset, do not tell offers apart: none of them has any.
func parseRange(element string) (mediaRange, bool) {
	name, parameters, _ := strings.Cut(element, ";")
	typ, subtype, ok := strings.Cut(strings.ToLower(strings.TrimSpace(name)), "/")
	if !ok || typ == "" || subtype == "" || typ == "*" && subtype != "*" {
		return mediaRange{}, false
	}
	q, ok := parseQuality(parameters)
	return mediaRange{typ, subtype, q}, ok
}

// parseQuality returns the weight among parameters, 1 if there is none.
func parseQuality(parameters string) (float64, bool) {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
		if strings.EqualFold(name, "q") {
			q, err := strconv.ParseFloat(value, 64)
			return q, err == nil && 0 <= q && q <= 1
		}
	}
	return 1, true
}

// qualityOf returns the weight of the most specific range that the offer is in.
func qualityOf(offer string, ranges []mediaRange) float64 {
	typ, subtype, _ := strings.Cut(offer, "/")
	quality, specificity := 0.0, 0
	for _, r := range ranges {
		s := 0
		switch {
		case r.typ == typ && r.subtype == subtype:
			s = 3
		case r.typ == typ && r.subtype == "*":
			s = 2
		case r.typ == "*":
			s = 1
		}
		// At the same specificity the first one counts; the RFC does not say.
		if s > specificity {
			quality, specificity = r.q, s
		}
	}
	return quality
}

// ContentType returns which of the supported media types the field names, and whether it names one in a charset that
// JSON has, which is UTF-8 (RFC 8259, section 8.1). If means returns a function for a media type, that decides instead.
func ContentType(header string, supported []string, means func(mediaType string) Means) (string, bool) {
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
