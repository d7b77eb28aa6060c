package storetest

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
)

// Values is what a store under [RunValues] keeps: the same members beside each other, in an
// object, behind a pointer, in a list and in a map, with the tags by which answers leave them
// out.
type Values struct {
	ID    int64    `json:"id"`
	Label string   `json:"label" api:"unique,sort,filter"`
	Token *string  `json:"token" api:"writeonly,unique"`
	Price *Decimal `json:"price" api:"unique"`

	Kinds

	Inner Kinds            `json:"inner,omitzero"`
	Maybe *Kinds           `json:"maybe,omitempty"`
	Many  []Kinds          `json:"many,omitzero"`
	Named map[string]Kinds `json:"named,omitempty"`
}

// Kinds are members of every sort that [Values] have.
type Kinds struct {
	Bytes      []byte              `json:"bytes"`
	BytesZero  []byte              `json:"bytesZero,omitzero"`
	BytesEmpty []byte              `json:"bytesEmpty,omitempty"`
	BytesMaybe *[]byte             `json:"bytesMaybe,omitzero"`
	List       []string            `json:"list"`
	ListZero   []string            `json:"listZero,omitzero"`
	ListEmpty  []string            `json:"listEmpty,omitempty"`
	Lists      [][]string          `json:"lists,omitzero"`
	Map        map[string]int      `json:"map"`
	MapZero    map[string]int      `json:"mapZero,omitzero"`
	MapEmpty   map[string][]string `json:"mapEmpty,omitempty"`
	Raw        json.RawMessage     `json:"raw"`
	RawZero    json.RawMessage     `json:"rawZero,omitzero"`
	Any        any                 `json:"any,omitzero"`
	Pair       [2][]string         `json:"pair,omitzero"`
	Tiny       int8                `json:"tiny,omitzero"`
	Wide       int64               `json:"wide,omitempty"`
	Unsigned   uint64              `json:"unsigned,omitzero"`
	Single     float32             `json:"single,omitzero"`
	Double     *float64            `json:"double,omitzero"`
	Text       string              `json:"text,omitempty"`
	TextMaybe  *string             `json:"textMaybe,omitempty"`
	At         time.Time           `json:"at,omitzero"`
	AtMaybe    *time.Time          `json:"atMaybe,omitempty"`
	Key        uuid.UUID           `json:"key,omitzero"`
	Hidden     string              `json:"hidden,omitzero" api:"writeonly"`
}

// RunValues tests that stores keep values as they were given, as [Run] does: those at the
// ends of their types, nil and empty apart, and in answers that leave members out.
func RunValues(t *testing.T, open func(t *testing.T) store.Store[Values]) {
	t.Helper()
	runAll(t, keptRules(), open)
}

const keptReason = "The rules of a struct and the tags omitzero and omitempty tell nil from empty. What was given is what is read, " +
	"but for the zone of a time, what is less than a microsecond and the sign of a zero: those a store sets in the record that it is given."

func keptRules() []rule[Values] {
	return []rule[Values]{
		{"a value that was inserted is read as it was, nil and empty apart", keptReason, insertKeeps},
		{"a value that was updated is read as it was, nil and empty apart", keptReason, updateKeeps},
		{
			"a value that JSON cannot show is refused",
			"Saved, it would break every answer that the record is in.",
			refusesWhatCannotBeShown,
		},
		{
			"the longest value of an index is kept, and a longer one refused",
			"400 characters of a field that is unique, sorted or filtered, whatever they are: no store keeps what another one could not.",
			keepsTheLongest,
		},
		{
			"a value that is written only is found",
			"No client can ask for it, but a hook can: so a token is looked up.",
			findsWhatIsHidden,
		},
		{
			"values of one order key are one to a unique field",
			"1.0 and 1.00 are equal to filters, so they are taken, too: a store.UniqueError. The record that has it may write it anew.",
			keysAreUnique,
		},
	}
}
