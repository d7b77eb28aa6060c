package storetest

import (
	"context"
	"encoding/binary"
	"math"
	"testing"

	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
)

// Folder is the record that [RunDeletes] tests two stores with. The first five references are to
// folders of the same store, the others to folders of the other one.
type Folder[K any] struct {
	ID    K   `json:"id" api:"id"`
	In    *K  `json:"in" api:"ref=Folder,ondelete=cascade"`
	From  *K  `json:"from" api:"ref=Folder"`
	Next  *K  `json:"next" api:"ref=Folder,ondelete=null"`
	Kept  []K `json:"kept" validate:"max=100" api:"ref=Folder"`
	Loose []K `json:"loose" validate:"max=100" api:"ref=Folder,ondelete=null"`

	Under  *K  `json:"under" api:"ref=Folder,ondelete=cascade"`
	By     *K  `json:"by" api:"ref=Folder"`
	Beside *K  `json:"beside" api:"ref=Folder,ondelete=null"`
	Holds  []K `json:"holds" validate:"max=100" api:"ref=Folder"`
	Lists  []K `json:"lists" validate:"max=100" api:"ref=Folder,ondelete=cascade"`
}

// PairFolder is the [Folder] of [RunCompositeDeletes], which two fields identify.
type PairFolder struct {
	Hall int64  `json:"hall" api:"id"`
	Name string `json:"name" api:"id"`

	In    *SeatKey  `json:"in" api:"ref=PairFolder,ondelete=cascade"`
	From  *SeatKey  `json:"from" api:"ref=PairFolder"`
	Next  *SeatKey  `json:"next" api:"ref=PairFolder,ondelete=null"`
	Kept  []SeatKey `json:"kept" validate:"max=100" api:"ref=PairFolder"`
	Loose []SeatKey `json:"loose" validate:"max=100" api:"ref=PairFolder,ondelete=null"`

	Under  *SeatKey  `json:"under" api:"ref=PairFolder,ondelete=cascade"`
	By     *SeatKey  `json:"by" api:"ref=PairFolder"`
	Beside *SeatKey  `json:"beside" api:"ref=PairFolder,ondelete=null"`
	Holds  []SeatKey `json:"holds" validate:"max=100" api:"ref=PairFolder"`
	Lists  []SeatKey `json:"lists" validate:"max=100" api:"ref=PairFolder,ondelete=cascade"`
}

// RunDeletes tests what happens to references when a record is deleted, for records that are
// identified by a K: an int32, int64, uint64, string or uuid.UUID. Each case calls open for two new
// and empty stores of one database, or of one API in memory. The stores know that the references
// In, From, Next, Kept and Loose are to records of the same store, and Under, By, Beside, Holds
// and Lists to records of the other one.
func RunDeletes[K int32 | int64 | uint64 | string | uuid.UUID](t *testing.T, open func(t *testing.T) (first, second store.Store[Folder[K]])) {
	t.Helper()
	runDeletes(t, func(t *testing.T) (a, b shelf) {
		t.Helper()
		first, second := open(t)
		return folders[K](first), folders[K](second)
	})
}

// RunCompositeDeletes is [RunDeletes] for records that two fields identify.
func RunCompositeDeletes(t *testing.T, open func(t *testing.T) (first, second store.Store[PairFolder])) {
	t.Helper()
	runDeletes(t, func(t *testing.T) (a, b shelf) {
		t.Helper()
		first, second := open(t)
		return pairFolders(first), pairFolders(second)
	})
}

// shelf is a store of folders of any type. Folders have numbers, from 0.
type shelf interface {
	put(ctx context.Context, f folder, isNew bool) error
	remove(ctx context.Context, n int) error
	all(ctx context.Context) (map[int]folder, error)
}

// folder is a [Folder] by numbers, its references by the names of their fields.
type folder struct {
	number int
	refers map[string][]int
}

// folderNumbers is how many keys there are.
const folderNumbers = 8

// shelfOf is a shelf of records R, which others refer to by a K.
type shelfOf[R any, K comparable] struct {
	store  store.Store[R]
	key    func(n int) K
	id     func(K) any // of store.Store
	keyOf  func(*R) K
	record func(key K, one map[string]*K, many map[string][]K) *R
	fields func(*R) (one map[string]*K, many map[string][]K)
}

