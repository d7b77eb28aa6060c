package model

// Held is embedded by stores that compile the struct of their records. Its method can be
// called by [Of] alone, so that what the store is for need not compile the struct once more,
// and no public signature names it. The zero value holds none.
type Held struct{ record *Struct }

// Hold returns what embeds a struct.
func Hold(record *Struct) Held { return Held{record} }

func (h Held) held() *Struct { return h.record }

// Holder is what embeds Held.
type Holder interface{ held() *Struct }

// Of returns the struct that a store embeds, nil for none.
func Of(store Holder) *Struct { return store.held() }
