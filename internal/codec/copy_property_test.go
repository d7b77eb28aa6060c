package codec_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/alloctest"
)

// scribble overwrites all that can be reached from v, which can be set.
func scribble(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			scribble(v.Elem())
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			scribble(v.Index(i))
		}
	case reflect.Map:
		for entry := v.MapRange(); entry.Next(); {
			value := reflect.New(v.Type().Elem()).Elem()
			value.Set(entry.Value())
			scribble(value)
			v.SetMapIndex(entry.Key(), reflect.Zero(v.Type().Elem()))
		}
	case reflect.Interface:
		if !v.IsNil() && (v.Elem().Kind() == reflect.Map || v.Elem().Kind() == reflect.Slice) {
			scribble(v.Elem())
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			if field.CanSet() {
				scribble(field)
			}
		}
	case reflect.String:
		v.SetString("scribbled")
	case reflect.Uint8:
		v.SetUint('7')
	default:
		v.SetZero()
	}
}

func TestGeneratedClonesShareNoMemory(t *testing.T) {
	t.Parallel()
	for seed := range uint64(many(2_000)) {
		t.Run("", func(t *testing.T) {
			c, pointer := generated(t, seed)
			before := encode(t, c, pointer.Interface())
			clone := c.Clone(pointer.Interface())
			if !reflect.DeepEqual(clone, pointer.Interface()) {
				t.Errorf("%s: the clone is %s", before, encode(t, c, clone))
			}
			scribble(reflect.ValueOf(clone).Elem())
			if after := encode(t, c, pointer.Interface()); after != before {
				t.Errorf("what was\n%s became\n%s", before, after)
			}
		})
	}
}

func TestPointersAndListsOfAllScalarsAreCloned(t *testing.T) {
	t.Parallel()
	type word string
	type scalars struct {
		Bool     *bool        `json:"bool"`
		I8       *int8        `json:"i8"`
		I16      *int16       `json:"i16"`
		I32      *int32       `json:"i32"`
		I64      *int64       `json:"i64"`
		U8       *uint8       `json:"u8"`
		F32      *float32     `json:"f32"`
		F64      *float64     `json:"f64"`
		Word     *word        `json:"word"`
		At       *time.Time   `json:"at"`
		Photo    *[]byte      `json:"photo"`
		Bools    []bool       `json:"bools"`
		I16s     []int16      `json:"i16s"`
		F32s     []float32    `json:"f32s"`
		Words    []word       `json:"words"`
		Times    []time.Time  `json:"times"`
		Pointers []*word      `json:"pointers"`
		Photos   [][]byte     `json:"photos"`
		Moments  []*time.Time `json:"moments"`
	}
	original := &scalars{
		new(true), new(int8(-1)), new(int16(-2)), new(int32(-3)), new(int64(-4)), new(uint8(5)), new(float32(6.5)), new(7.5), new(word("w")),
		new(time.Unix(8, 9)), new([]byte("p")),
		[]bool{true},
		[]int16{1, -1},
		[]float32{0.1},
		[]word{"a", "b"},
		[]time.Time{time.Unix(1, 2)},
		[]*word{new(word("c")), nil},
		[][]byte{[]byte("q"), nil},
		[]*time.Time{new(time.Unix(3, 4))},
	}
	c := codecOf[scalars](t)
	before := encode(t, c, original)
	clone := c.Clone(original)
	if !reflect.DeepEqual(clone, original) {
		t.Errorf("the clone of %s is %s", before, encode(t, c, clone))
	}
	scribble(reflect.ValueOf(clone).Elem())
	if after := encode(t, c, original); after != before {
		t.Errorf("what was %s became %s", before, after)
	}
}

//nolint:paralleltest // counts the allocations of the whole process
func TestACloneAllocatesWhatTheRecordRefersTo(t *testing.T) {
	type record struct {
		A *int     `json:"a"`
		B *string  `json:"b"`
		C []string `json:"c"`
		D []*int   `json:"d"`
		E []byte   `json:"e"`
		F *size    `json:"f"`
	}
	c := codecOf[record](t)
	original := &record{new(1), new("b"), []string{"c", "d"}, []*int{nil, new(2)}, []byte("e"), &size{}}
	if allocs, _ := alloctest.Count(100, func() { c.Clone(original) }); allocs > 12 { // of lists, also the slice that reflection returns
		t.Errorf("%v allocations, want at most 12", allocs)
	}
}
