package sqlstore

import (
	"context"
	"strings"

	"github.com/trove-api/trove/internal/fulltext"
)

// fullTexter is implemented by dialects of databases that index the words of texts. In others a column has the words as a
// string, and a condition reads every row. Words consist of letters, marks, digits and U+FFFD.
type fullTexter interface {
	// WordsType returns the type of columns with words.
	WordsType() string
	// Words returns the value of such a column, and Phrase the argument of a condition.
	Words(words []string) string
	Phrase(words []string) string
	// Written returns the expression that writes an argument to such a column.
	Written(argument string) string
	// HasPhrase returns a condition that a column of a table has the words of an argument, one after another. Key is the quoted
	// integer that identifies rows, "" for none. Table and column are names.
	HasPhrase(table, key, column, phrase string) string
	// WordTables returns the statements that create what indexes columns of a table in addition to it. The last one fills it.
	WordTables(table, key string, columns []string) []string
	// HasWordTables returns a query that has a row if all of that exists. It is used only if WordTables returns statements.
	HasWordTables(table string) string
}

// words returns how a database searches words.
func (d *dialect) words() fullTexter {
	if own, ok := d.Dialect.(fullTexter); ok {
		return own
	}
	return plainWords{d}
}

// plainWords searches strings.
type plainWords struct{ *dialect }

func (p plainWords) WordsType() string                          { return p.facts.Text }
func (plainWords) Words(words []string) string                  { return fulltext.Join(words) }
func (plainWords) Phrase(words []string) string                 { return fulltext.Join(words) }
func (plainWords) Written(argument string) string               { return argument }
func (plainWords) WordTables(string, string, []string) []string { return nil }
func (plainWords) HasWordTables(string) string                  { return "" }
func (p plainWords) HasPhrase(_, _, column, phrase string) string {
	return p.Contains(p.Quote(column), phrase)
}

// fullText writes a condition that a column has the words of one of several texts.
func (w where) fullText(c *column, values []any) string {
	alternatives := make([]string, len(values))
	for i, value := range values {
		text, _ := value.(string)
		if alternatives[i] = never; isText(text) {
			if words := fulltext.Phrase(c.field.Language, text); words != nil {
				own := w.plan.dialect.words()
				alternatives[i] = own.HasPhrase(w.plan.name, w.plan.rowKey(), c.name, w.value(own.Phrase(words)))
			}
		}
	}
	return joined(alternatives, " OR ")
}

// rowKey returns the quoted integer that identifies rows, "" if there is none.
func (p *plan) rowKey() string {
	if len(p.ids) == 1 && p.ids[0].typ == integer {
		return p.ids[0].quoted
	}
	return ""
}

// wordTables returns the statements that create what indexes words in addition to the table.
func (p *plan) wordTables() []string {
	var columns []string
	for _, c := range p.columns {
		if c.typ == words {
			columns = append(columns, c.name)
		}
	}
	if columns == nil {
		return nil
	}
	return p.dialect.words().WordTables(p.name, p.rowKey(), columns)
}

// lacksWordTables reports whether the database lacks some of what wordTables creates.
func (p *plan) lacksWordTables(ctx context.Context, in Executor) (bool, error) {
	if p.wordTables() == nil {
		return false, nil
	}
	there, err := p.db.first(ctx, in, p.dialect.words().HasWordTables(p.name), nil)
	return !there && err == nil, err
}

// addWordTables returns the statements that index words of an existing table, if it lacks what the database needs for that.
func (t *transaction) addWordTables(ctx context.Context, p *plan) (statements []definition, err error) {
	lacks, err := p.lacksWordTables(ctx, t)
	if !lacks {
		return nil, err
	}
	for _, text := range p.wordTables() {
		statements = append(statements, definition{text: text})
	}
	return statements, nil
}

// compareWords adds the step of what indexes the words of the table, if the database lacks it.
func (t *existing) compareWords(ctx context.Context) error {
	p := t.plan
	lacks, err := p.lacksWordTables(ctx, t.db)
	if lacks {
		t.differ.indexes = append(t.differ.indexes, safe("Index the words in texts of "+p.name+".", t.reading(p.name), p.wordTables()...))
	}
	return err
}

// compareWords adds an error if the table lacks what indexes its words.
func (t *actualTable) compareWords(ctx context.Context) {
	lacks, err := t.plan.lacksWordTables(ctx, t.plan.db)
	if t.errs = append(t.errs, err); lacks {
		t.fail("has no index of the words in its texts: create it with db.Create, or run %s", strings.Join(t.plan.wordTables(), "; "))
	}
}
