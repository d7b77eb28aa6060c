package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// Quest is what dragons may do on a day.
type Quest struct {
	Date      string          `json:"date" api:"id,sort" validate:"datetime=2006-01-02" example:"2026-11-22"`
	Name      string          `json:"name" api:"readonly,filter=partial,sort"`
	Status    string          `json:"status" api:"filter" validate:"oneof=active completed"`
	Treasures []QuestTreasure `json:"treasures" api:"readonly" doc:"What is to be won."`
}

// QuestTreasure is a part of a quest, without an address of its own.
type QuestTreasure struct {
	Name  string `json:"name"`
	Value int    `json:"value"`
}

const completed = "completed"

var errCompleted = operation.Error{Status: http.StatusConflict, Detail: "The quest has been completed."}

func (h *hoard) ofQuest() resource.Of[Quest] {
	return resource.Of[Quest]{
		Description: "What dragons may do on a day. It is completed once, by whoever does.",
		Store:       questStore{h.completions},
		Order:       []string{"-date"},
		Access:      access.Rules{Read: access.Public, Update: access.Authenticated},
		Operations:  []operation.Operation{operation.Get{}, operation.GetCollection{}, operation.Patch{}},
		Prepare: func(_ context.Context, req *operation.Request, _ *Quest) error {
			if req.Previous.(*Quest).Status == completed {
				return errCompleted
			}
			return nil
		},
	}
}

//go:embed quests.json
var questData []byte

// Completion is what the database keeps of a quest. All else of it is in quests.json.
type Completion struct {
	Date string `json:"date" api:"id"`
}

// questStore is a store of its own: the quests of a file, with what a table says of them.
type questStore struct{ completions store.Store[Completion] }

// now returns a store in memory with the quests as they are, which knows all filters, orders and pages.
func (s questStore) now(ctx context.Context) (*memory.Store[Quest], error) {
	var quests []Quest
	done, err := s.completions.List(ctx, store.Query{})
	if err == nil {
		err = json.Unmarshal(questData, &quests)
	}
	for i, q := range quests {
		if slices.ContainsFunc(done.Items, func(c *Completion) bool { return c.Date == q.Date }) {
			quests[i].Status = completed
		}
	}
	return memory.New(quests...), err
}

func (s questStore) Get(ctx context.Context, id any) (*Quest, error) {
	quests, err := s.now(ctx)
	if err != nil {
		return nil, err
	}
	return quests.Get(ctx, id)
}

func (s questStore) List(ctx context.Context, query store.Query) (store.Page[Quest], error) {
	quests, err := s.now(ctx)
	if err != nil {
		return store.Page[Quest]{}, err
	}
	return quests.List(ctx, query)
}

// Transact runs fn in a transaction of the database, with all that other stores of it do.
func (s questStore) Transact(ctx context.Context, fn func(context.Context, store.Tx[Quest]) error) error {
	return s.completions.Transact(ctx, func(ctx context.Context, tx store.Tx[Completion]) error {
		return fn(ctx, questTx{s, tx})
	})
}

// questTx gets quests of its own from the store, for each Get makes a new one.
type questTx struct {
	questStore

	tx store.Tx[Completion]
}

// Update notes that a quest has been completed: nothing else of one changes.
func (t questTx) Update(ctx context.Context, _ any, q *Quest) error {
	if q.Status != completed {
		return nil
	}
	err := t.tx.Insert(ctx, &Completion{q.Date})
	if errors.Is(err, store.ErrConflict) { // somebody was faster
		err = errCompleted
	}
	return err
}

func (questTx) Insert(context.Context, *Quest) error { return errors.ErrUnsupported }
func (questTx) Delete(context.Context, any) error    { return errors.ErrUnsupported }
