package model

// Held is embedded by stores that compile the struct of their records. Its method can be
// called by [Of] alone, so that what the store is for need not compile the struct once more,
// and no public signature names it. The zero value holds none.
type Held struct {
	record *Struct
	store  any // that keeps nothing of what it is asked; nil for another one
}

// Hold returns what embeds a struct.
func Hold(record *Struct) Held { return Held{record: record} }

// Forgetting returns the same for a store that keeps nothing of a query, or of identifiers, once its
// method has returned, so that the memory which these were made in may be used again.
func (h Held) Forgetting(store any) Held {
	h.store = store
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

// Holder is what embeds Held.
type Holder interface{ held() *Struct }

// Of returns the struct that a store embeds, nil for none.
func Of(store Holder) *Struct { return store.held() }
