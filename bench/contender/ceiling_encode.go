package contender

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/trove-api/trove/bench/catalog"
)

func appendItem(text []byte, item *catalog.Item) []byte {
	text = append(text, `{"id":`...)
	text = strconv.AppendInt(text, item.ID, 10)
	text = append(text, `,"name":`...)
	text = appendString(text, item.Name)
	text = append(text, `,"description":`...)
	text = appendString(text, item.Description)
	text = append(text, `,"category":`...)
	text = appendString(text, item.Category)
	text = append(text, `,"email":`...)
	text = appendString(text, item.Email)
	text = append(text, `,"price":`...)
	text = strconv.AppendInt(text, int64(item.Price), 10)
	text = append(text, `,"foundAt":"`...)
	text = item.FoundAt.AppendFormat(text, time.RFC3339Nano)
	text = append(text, `","rating":`...)
	text = strconv.AppendInt(text, int64(item.Rating), 10)
	text = append(text, `,"available":`...)
	text = strconv.AppendBool(text, item.Available)
	text = append(text, `,"createdAt":"`...)
	text = item.CreatedAt.AppendFormat(text, time.RFC3339Nano)
	return append(text, `"}`...)
}

func appendString(text []byte, s string) []byte {
	if !allPlain(s) {
		quoted, _ := json.Marshal(s) //nolint:errchkjson // a string has JSON
		return append(text, quoted...)
	}
	text = append(text, '"')
	text = append(text, s...)
	return append(text, '"')
}

// allPlain reports whether all bytes of a string are plain, looking at eight at a time.
func allPlain(s string) bool {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for ; len(s) >= 8; s = s[8:] {
		w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		// A subtraction sets the top bit of each byte that is less than the subtracted one.
		control, quote, slash := w-ones*' ', (w^ones*'"')-ones, (w^ones*'\\')-ones
		if (w|control|quote|slash)&tops != 0 {
			return false
		}
	}
	for i := range len(s) {
		if !plain(s[i]) {
			return false
		}
	}
	return true
}

// plain reports whether a byte of a string is written to JSON without an escape.
func plain(c byte) bool { return c >= ' ' && c != '"' && c != '\\' && c < 0x80 }
