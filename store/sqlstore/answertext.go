package sqlstore

import (
	"strconv"
	"strings"
)

// answerTexts are the statements on answers besides those of every table.
type answerTexts struct {
	claim string // inserts an answer and returns its key, unless there is one
	take  string // inserts an answer, or locks the one that is there; returns the row
	keep  string // inserts an answer, or writes it over the one that is there
	sweep string // deletes some that have expired by a time
}

// answerTexts writes them.
func (p *plan) answerTexts() answerTexts {
	flavor, key := p.dialect.Flavor, quote(p.ids[0].name)
	insert, _ := flavor.NewInsertBuilder().InsertInto(quote(p.name)).Cols(names(p.columns)...).Values(placeholders(len(p.columns))...).Build()
	insert += " ON CONFLICT (" + key + ") DO "
	var set []string
	for _, name := range names(p.columns) {
		if name != key {
			set = append(set, name+" = excluded."+name)
		}
	}
	return answerTexts{
		claim: insert + "NOTHING RETURNING " + key,
		take:  insert + "UPDATE SET " + key + " = excluded." + key + " RETURNING " + strings.Join(names(p.columns), ", "),
		keep:  insert + "UPDATE SET " + strings.Join(set, ", "),
		sweep: p.sweepText(key),
	}
}

// sweepText deletes the answers that expired first. It passes over those that a
// transaction has locked, so that neither waits for the other. PostgreSQL makes an array of
// them first, for it may run what is in an IN again for each row, whatever its limit.
func (p *plan) sweepText(key string) string {
	b := p.dialect.Flavor.NewSelectBuilder().Select(key).From(quote(p.name))
	expires := quote(p.find["expires"].value.name)
	b.Where(b.LessEqualThan(expires, 0)).OrderBy(expires)
	some, _ := b.Build()
	some += " LIMIT " + strconv.Itoa(swept)
	remove := "DELETE FROM " + quote(p.name) + " WHERE " + key
	if p.dialect.RowLocks {
		return remove + " = ANY (ARRAY(" + some + " FOR UPDATE SKIP LOCKED))"
	}
	return remove + " IN (" + some + ")"
}
