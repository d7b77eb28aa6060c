package store

// Condition is one condition of a [Query]: a comparison, or a group of conditions if Any is not nil.
type Condition struct {
	// Fields has the names of the fields to compare. The condition holds if it holds for one of them.
	Fields []string
	// Operator is how the fields are compared with Values.
	Operator Operator
	// Values has at least one value, and none is nil. The condition holds if it holds for one of them, except for
	// NotEqual.
	//
	// Exists takes one bool. The operators from [Less] to [GreaterEqual] take one value. [EqualFold], [Contains],
	// [HasPrefix], [HasSuffix], [HasWordPrefix] and [FullText] take strings. All others take values of the field's Go type without
	// its pointer, or a [Key] if the field references records with several identifier fields.
	Values []any
	// Any makes the condition a group if it is not nil. The group holds if all conditions of one of its lists hold. A
	// group without lists matches no record. A group with an empty list matches every record. Groups may be nested a
	// few levels deep. If Any is set, Fields, Operator and Values are ignored. Only a [Grouper] gets queries with
	// groups.
	Any [][]Condition
	// Through is the JSON name of a reference field, or of a list of references; "" for none. If it is set, the
	// conditions in Any are about the referenced records. The condition then holds if a referenced record exists and
	// matches all conditions of one of the lists. A null reference, or one to a deleted record, never matches, not even
	// an empty list of conditions. Any is then a group even if it is nil.
	//
	// With a dot it leads back: "Membership.project" names the records of the Go type Membership whose field project
	// references this record, and the conditions in Any are about these. The condition then holds if one of them exists and
	// matches. Only a [Joiner] gets queries with Through.
	Through string
	// Not reverses the condition: it then holds for exactly the records for which it does not hold otherwise, also
	// because a field is null or a referenced record does not exist. Only a [Grouper] gets queries with Not.
	Not bool
}

// Operator is how a [Condition] compares a field with its values.
type Operator string

// The operators. A null field matches only NotEqual and Exists false. Operators that ignore case compare strings by
// [Fold]. Values have no special characters: "%" is a percent sign.
const (
	// Equal holds if the field is one of the values; for a list, if one of its elements is. The values then have the
	// type of an element: an integer, a string or a type that marshals itself as text.
	Equal Operator = "equal"
	// NotEqual holds if Equal does not.
	NotEqual Operator = "not equal"
	// Less holds for fields that sort before the value; see [Order].
	Less Operator = "less"
	// LessEqual holds for fields that sort before the value or equal it.
	LessEqual Operator = "less or equal"
	// Greater holds for fields that sort after the value.
	Greater Operator = "greater"
	// GreaterEqual holds for fields that sort after the value or equal it.
	GreaterEqual Operator = "greater or equal"
	// EqualFold holds for strings that equal the value, ignoring case.
	EqualFold Operator = "equal, folded"
	// Contains holds for strings that contain the value, ignoring case.
	Contains Operator = "contains"
	// HasPrefix holds for strings that begin with the value, ignoring case.
	HasPrefix Operator = "has prefix"
	// HasSuffix holds for strings that end with the value, ignoring case.
	HasSuffix Operator = "has suffix"
	// HasWordPrefix holds for strings with a word that begins with the value, ignoring case. Words are separated by
	// spaces (U+0020).
	HasWordPrefix Operator = "has word prefix"
	// FullText holds for strings that contain the words of the value, one after another: "gold crown" finds "A golden
	// crown" in a field tagged api:"search=fulltext:english". Words are runs of letters, marks and digits, regardless of
	// case, reduced to their stems if the tag has a language. It is for fields with that tag. A value without words, or
	// with more than 100, matches nothing. Of a string the first 16,000 words are searched, up to 500 KB; each is cut to 200
	// bytes, and counts 250 times. Only a [FullTexter] gets queries with it.
	FullText Operator = "full text"
	// Exists true holds for fields with a value, Exists false for null. A field within an object that is null is null
	// too.
	Exists Operator = "exists"
)
