package serve

import (
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/model"
)

// keys are the distinct keys that records have in a reference, in the order in which they were found. Integers have their
// own hash table, because a map would take longer than the rest of an expansion.
type keys struct {
	boxed   []any // for stores
	numbers []int64
	slots   []int32     // the index of each number plus one, in the next free slot from its hash; the length is a power of two
	places  map[any]int // the indexes of other keys; nil for integers
}

// fewSlots is the initial length of a table: more than most pages need.
const fewSlots = 128

// begin prepares the empty keys for a reference of n records.
func (k *keys) begin(of *model.Reference, n int) {
	k.boxed = slices.Grow(k.boxed, n)
	if of.Key.Kind != model.Int {
		k.places = map[any]int{}
	} else if k.slots == nil {
		k.slots = make([]int32, fewSlots)
	}
}

// clear removes all keys. It keeps the memory of a page, but the list of boxed keys only if keepsBoxed is set.
func (k *keys) clear(keepsBoxed bool) {
	if !keepsBoxed {
		k.boxed = nil
	}
	*k = keys{boxed: emptied(k.boxed), numbers: k.numbers[:0], slots: k.slots}
	if len(k.slots) > 4*fewSlots {
		k.numbers, k.slots = nil, nil
	}
	clear(k.slots)
}

// find returns the index of a key, which is a number or else another value. The index of an unknown key is -1, with the
// slot for the number.
func (k *keys) find(number int64, other reflect.Value) (place int, slot uint64) {
	if k.places != nil {
		if place, known := k.places[other.Interface()]; known {
			return place, 0
		}
		return -1, 0
	}
	const golden = 0x9e3779b97f4a7c15 // spreads consecutive numbers (Knuth, 6.4)
	last := uint64(len(k.slots)) - 1
	for slot = uint64(number) * golden >> 32 & last; k.slots[slot] > 0; slot = (slot + 1) & last { //nolint:gosec // all its bits are wanted
		if place = int(k.slots[slot]) - 1; k.numbers[place] == number {
			return place, slot
		}
	}
	return -1, slot
}

// note adds a number, or else another value, unless it is known, and returns its index. A number of another type than
// int64 also comes as a value.
func (k *keys) note(number int64, other reflect.Value) int {
	place, slot := k.find(number, other)
	if place >= 0 {
		return place
	}
	place = len(k.boxed)
	if other.IsValid() {
		k.boxed = append(k.boxed, other.Interface())
	} else {
		k.boxed = append(k.boxed, number)
	}
	if k.places != nil {
		k.places[k.boxed[place]] = place
		return place
	}
	k.numbers = append(k.numbers, number)
	if k.slots[slot] = int32(len(k.numbers)); len(k.numbers) > len(k.slots)/2 { //nolint:gosec // there are as many as records in memory
		k.slots = make([]int32, 4*len(k.slots))
		for i, number := range k.numbers {
			_, slot := k.find(number, reflect.Value{})
			k.slots[slot] = int32(i + 1)
		}
	}
	return place
}

// eachKey yields the keys that a record has in the field: a number, with its value if its type is not int64, or else only
// a value.
func (e *expanded) eachKey(record any, yield func(number int64, other reflect.Value)) {
	found := e.Field.Value(reflect.ValueOf(record).Elem())
	switch at := found.Addr().Interface().(type) { // the types of most keys, read without more reflection
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
		if of.Kind == model.Key { // as in stores
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
