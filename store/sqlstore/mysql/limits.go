package mysql

import (
	"strconv"
	"strings"
)

// integers are the largest numbers of integer types narrower than BIGINT, by name.
var integers = map[string]int64{"tinyint": 127, "smallint": 32_767, "mediumint": 8_388_607, "int": 2_147_483_647}

// Limits returns what a column of a type, as the server describes it, can hold. sqlstore calls it.
func (*driver) Limits(declared string) (least, most string, length int) {
	declared, _, _ = strings.Cut(declared, " COLLATE ")
	isUnsigned := strings.Contains(declared, " unsigned")
	name, size, _ := strings.Cut(strings.TrimSuffix(declared, " unsigned"), "(")
	size, _, _ = strings.Cut(size, ")")
	name, _, _ = strings.Cut(name, " ")
	switch n, isInteger := integers[name]; {
	case isInteger && isUnsigned:
		return "0", strconv.FormatInt(2*n+1, 10), 0
	case isInteger && declared != "tinyint(1)": // a boolean
		return strconv.FormatInt(-n-1, 10), strconv.FormatInt(n, 10), 0
	case name == "bigint" && isUnsigned:
		return "0", "18446744073709551615", 0
	case name == "float":
		return "-340282346638528859811704183484516925440", "340282346638528859811704183484516925440", 0
	case name == "varchar" || name == "char":
		length, _ = strconv.Atoi(size)
	case name == "decimal":
		first, second, _ := strings.Cut(size, ",")
		precision, _ := strconv.Atoi(first)
		scale, _ := strconv.Atoi(second)
		if most = strings.Repeat("9", precision-scale) + "." + strings.Repeat("9", scale); precision == scale {
			most = "0" + most
		}
		least = "-" + strings.TrimSuffix(most, ".")
		return least, strings.TrimSuffix(most, "."), 0
	}
	return "", "", length
}
