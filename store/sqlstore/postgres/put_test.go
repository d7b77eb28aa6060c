package postgres_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// labelled is a record with a client-set key.
type labelled struct {
	Key  string `json:"key" api:"id"`
	Text string `json:"text"`
}

func TestOfManyPutsOfANewRecordOneCreatesItAndTheOthersFindIt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, isolation, condition string
		others                     int
	}{
		{"and update it", "read committed", "", 200},
		{"and update it, serializable", "serializable", "", 200},
		{"and may not, if there is to be none", "read committed", "*", 412},
		{"and may not, if there is to be none, serializable", "serializable", "*", 412},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			dsn := with(set(t, schema(t), "default_transaction_isolation", test.isolation), "pool_max_conns", "12")
			s := table[labelled](t, open(t, dsn))
			api, err := resource.New(resource.Config{Logger: slog.New(slog.DiscardHandler)},
				resource.Of[labelled]{ShortName: "Label", Store: s, Operations: []operation.Operation{operation.Get{}, operation.Put{AllowCreate: true}}})
			if err != nil {
				t.Fatal(err)
			}
			for _, key := range []string{"a", "b", "c", "d"} {
				codes := map[int]int{}
				answers := make(chan int, 24)
				together(cap(answers), func(int) error {
					r := httptest.NewRequestWithContext(impatient(t), http.MethodPut, "/api/labels/"+key, strings.NewReader(`{"text":"x"}`))
					r.Header.Set("Content-Type", "application/json")
					if test.condition != "" {
						r.Header.Set("If-None-Match", test.condition)
					}
					w := httptest.NewRecorder()
					api.ServeHTTP(w, r)
					answers <- w.Code
					return nil
				})
				for range cap(answers) {
					codes[<-answers]++
				}
				others := codes[test.others]
				if test.isolation == "serializable" { // conflicts are detected, not waited for, so some clients must try again
					others += codes[503]
				}
				if codes[201] != 1 || others != cap(answers)-1 {
					t.Errorf("%s returned %v", key, codes)
				}
			}
		})
	}
}

func TestARecordThatAnotherInsertsMeanwhileIsFoundByTheNextRun(t *testing.T) {
	t.Parallel()
	ctx, dsn := impatient(t), schema(t)
	one, other := table[labelled](t, open(t, dsn)), table[labelled](t, open(t, dsn))
	runs := 0
	err := one.Transact(ctx, func(ctx context.Context, tx store.Tx[labelled]) error {
		runs++
		_, err := tx.Get(ctx, "a")
		if !errors.Is(err, store.ErrNotFound) {
			return err
		}
		faster := other.Transact(impatient(t), func(ctx context.Context, tx store.Tx[labelled]) error {
			return tx.Insert(ctx, &labelled{Key: "a", Text: "theirs"})
		})
		return errors.Join(faster, tx.Insert(ctx, &labelled{Key: "a", Text: "ours"}))
	})
	if err != nil || runs != 2 {
		t.Errorf("after %d runs: %v", runs, err)
	}
}
