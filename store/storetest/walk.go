package storetest

import (
	"context"
	"strconv"
	"sync"

	"github.com/trove-api/trove/store"
)

func walkRules() []rule[Item] {
	return []rule[Item]{{
		"a walk by position meets each item that stays once",
		"Others come and go meanwhile, before it and behind it.",
		func(c *trial[Item]) {
			for _, query := range []store.Query{ordered("id"), ordered("-rank", "-id"), ordered("known", "-name", "id")} {
				walk(c, query)
			}
		},
	}}
}

// walk goes through items by position while others are inserted and deleted.
func walk(c *trial[Item], query store.Query) {
	stays := map[int64]int{}
	for _, item := range fillAnew(c, 60) {
		stays[item.ID] = 0
	}
	ctx, stop := context.WithCancel(c.ctx)
	var traffic sync.WaitGroup
	traffic.Go(func() { comeAndGo(ctx, c) })
	query.Limit = 7
	for {
		page, err := c.store.List(c.ctx, query)
		if err != nil {
			c.Errorf("List: %v", err)
			break
		}
		for _, item := range page.Items {
			if _, ok := stays[item.ID]; ok {
				stays[item.ID]++
			}
		}
		if len(page.Items) < query.Limit {
			break
		}
		query.After = positionOf(page.Items[len(page.Items)-1], query.Order)
	}
	stop()
	traffic.Wait()
	for id, times := range stays {
		if times != 1 {
			c.Errorf("in the order %v the item %d was met %d times", query.Order, id, times)
		}
	}
}

// fillAnew inserts items with identifiers that the store makes.
func fillAnew(c *trial[Item], n int) []*Item {
	c.Helper()
	items := newGenerator(3).items(n)
	for _, item := range items {
		item.ID = 0
	}
	c.insert(items...)
	return items
}

// comeAndGo inserts and deletes items until the context ends.
func comeAndGo(ctx context.Context, c *trial[Item]) {
	random := newGenerator(5)
	for i := 0; ctx.Err() == nil; i++ {
		item := random.item(0)
		item.Place.Note = strconv.Itoa(i)
		if c.store.Transact(ctx, inserting(item)) == nil {
			_ = c.store.Transact(ctx, removing[Item](item.ID)) // the end of ctx may leave one behind
		}
	}
}
