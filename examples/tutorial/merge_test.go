package tutorial_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	mark    = "// new" // ends a line of a block that is new or changed
	elision = "// …"   // represents lines of the previous version that stay
)

var marked = regexp.MustCompile(`[ \t]*// new$`)

// merge returns a declaration as a block changes it: the block has the lines that change, marked, and some of those
// that stay. A declaration without marks replaces the old one.
func merge(old, block string) (string, error) {
	if !strings.Contains(block, mark) && !strings.Contains(block, elision) {
		return block, nil
	}
	m := merger{old: strings.Split(old, "\n")}
	lines := strings.Split(block, "\n")
	for i, line := range lines {
		switch {
		case strings.TrimSpace(line) == elision:
			m.gap = append(m.gap, elision)
		case marked.MatchString(line):
			m.gap = append(m.gap, marked.ReplaceAllString(line, ""))
		case !m.stays(line, i == len(lines)-1):
			return "", fmt.Errorf("this line is new, but has no mark: %s", line)
		}
	}
	return strings.Join(m.merged, "\n"), m.err
}

type merger struct {
	old    []string // the lines that are left of the old version
	gap    []string // the lines of the block since the last one that stays
	merged []string
	err    error
}

// stays finds a line of the block in the old version, and closes the gap before it.
func (m *merger) stays(line string, last bool) bool {
	at := slices.IndexFunc(m.old, func(old string) bool { return same(old, line) })
	if last {
		at = len(m.old) - 1
	}
	if at < 0 || !same(m.old[at], line) {
		return false
	}
	m.close(m.old[:at])
	m.merged = append(m.merged, line)
	m.old = m.old[at+1:]
	m.gap = nil
	return true
}

// close adds the gap. Of the old lines there, an elision keeps all but those that begin as a changed line does.
func (m *merger) close(old []string) {
	next := func(lines []string) int {
		for _, line := range lines {
			if at := slices.IndexFunc(old, func(o string) bool { return start(o) == start(line) }); line != elision && at >= 0 {
				return at
			}
		}
		return len(old)
	}
	for i, line := range m.gap {
		if line == elision {
			kept := next(m.gap[i+1:])
			m.merged = append(m.merged, old[:kept]...)
			old = old[kept:]
			continue
		}
		if slices.ContainsFunc(old, func(o string) bool { return same(o, line) }) {
			m.err = fmt.Errorf("this line is marked, but has not changed: %s", line)
		}
		if len(old) > 0 && start(old[0]) == start(line) {
			old = old[1:]
		}
		m.merged = append(m.merged, line)
	}
	if len(m.gap) == 0 && len(old) > 0 {
		m.err = fmt.Errorf("this line is gone, but nothing takes its place: %s", old[0])
	}
}

// same reports whether two lines differ in spaces only.
func same(a, b string) bool {
	return slices.Equal(strings.Fields(a), strings.Fields(b))
}

// start returns how a line begins, up to its first value.
func start(line string) string {
	line = strings.TrimSpace(line)
	if at := strings.IndexAny(line, "({`\""); at >= 0 {
		line = line[:at]
	}
	return strings.Join(strings.Fields(line), " ")
}

func TestMerge(t *testing.T) {
	t.Parallel()
	const old = "func f() {\n\ta(1)\n\tb(1)\n\tc(1)\n}"
	for name, test := range map[string]struct{ block, want, err string }{
		"a marked line replaces one that begins alike": {block: "func f() {\n\t// …\n\tb(2) // new\n\t// …\n}", want: "func f() {\n\ta(1)\n\tb(2)\n\tc(1)\n}"},
		"a marked line is added":                       {block: "func f() {\n\ta(1)\n\tx(2) // new\n\t// …\n}", want: "func f() {\n\ta(1)\n\tx(2)\n\tb(1)\n\tc(1)\n}"},
		"marked lines replace what is not shown":       {block: "func f() {\n\tx(2) // new\n\tc(1)\n}", want: "func f() {\n\tx(2)\n\tc(1)\n}"},
		"a block without marks replaces all":           {block: "func f() {}", want: "func f() {}"},
		"a line without a mark stays":                  {block: "func f() {\n\tx(2)\n\t// …\n}", err: "this line is new, but has no mark: \tx(2)"},
		"a mark is for a change":                       {block: "func f() {\n\tb(1) // new\n\t// …\n}", err: "this line is marked, but has not changed: \tb(1)"},
		"a line does not vanish":                       {block: "func f() {\n\tb(1)\n\tx(1) // new\n\tc(1)\n}", err: "this line is gone, but nothing takes its place: \ta(1)"},
	} {
		got, err := merge(old, test.block)
		if diff := cmp.Diff(test.want, got); diff != "" && test.err == "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if (err == nil) != (test.err == "") || err != nil && err.Error() != test.err {
			t.Errorf("%s: the error is %v, want %q", name, err, test.err)
		}
	}
}
