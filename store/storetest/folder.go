package storetest

import (
	"context"
	"encoding/binary"
	"math"
	"reflect"

	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
)

// Folders reference folders of their own type with the first five fields, and folders of another type with the others;
// see folderFields.
type integerFolder struct {
	ID     int64    `json:"id" api:"id"`
	In     *int64   `json:"in" api:"ref=IntegerFolder,ondelete=cascade"`
	From   *int64   `json:"from" api:"ref=IntegerFolder"`
	Next   *int64   `json:"next" api:"ref=IntegerFolder,ondelete=null"`
	Kept   []int64  `json:"kept" validate:"max=100" api:"ref=IntegerFolder"`
	Loose  []int64  `json:"loose" validate:"max=100" api:"ref=IntegerFolder,ondelete=null"`
	Under  *string  `json:"under" api:"ref=StringFolder,ondelete=cascade"`
	By     *string  `json:"by" api:"ref=StringFolder"`
	Beside *string  `json:"beside" api:"ref=StringFolder,ondelete=null"`
	Holds  []string `json:"holds" validate:"max=100" api:"ref=StringFolder"`
	Lists  []string `json:"lists" validate:"max=100" api:"ref=StringFolder,ondelete=cascade"`
}

type stringFolder struct {
	ID     string   `json:"id" api:"id"`
	In     *string  `json:"in" api:"ref=StringFolder,ondelete=cascade"`
	From   *string  `json:"from" api:"ref=StringFolder"`
	Next   *string  `json:"next" api:"ref=StringFolder,ondelete=null"`
	Kept   []string `json:"kept" validate:"max=100" api:"ref=StringFolder"`
	Loose  []string `json:"loose" validate:"max=100" api:"ref=StringFolder,ondelete=null"`
	Under  *int64   `json:"under" api:"ref=IntegerFolder,ondelete=cascade"`
	By     *int64   `json:"by" api:"ref=IntegerFolder"`
	Beside *int64   `json:"beside" api:"ref=IntegerFolder,ondelete=null"`
	Holds  []int64  `json:"holds" validate:"max=100" api:"ref=IntegerFolder"`
	Lists  []int64  `json:"lists" validate:"max=100" api:"ref=IntegerFolder,ondelete=cascade"`
}

type uuidFolder struct {
	ID     uuid.UUID   `json:"id" api:"id"`
	In     *uuid.UUID  `json:"in" api:"ref=UuidFolder,ondelete=cascade"`
	From   *uuid.UUID  `json:"from" api:"ref=UuidFolder"`
	Next   *uuid.UUID  `json:"next" api:"ref=UuidFolder,ondelete=null"`
	Kept   []uuid.UUID `json:"kept" validate:"max=100" api:"ref=UuidFolder"`
	Loose  []uuid.UUID `json:"loose" validate:"max=100" api:"ref=UuidFolder,ondelete=null"`
	Under  *seatKey    `json:"under" api:"ref=PairFolder,ondelete=cascade"`
	By     *seatKey    `json:"by" api:"ref=PairFolder"`
	Beside *seatKey    `json:"beside" api:"ref=PairFolder,ondelete=null"`
	Holds  []seatKey   `json:"holds" validate:"max=100" api:"ref=PairFolder"`
	Lists  []seatKey   `json:"lists" validate:"max=100" api:"ref=PairFolder,ondelete=cascade"`
}

type pairFolder struct {
	Hall   int64       `json:"hall" api:"id"`
	Name   string      `json:"name" api:"id"`
	In     *seatKey    `json:"in" api:"ref=PairFolder,ondelete=cascade"`
	From   *seatKey    `json:"from" api:"ref=PairFolder"`
	Next   *seatKey    `json:"next" api:"ref=PairFolder,ondelete=null"`
	Kept   []seatKey   `json:"kept" validate:"max=100" api:"ref=PairFolder"`
	Loose  []seatKey   `json:"loose" validate:"max=100" api:"ref=PairFolder,ondelete=null"`
	Under  *uuid.UUID  `json:"under" api:"ref=UuidFolder,ondelete=cascade"`
	By     *uuid.UUID  `json:"by" api:"ref=UuidFolder"`
	Beside *uuid.UUID  `json:"beside" api:"ref=UuidFolder,ondelete=null"`
	Holds  []uuid.UUID `json:"holds" validate:"max=100" api:"ref=UuidFolder"`
	Lists  []uuid.UUID `json:"lists" validate:"max=100" api:"ref=UuidFolder,ondelete=cascade"`
}

