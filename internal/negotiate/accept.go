// Package negotiate reads the header fields Accept and Content-Type (RFC 9110,
// sections 12.5.1 and 8.3).
package negotiate

import (
	"mime"
	"strconv"
	"strings"
)

// Accept returns the offer that the client likes best, the earlier one where it likes
// two the same, and whether there is one that it takes. Media types compare without
// regard to case; parameters but q are passed over, as are ranges that are not well
// formed. Without a well-formed range every offer is taken.
func Accept(header, offers []string) (string, bool) { return AcceptMeant(header, offers, nil) }

// Means reports whether a media type with parameters, names in lower case, means what is called
// by the media type alone.
type Means func(mediaType string, parameters map[string]string) bool

// AcceptMeant is Accept, but that a range with parameters is passed over which does not mean its
// media type. Nil means that all do.
func AcceptMeant(header, offers []string, means Means) (string, bool) {
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
