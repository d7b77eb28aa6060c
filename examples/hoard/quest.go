package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// Quest is a task for dragons on one day.
type Quest struct {
	Date      string          `json:"date" api:"id,sort" validate:"datetime=2006-01-02" example:"2026-11-22"`
	Name      string          `json:"name" api:"readonly,filter=partial,sort"`
	Status    string          `json:"status" api:"filter" validate:"oneof=active completed"`
	Treasures []QuestTreasure `json:"treasures" api:"readonly" doc:"The rewards."`
}

// QuestTreasure is a part of a quest, without a path of its own.
type QuestTreasure struct {
	Name  string `json:"name"`
	Value int    `json:"value"`
}

const completed = "completed"

func (h *hoard) ofQuest() resource.Of[Quest] {
	return resource.Of[Quest]{
		Description: "A task for dragons on one day. It can be completed once, by anyone.",
		Store:       memory.Load(h.quests).Updating(h.complete).Within(h.db.Transact),
		Order:       []string{"-date"},
		Access:      access.Rules{Read: access.Public, Update: social},
		Operations:  []operation.Operation{operation.Get{}, operation.GetCollection{}, operation.Patch{}},
		Prepare: func(_ context.Context, req *operation.Request, _ *Quest) error {
			if req.Previous.(*Quest).Status == completed {
				return operation.Error{Status: http.StatusConflict, Detail: "The quest has been completed already."}
			}
			return nil
		},
	}
}

//go:embed quests.json
var questData []byte

// Completion is what the database stores of a quest. Everything else is in quests.json.
type Completion struct {
	Date string `json:"date" api:"id"`
}

// quests returns the quests of the file, with their completions.
func (h *hoard) quests(ctx context.Context) (quests []Quest, err error) {
	done, err := h.completions.List(ctx, store.Query{})
	if err == nil {
		err = json.Unmarshal(questData, &quests)
	}
	for i, q := range quests {
		if slices.ContainsFunc(done.Items, func(c *Completion) bool { return c.Date == q.Date }) {
			quests[i].Status = completed
		}
	}
	return quests, err
}

// complete stores that a quest has been completed; nothing else of a quest changes.
func (h *hoard) complete(ctx context.Context, q *Quest) error {
	if q.Status != completed {
		return nil
	}
	return store.Insert(ctx, h.completions, &Completion{q.Date}) // a conflict if another caller was faster
}