// references has the references of one folder, as numbers of folders by field.
type references = map[string][]int

// shelf is a store of folders of any type. Folders are numbered from 0.
type shelf interface {
	put(ctx context.Context, n int, refers references, isNew bool) error
	remove(ctx context.Context, n int) error
	all(ctx context.Context) (map[int]references, error)
}

// folderNumbers is the number of keys of each type.
const folderNumbers = 8

// keysOf returns the keys of a type. Some integers are negative. Strings and UUIDs begin with low and high bytes.
func keysOf(t reflect.Type) reflect.Value {
	uuids := make([]uuid.UUID, folderNumbers)
	for n, first := range []uint64{1, math.MaxUint64, 2, 1 << 63, 1 << 62, 3, 1<<63 - 1, 4} {
		binary.BigEndian.PutUint64(uuids[n][:], first)
		uuids[n][15] = byte(n)
	}
	integers := []int64{1, -1, 2, math.MinInt64, -2, 1 << 40, 3, -1 << 40}
	strings := []string{"b", "a", "é", "abcdefgh", "abcdefghi", "A", "\U0001F5C1", "0"}
	for _, keys := range []any{integers, strings, uuids, seatKeys()} {
		if list := reflect.ValueOf(keys); list.Type().Elem() == t {
			return list
		}
	}
	return reflect.Value{}
}

// shelfOf is a shelf of folders of type R.
type shelfOf[R any] struct{ *trial[R] }

// folder returns the folder with a number, and its identifier.
func (s shelfOf[R]) folder(n int) (record *R, id any) {
	record, id = new(R), seatKeys()[n].key()
	if field, ok := reflect.TypeFor[R]().FieldByName("ID"); ok {
		id = keysOf(field.Type).Index(n).Interface()
	}
	s.id.Set(record, id)
	return record, id
}

func (s shelfOf[R]) put(ctx context.Context, n int, refers references, isNew bool) error {
	record, id := s.folder(n)
	for field, value := range reflect.ValueOf(record).Elem().Fields() {
		for _, n := range refers[field.Tag.Get("json")] {
			key := keysOf(field.Type.Elem()).Index(n)
			if value.Kind() == reflect.Slice {
				value.Set(reflect.Append(value, key))
			} else {
				value.Set(reflect.New(field.Type.Elem()))
				value.Elem().Set(key)
			}
		}
	}
	if isNew {
		return s.store.Transact(ctx, inserting(record))
	}
	return s.store.Transact(ctx, updating(id, func(r *R) { *r = *record }))
}

func (s shelfOf[R]) remove(ctx context.Context, n int) error {
	_, id := s.folder(n)
	return s.store.Transact(ctx, removing[R](id))
}

func (s shelfOf[R]) all(ctx context.Context) (map[int]references, error) {
	page, err := s.store.List(ctx, store.Query{})
	if err != nil {
		return nil, err
	}
	numbers := map[any]int{}
	for n := range folderNumbers {
		_, id := s.folder(n)
		numbers[id] = n
	}
	all := map[int]references{}
	for _, record := range page.Items {
		refers := references{}
		for field, value := range reflect.ValueOf(record).Elem().Fields() {
			switch name := field.Tag.Get("json"); {
			case value.Kind() == reflect.Pointer && !value.IsNil():
				refers[name] = []int{numberOf(value.Elem())}
			case value.Kind() == reflect.Slice:
				for i := range value.Len() {
					refers[name] = append(refers[name], numberOf(value.Index(i)))
				}
			}
		}
		all[numbers[s.id.Of(record)]] = refers
	}
	return all, nil
}

// numberOf returns the number of a key, -1 if no folder has it.
func numberOf(key reflect.Value) int {
	for n, each := range keysOf(key.Type()).Seq2() {
		if each.Equal(key) {
			return int(n.Int())
		}
	}
	return -1
}
