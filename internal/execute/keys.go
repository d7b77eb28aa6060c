package execute

import (
	"reflect"

	"github.com/trove-api/trove/internal/model"
)

// keys are those that records have in a reference, each once, in the order in which they were met.
// Integers have a table of their own: to put each of a page into a map takes longer than all else that an
// expansion does.
type keys struct {
	boxed   []any // as stores are asked for them
	numbers []int64
	slots   []int32     // of numbers: the place of each and one, from where its hash says on; a power of two of them
	places  map[any]int // of keys that are no integers; nil for those that are
}

// fewSlots is how many a table begins with: some more than most pages need.
const fewSlots = 128

// begin makes the keys none of a reference, of which records are to be asked.
func (k *keys) begin(of *model.Reference) {
	if of.Key.Kind != model.Int {
		k.places = map[any]int{}
	} else if k.slots == nil {
		k.slots = make([]int32, fewSlots)
	}
}

// clear makes them no keys of any reference, and keeps the memory of a page.
func (k *keys) clear() {
	*k = keys{boxed: emptied(k.boxed), numbers: k.numbers[:0], slots: k.slots}
	if len(k.slots) > 4*fewSlots {
		k.numbers, k.slots = nil, nil
	}
	clear(k.slots)
}

// place returns which of the keys a number is, or else another value; -1 for none of them.
func (k *keys) place(number int64, other reflect.Value) int {
	if k.places == nil {
		place, _ := k.find(number)
		return place
	}
	if place, known := k.places[other.Interface()]; known {
		return place
	}
	return -1
}

// find returns which of the keys a number is, or -1 and the slot that it would have.
func (k *keys) find(number int64) (place int, slot uint64) {
	const golden = 0x9e3779b97f4a7c15 // spreads what follows on one another (Knuth, 6.4)
	last := uint64(len(k.slots)) - 1
	for slot = uint64(number) * golden >> 32 & last; k.slots[slot] > 0; slot = (slot + 1) & last { //nolint:gosec // all its bits are wanted
		if place = int(k.slots[slot]) - 1; k.numbers[place] == number {
			return place, slot
		}
	}
	return -1, slot
}

// note adds a number, or else another value, unless it was met before, and returns its place. A number of
// another type than int64 comes as a value, too.
func (k *keys) note(number int64, other reflect.Value) (place int) {
	if k.places != nil {
		boxed := other.Interface()
		place, known := k.places[boxed]
		if !known {
			place = len(k.boxed)
			k.places[boxed] = place
			k.boxed = append(k.boxed, boxed)
		}
		return place
	}
	place, slot := k.find(number)
	if place >= 0 {
		return place
	}
	if other.IsValid() {
		k.boxed = append(k.boxed, other.Interface())
	} else {
		k.boxed = append(k.boxed, number)
	}
	k.numbers = append(k.numbers, number)
	if k.slots[slot] = int32(len(k.numbers)); len(k.numbers) > len(k.slots)/2 { //nolint:gosec // there are as many as records in memory
		k.grow()
	}
	return len(k.numbers) - 1
}

// grow makes the table larger.
func (k *keys) grow() {
	k.slots = make([]int32, 4*len(k.slots))
	for i, number := range k.numbers {
		_, slot := k.find(number)
		k.slots[slot] = int32(i + 1)
	}
}

// eachKey hands on the keys that a record has in the field: a number, and its value where that is of
// another type than int64, or else a value alone.
func (e *Embedded) eachKey(record any, yield func(number int64, other reflect.Value)) {
	found := e.Field.Value(reflect.ValueOf(record).Elem())
	switch at := found.Addr().Interface().(type) { // what most keys are, read without more reflection
	case *int64:
		yield(*at, reflect.Value{})
		return
	case *[]int64:
		for _, number := range *at {
			yield(number, reflect.Value{})
		}
		return
	}
	one := func(key reflect.Value) {
		of, number := e.Field.Reference.Key, int64(0)
		if of.Kind == model.Int {
			number = key.Int()
		}
		if of.Kind == model.Key { // as stores have it
			key = reflect.ValueOf(of.KeyIn(key))
		}
		yield(number, key)
	}
	switch {
	case e.Field.Reference.Many:
		for i := range found.Len() {
			one(found.Index(i))
		}
	case !e.Field.Type.Nullable:
		one(found)
	case !found.IsNil():
		one(found.Elem())
	}
}
