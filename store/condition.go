package store

// Condition is one condition of a [Query]: a comparison, or a group of conditions where Any
// is not nil.
type Condition struct {
	// Fields are the names of the fields that it is about. It holds where it holds for
	// one of them.
	Fields []string
	// Operator is how the field is compared.
	Operator Operator
	// Values are what it is compared with, one at least; [Exists] and the operators that
	// compare order, from [Less] to [GreaterEqual], have exactly one. Exists has a bool;
	// [EqualFold], [Contains], [HasPrefix], [HasSuffix] and [HasWordPrefix] have strings,
	// and hold for one of them; the others have values of the Go type of the field,
	// without its pointer, or [Key] where a field refers to records of several fields. None is nil.
	Values []any
	// Any, if it is not nil, makes the condition a group, which holds where all conditions of
	// one of its lists hold. The other fields are then not looked at. A group without a list
	// holds for no record, and an empty list for all. Groups may stand within groups, a few
	// deep. Stores are asked groups only if they say that they know them: see [Query].
	Any [][]Condition
	// Through, if it is not "", is the name of a field that has the key of another resource's
	// record, or a list of such keys, and the conditions in Any are about that record, or one of
	// those: it holds where there is such a record, and all conditions of one of the lists hold of it. A reference that is null or whose
	// record is gone fulfils none, an empty list of conditions neither. Any is then a group also
	// where it is nil. Stores are asked it only if they say that they know it: see [Query].
	Through string
}

// Operator is how a [Condition] compares a field with its values.
type Operator string

// The operators. A field that is null fulfils NotEqual and Exists false, and no other.
// Those that fold compare strings as [Fold] writes them. Characters of values have no
// meaning of their own: "%" is a percent sign.
const (
	// Equal holds for one of the values; of a list, where one of its elements is: the values are of
	// the type of an element, an integer, a string or one that marshals itself as text.
	Equal Operator = "equal"
	// NotEqual holds for none of the values; of a list, where none of its elements is one.
	NotEqual Operator = "not equal"
	// Less holds for what comes before the value in the sense of [Order].
	Less Operator = "less"
	// LessEqual holds for what does not come after the value.
	LessEqual Operator = "less or equal"
	// Greater holds for what comes after the value.
	Greater Operator = "greater"
	// GreaterEqual holds for what does not come before the value.
	GreaterEqual Operator = "greater or equal"
	// EqualFold holds for the folded string.
	EqualFold Operator = "equal, folded"
	// Contains holds for strings that have the folded string in them.
	Contains Operator = "contains"
	// HasPrefix holds for strings that begin with the folded string.
	HasPrefix Operator = "has prefix"
	// HasSuffix holds for strings that end with the folded string.
	HasSuffix Operator = "has suffix"
	// HasWordPrefix holds for strings that have the folded string at their beginning or
	// after a space (U+0020).
	HasWordPrefix Operator = "has word prefix"
	// Exists holds for values if true, and for null if false. A field within an object
	// that is null is null.
	Exists Operator = "exists"
)
