package postgres

import (
	"strconv"
	"strings"
)

// Limits returns what a column of a type, as format_type writes it, can hold. sqlstore calls it.
func (*driver) Limits(declared string) (least, most string, length int) {
	name, size, _ := strings.Cut(declared, "(")
	size = strings.TrimSuffix(size, ")")
	switch name {
	case "smallint":
		return "-32768", "32767", 0
	case "integer":
		return "-2147483648", "2147483647", 0
	case "real":
		return "-340282346638528859811704183484516925440", "340282346638528859811704183484516925440", 0
	case "character varying", "character":
		length, _ = strconv.Atoi(size) // 0 without a size
	case "numeric":
		most = largestNumeric(size)
		if most != "" {
			least = "-" + most
		}
	}
	return least, most, length
}

// largestNumeric returns the largest number of numeric(precision,scale), "" without a size. A negative scale rounds the
// last digits of the whole number.
func largestNumeric(size string) string {
	first, second, _ := strings.Cut(size, ",")
	precision, err := strconv.Atoi(first)
	if err != nil {
		return ""
	}
	scale, _ := strconv.Atoi(second)
	switch {
	case scale <= 0:
		return strings.Repeat("9", precision) + strings.Repeat("0", -scale)
	case scale >= precision:
		return "0." + strings.Repeat("0", scale-precision) + strings.Repeat("9", precision)
	}
	return strings.Repeat("9", precision-scale) + "." + strings.Repeat("9", scale)
}
