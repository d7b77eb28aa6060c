package httpfield

import (
	"mime"
	"slices"
	"strconv"
	"strings"
)

// Means reports whether a media type with parameters means the same as without. Names of parameters are in
// lowercase.
type Means func(mediaType string, parameters map[string]string) bool

// Accept returns the offer that the client prefers, the first of equals, and whether there is one. Media types are
// compared regardless of case. It ignores malformed ranges, and ranges whose parameters change the meaning
// according to means; without means, no parameters do. Without a range, every offer is accepted.
func Accept(header, offers []string, means Means) (string, bool) {
	// Two comparisons decide nearly all requests without parsing.
	if len(header) == 0 || len(header) == 1 && (header[0] == "*/*" || header[0] == offers[0]) {
		return offers[0], true // what most clients send
	}
	ranges, passed := parseAccept(header, means)
	// RFC 9110, section 12.5.1, lets a server ignore the field. If no range is usable, a response that the client may
	// accept helps more than 406.
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

// parseAccept returns the ranges of the field, and whether it ignored one because of its parameters.
func parseAccept(header []string, means Means) (ranges []mediaRange, passed bool) {
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

// isMeant reports whether the parameters of a range, except q, leave its meaning unchanged.
func isMeant(element string, means Means) bool {
	name, parameters, err := mime.ParseMediaType(element)
	if err != nil {
		return true // not parameters of a media type
	}
	delete(parameters, "q")
	return len(parameters) == 0 || means(name, parameters)
}

// Parameters such as charset do not distinguish offers, because no offer has any.
func parseRange(element string) (mediaRange, bool) {
	name, parameters, _ := strings.Cut(element, ";")
	typ, subtype, ok := strings.Cut(strings.ToLower(strings.TrimSpace(name)), "/")
	if !ok || typ == "" || subtype == "" || typ == "*" && subtype != "*" {
		return mediaRange{}, false
	}
	q, ok := parseQuality(parameters)
	return mediaRange{typ, subtype, q}, ok
}

// parseQuality returns the weight among parameters. The default is 1.
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

// qualityOf returns the weight of the most specific range that matches the offer.
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
		// Of two equally specific ranges, the first counts. The RFC does not say.
		if s > specificity {
			quality, specificity = r.q, s
		}
	}
	return quality
}

// ContentType returns which of the supported media types the field names, and whether there is one with a charset
// of JSON, which is UTF-8 (RFC 8259, section 8.1). If means returns a function for a media type, that decides
// instead.
func ContentType(header string, supported []string, means func(mediaType string) Means) (string, bool) {
	if slices.Contains(supported, header) {
		return header, true // what most clients send
	}
	// It accepts quoted parameters and any case, as in RFC 9110, section 8.3.1.
	name, parameters, err := mime.ParseMediaType(header)
	if err != nil || !slices.Contains(supported, name) {
		return "", false
	}
	if means != nil && len(parameters) > 0 {
		if own := means(name); own != nil {
			return name, own(name, parameters)
		}
	}
	// Other parameters, such as profile, do not change how the bytes are read.
	charset, given := parameters["charset"]
	return name, !given || strings.EqualFold(charset, "utf-8")
}
