package check

import "strings"

// Words splits the parameter of oneof and its like as validator does, whose splitting is
// what the rule means: at spaces, where no quotes keep a word together. It drops quotes
// wherever they stand, so that "it's" is the word "its". Checks, messages and the document
// all have their words from here.
func Words(param string) []string {
	const spaces = " \t\n\f\r"
	var words []string
	// By hand rather than by validator's regular expression, which is not exported.
	for param = strings.TrimLeft(param, spaces); param != ""; param = strings.TrimLeft(param, spaces) {
		end := strings.IndexAny(param, spaces)
		if end < 0 {
			end = len(param)
		}
		if closing := strings.IndexByte(param[1:], '\''); param[0] == '\'' && closing >= 0 {
			end = closing + 2
		}
		words = append(words, strings.ReplaceAll(param[:end], "'", ""))
		param = param[end:]
	}
	return words
}