func folders[K comparable](of store.Store[Folder[K]]) shelf {
	return &shelfOf[Folder[K], K]{
		store: of, key: folderKey[K], id: func(k K) any { return k }, keyOf: func(f *Folder[K]) K { return f.ID },
		record: func(k K, one map[string]*K, many map[string][]K) *Folder[K] {
			return &Folder[K]{
				k, one["in"], one["from"], one["next"], many["kept"], many["loose"],
				one["under"], one["by"], one["beside"], many["holds"], many["lists"],
			}
		},
		fields: func(f *Folder[K]) (map[string]*K, map[string][]K) {
			return map[string]*K{"in": f.In, "from": f.From, "next": f.Next, "under": f.Under, "by": f.By, "beside": f.Beside},
				map[string][]K{"kept": f.Kept, "loose": f.Loose, "holds": f.Holds, "lists": f.Lists}
		},
	}
}

func pairFolders(of store.Store[PairFolder]) shelf {
	return &shelfOf[PairFolder, SeatKey]{
		store: of, key: func(n int) SeatKey { return seatKeys()[n] }, id: func(k SeatKey) any { return k.key() },
		keyOf: func(f *PairFolder) SeatKey { return SeatKey{f.Hall, f.Name} },
		record: func(k SeatKey, one map[string]*SeatKey, many map[string][]SeatKey) *PairFolder {
			return &PairFolder{
				k.Hall, k.Name, one["in"], one["from"], one["next"], many["kept"], many["loose"],
				one["under"], one["by"], one["beside"], many["holds"], many["lists"],
			}
		},
		fields: func(f *PairFolder) (map[string]*SeatKey, map[string][]SeatKey) {
			return map[string]*SeatKey{"in": f.In, "from": f.From, "next": f.Next, "under": f.Under, "by": f.By, "beside": f.Beside},
				map[string][]SeatKey{"kept": f.Kept, "loose": f.Loose, "holds": f.Holds, "lists": f.Lists}
		},
	}
}

// folderKey returns the key with a number. Signed integers are negative as well, strings and UUIDs
// begin with bytes on both sides of the middle.
func folderKey[K any](n int) K {
	var key K
	switch key := any(&key).(type) {
	case *int64:
		*key = []int64{1, -1, 2, math.MinInt64, -2, 1 << 40, 3, -1 << 40}[n]
	case *int32:
		*key = []int32{1, -1, 2, math.MinInt32, -2, math.MaxInt32, 3, -3}[n]
	case *uint64:
		*key = []uint64{1, math.MaxInt64, 2, 1 << 40, 3, 4, 5, 6}[n]
	case *string:
		*key = []string{"b", "a", "é", "abcdefgh", "abcdefghi", "A", "\U0001F5C1", "0"}[n]
	case *uuid.UUID:
		binary.BigEndian.PutUint64(key[:], []uint64{1, math.MaxUint64, 2, 1 << 63, 1 << 62, 3, 1<<63 - 1, 4}[n])
		key[15] = byte(n)
	}
	return key
}

func (s *shelfOf[R, K]) put(ctx context.Context, f folder, isNew bool) error {
	one, many := map[string]*K{}, map[string][]K{}
	for _, field := range folderFields {
		for _, n := range f.refers[field.name] {
			if field.many {
				many[field.name] = append(many[field.name], s.key(n))
			} else {
				one[field.name] = new(s.key(n))
			}
		}
	}
	record := s.record(s.key(f.number), one, many)
	return s.store.Transact(ctx, func(ctx context.Context, tx store.Tx[R]) error {
		if isNew {
			return tx.Insert(ctx, record)
		}
		id := s.id(s.key(f.number))
		if _, err := tx.Get(ctx, id); err != nil {
			return err
		}
		return tx.Update(ctx, id, record)
	})
}

func (s *shelfOf[R, K]) remove(ctx context.Context, n int) error {
	return s.store.Transact(ctx, removing[R](s.id(s.key(n))))
}

func (s *shelfOf[R, K]) all(ctx context.Context) (map[int]folder, error) {
	page, err := s.store.List(ctx, store.Query{})
	if err != nil {
		return nil, err
	}
	numberOf := map[K]int{}
	for n := range folderNumbers {
		numberOf[s.key(n)] = n
	}
	all := map[int]folder{}
	for _, record := range page.Items {
		f := folder{numberOf[s.keyOf(record)], map[string][]int{}}
		one, many := s.fields(record)
		for name, key := range one {
			if key != nil {
				f.refers[name] = []int{numberOf[*key]}
			}
		}
		for name, keys := range many {
			for _, key := range keys {
				f.refers[name] = append(f.refers[name], numberOf[key])
			}
		}
		all[f.number] = f
	}
	return all, nil
}
