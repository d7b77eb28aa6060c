package openapitest

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// mostVaried is how many values are tried until one follows the schema of its field.
const mostVaried = 200

// unique returns a value that no other request has and that the document calls valid, nil where none is
// found. It is made of the example, because only that is known to follow rules that no keyword states.
func (c *conformity) unique(op operation, sent request, of *replacement, example any) any {
	where := op.bodySchema(sent.mediaType)
	for range mostVaried {
		c.uniques++
		body, ok := c.exampleOf(op)
		if !ok {
			return nil
		}
		body, _ = parsed(string(written(body))) // a copy
		tried := replacement{rejected: of.rejected, value: varied(example, c.uniques)}
		if tried.value == nil || !tried.set(body, of.names) {
			return nil
		}
		if valid, err := c.document.valid(where, written(body)); err == nil && valid && string(written(tried.value)) != of.rejected {
			return tried.value
		}
	}
	return nil
}

// varied returns the n-th value like another one, nil where it is neither a string nor a number.
func varied(value any, n int) any {
	switch v := value.(type) {
	case string:
		return variedText(v, n)
	case json.Number:
		number, ok := new(big.Int).SetString(string(v), 10)
		if !ok {
			return nil
		}
		if n%2 == 0 { // there may be a maximum
			n = -n
		}
		return json.Number(number.Add(number, big.NewInt(int64(n))).String())
	}
	return nil
}

// alphabets are the sets of characters that stand for one another. A change within one of them keeps
// the pattern of a string.
var alphabets = [...]string{"0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}

// variedText counts in the digits of a string, or in its letters too where it has few digits: of an
// email address in what is before the @, of a URL in its last segment.
func variedText(text string, n int) string {
	from, to := strings.LastIndexByte(text, '/')+1, len(text)
	if at := strings.LastIndexByte(text, '@'); at > 0 {
		from, to = 0, at
	}
	if from == to {
		return text + strconv.Itoa(n)
	}
	sets := alphabets[:]
	const fewDigits = 3
	if digitsIn(text[from:to]) >= fewDigits {
		sets = sets[:1]
	}
	varied := []byte(text)
	for i := to - 1; i >= from && n > 0; i-- {
		for _, set := range sets {
			if at := strings.IndexByte(set, text[i]); at >= 0 {
				varied[i] = set[(at+n)%len(set)]
				n = (at + n) / len(set)
			}
		}
	}
	return string(varied)
}

func digitsIn(text string) int {
	return len(text) - len(strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, text))
}
