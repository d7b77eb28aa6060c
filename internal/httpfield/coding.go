package httpfield

import (
	"strconv"
	"strings"
)

// AcceptsGzip reports whether a client accepts gzip, by the values of Accept-Encoding (RFC 9110, section 12.5.3).
func AcceptsGzip(header []string) bool {
	for coding := range strings.SplitSeq(strings.Join(header, ","), ",") {
		name, weight, _ := strings.Cut(strings.ReplaceAll(coding, " ", ""), ";q=")
		quality, err := strconv.ParseFloat(weight, 64)
		if strings.EqualFold(name, "gzip") && (err != nil || quality > 0) {
			return true
		}
	}
	return false
}
