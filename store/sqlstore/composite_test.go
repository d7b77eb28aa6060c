package sqlstore_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// leg is a part of a journey, identified by the journey and its number.
type leg struct {
	Journey int64  `json:"journey" api:"id"`
	Number  int64  `json:"number" api:"id"`
	Port    string `json:"port" api:"sort"`
}

func TestAnIdentifierOfSeveralFieldsIsThePrimaryKey(t *testing.T) {
	t.Parallel()
	text, err := sqlstore.DDL(sqlstore.Table[leg](open(t)))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"journey" INTEGER NOT NULL,`, `"number" INTEGER NOT NULL,`, `CONSTRAINT "legs_pkey" PRIMARY KEY ("journey", "number")`,
		"ON \"legs\" (`port`, `journey`, `number`)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the statements have no %s", want)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}

func TestTablesOfOthersWithSeveralIdentifiers(t *testing.T) {
	t.Parallel()
	const columns = `CREATE TABLE legs (journey INTEGER NOT NULL, number INTEGER NOT NULL, port TEXT NOT NULL, mark TEXT, `
	for table, want := range map[string]string{
		columns + `PRIMARY KEY (journey, number))`:                      "",
		columns + `PRIMARY KEY (number, journey), UNIQUE (mark, port))`: "",
		columns + `PRIMARY KEY (journey))`:                              `has the primary key journey, but the identifier of Leg is "journey", "number": make that the primary key`,
		columns + `PRIMARY KEY (journey, number, port))`:                "has the primary key journey, number, port,",
		columns + `UNIQUE (port))`:                                      "has no primary key,",
	} {
		s := sqlstore.Table[leg](open(t, table), sqlstore.Existing())
		err := s.Check(t.Context())
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", table, err, want)
		}
		if want != "" {
			continue
		}
		insert(t, s, &leg{1, 1, "Elba"}, &leg{1, 2, "Skye"})
		if got, err := s.Get(t.Context(), store.Key{int64(1), int64(2)}); err != nil || got.Port != "Skye" {
			t.Errorf("found %v (%v)", got, err)
		}
		err = s.Transact(t.Context(), inserting(&leg{1, 2, "Kos"}))
		if !errors.Is(err, store.UniqueError{Field: "journey,number"}) {
			t.Errorf("a duplicate key: %v", err)
		}
	}
}
