package model

// Held is embedded by stores that compile the struct of their records. Its methods can be called by the
// functions of this package alone, so that what the store is for need not compile the struct once more,
// and no public signature names them. The zero value holds none.
type Held struct {
	record *Struct
	store  any    // that keeps nothing of what it is asked; nil for another one
	linker Linker // of a store in memory; nil for another one
}

// Hold returns what embeds a struct.
func Hold(record *Struct) Held { return Held{record: record} }

// Forgetting returns the same for a store that keeps nothing of a query, or of identifiers, once its
// method has returned, so that the memory which these were made in may be used again.
func (h Held) Forgetting(store any) Held {
	h.store = store
	return h
}

// Linking returns the same for a store in memory.
func (h Held) Linking(l Linker) Held {
	h.linker = l
	return h
}

// Forgets reports whether a store has said so of itself. What embeds it may keep queries, and what
// it has said of itself is then of the store within.
func Forgets(store any) bool {
	forgetting, ok := store.(interface{ forgetting() any })
	return ok && forgetting.forgetting() == store
}

func (h Held) held() *Struct   { return h.record }
func (h Held) forgetting() any { return h.store }
func (h Held) linking() Linker { return h.linker }

// Holder is what embeds Held.
type Holder interface {
	held() *Struct
	linking() Linker
}

// Of returns the struct that a store embeds, nil for none.
func Of(store Holder) *Struct { return store.held() }

// Linker is a store in memory among those of one API, which know nothing of each other before.
type Linker interface {
	// Join lets the stores share transactions: a Transact of one with the context of a transaction of the
	// other joins it.
	Join(other Linker)
	// Refer tells the stores that a field of the records of the first, by its JSON name, refers to records of
	// the other. From then on they keep each reference whole.
	Refer(field string, to Linker) error
}

// LinkerOf returns the linker that a store embeds, nil for none.
func LinkerOf(store Holder) Linker { return store.linking() }
