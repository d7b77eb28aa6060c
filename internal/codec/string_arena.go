package codec

// stringArena gathers the short strings of a body, so that one allocation serves them all. A
// string that a record keeps then keeps the others in memory that were made with it: no
// more than textsAtOnce bytes, whatever the size of the body.
type stringArena struct {
	bytes   []byte
	waiting []waitingText
}

// waitingText is a string that is not assigned yet. It ends at that byte, and begins where
// the one before it ends.
type waitingText struct {
	into *string
	end  int
}

const (
	// textsAtOnce is how many bytes one allocation has at most.
	textsAtOnce = 1 << 10
	// longText is how long a string is that gets an allocation of its own.
	longText = 1 << 7
)

// add assigns a string, or lets it wait for assign.
func (t *stringArena) add(into *string, text []byte) {
	// A long one would keep the others in memory for as long as it lives, and they it.
	if len(text) == 0 || len(text) > longText {
		*into = string(text)
		return
	}
	if len(t.bytes)+len(text) > textsAtOnce {
		t.assign()
	}
	t.bytes = append(t.bytes, text...)
	t.waiting = append(t.waiting, waitingText{into, len(t.bytes)})
}

// assign assigns the strings that wait. It comes before what holds them is moved or looked
// at.
func (t *stringArena) assign() {
	if len(t.waiting) == 0 {
		return
	}
	// One allocation for all strings of a record. They live and die with it, so that sharing one
	// array costs nothing later.
	all, start := string(t.bytes), 0
	for _, w := range t.waiting {
		*w.into = all[start:w.end]
		start = w.end
	}
	t.drop()
}

// drop lets go of the strings that wait.
func (t *stringArena) drop() {
	clear(t.waiting)
	t.bytes, t.waiting = t.bytes[:0], t.waiting[:0]
}
