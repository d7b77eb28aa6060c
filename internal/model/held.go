package model

// Held is embedded by stores that compile the struct of their records. Its method can be
// called by functions of this package alone, so that what the store is for need not compile the struct once more,
// and no public signature names it. The zero value holds none.
type Held struct {
	record          *Struct
	untyped, itself any
}

// Hold returns what embeds a struct.
func Hold(record *Struct) Held { return Held{record: record} }

// HoldUntyped returns the same for a store that exists without its type parameter, too.
func HoldUntyped(record *Struct, untyped, itself any) Held { return Held{record, untyped, itself} }

func (h Held) held() Held { return h }

// Holder is what embeds Held.
type Holder interface{ held() Held }

// Of returns the struct that a store embeds, nil for none.
func Of(store Holder) *Struct { return store.held().record }

// Untyped returns the store without its type parameter that a store embeds, nil for none, and whether the two are the
// same: what wraps the store has methods of its own.
func Untyped(store Holder) (untyped any, same bool) {
	h := store.held()
	return h.untyped, h.itself == any(store)
}

// Linker is a store in memory among those of one API, which know nothing of each other before.
type Linker interface {
	// Join lets the stores share transactions: a Transact of one with the context of a transaction of the
	// other joins it.
	Join(other Linker)
	// Refer tells the stores that a field of the records of the first, by its JSON name, refers to records of
	// the other. From then on they keep each reference whole.
	Refer(field string, to Linker) error
}

// LinkerOf returns the linker that a store is without its type parameter, nil for none.
func LinkerOf(store Holder) Linker {
	linker, _ := store.held().untyped.(Linker)
	return linker
}
