package gate

import (
	"fmt"
	"hash"
	"io"
)

// WriteStanding writes what a rule asks of the caller, and what it is told, into a hash: an answer
// that was made for one standing is not for another one, though the caller be the same.
func (r *Rule) WriteStanding(c *Caller, into hash.Hash) {
	if r != nil {
		r.root.writeStanding(c, into)
	}
}

// writeStanding leaves out what depends on records: an answer that is replayed was made of the
// record as it was then, and its caller saw that. A filter's conditions are not compared, for they
// may hold the time of day.
func (n *node) writeStanding(c *Caller, into hash.Hash) {
	for _, part := range n.parts {
		part.writeStanding(c, into)
	}
	says := ""
	switch n.Kind {
	case "if", "scope", "authenticated":
		q := question{caller: c}
		verdict, _ := n.ask(&q) // without a record nothing fails
		says = fmt.Sprint(verdict)
	case "equal":
		if c.isAsked(n.Principal) {
			says = fmt.Sprint(n.valueOf(c))
		}
	default:
		return
	}
	_, _ = io.WriteString(into, n.Kind+" "+n.Name+" "+fmt.Sprintf("%q\n", says)) // a hash takes everything
}

// WriteStanding writes what the rules of members ask of the caller, and what they are told.
func (m *Members) WriteStanding(c *Caller, into hash.Hash) {
	if m == nil {
		return
	}
	for i := range m.List {
		m.List[i].Read.WriteStanding(c, into)
	}
}
