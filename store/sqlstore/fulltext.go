package sqlstore

import (
	"context"

	"github.com/trove-api/trove/internal/fulltext"
)

// fullTexter is implemented by dialects of databases with a type for words, which an index serves. In others a column has the
// words as a string. Words consist of letters, marks, digits and U+FFFD.
type fullTexter interface {
	// WordsType returns the type of columns with words.
	WordsType() string
	// Words returns the value of such a column, and Phrase the argument of a condition.
	Words(words []string) string
	Phrase(words []string) string
	// Written returns the expression that writes an argument to such a column.
	Written(argument string) string
	// HasPhrase returns a condition that a column has the words of an argument, one after another.
	HasPhrase(column, phrase string) string
}

// wordTabler is implemented by dialects of other databases that index words in a table of their own, by the integers that
// identify rows. Without it, or without such integers, a condition reads every row.
type wordTabler interface {
	// FindPhrase returns a condition that a row has the words of an argument in a column, one after another. Key is the quoted
	// integer. Table and column are names.
	FindPhrase(table, key, column, phrase string) string
	// WordTables returns the statements that create what indexes columns of a table. The last one fills it.
	WordTables(table, key string, columns []string) []string
	// DropWordTables returns the statements that drop all of that.
	DropWordTables(table string) []string
	// HasWordTables returns a query that has a row if all of that exists.
	HasWordTables(table string) string
}

// words returns how the table stores and searches words.
func (p *plan) words() fullTexter {
	if own, ok := p.dialect.Dialect.(fullTexter); ok {
		return own
	}
	return plainWords{p}
}

// plainWords searches strings.
type plainWords struct{ *plan }

func (p plainWords) WordsType() string            { return p.dialect.facts.Text }
func (plainWords) Words(words []string) string    { return fulltext.Join(words) }
func (plainWords) Phrase(words []string) string   { return fulltext.Join(words) }
func (plainWords) Written(argument string) string { return argument }

func (p plainWords) HasPhrase(column, phrase string) string {
	if own := as[wordTabler](p.dialect); own != nil && p.rowKey() != "" {
		return own.FindPhrase(p.name, p.rowKey(), column, phrase)
	}
	return p.dialect.Contains(p.dialect.Quote(column), phrase)
}

// fullText writes a condition that a column has the words of one of several texts.
func (w where) fullText(c *column, values []any) string {
	alternatives := make([]string, len(values))
	for i, value := range values {
		text, _ := value.(string)
		if alternatives[i] = never; isText(text) {
			if words := fulltext.Phrase(c.field.Language, text); words != nil {
				own := w.plan.words()
				alternatives[i] = own.HasPhrase(c.name, w.value(own.Phrase(words)))
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
func (p *plan) wordTables() (statements []definition) {
	var columns []string
	for _, c := range p.columns {
		if c.typ == words {
			columns = append(columns, c.name)
		}
	}
	own := as[wordTabler](p.dialect)
	if own == nil || columns == nil || p.rowKey() == "" {
		return nil
	}
	for _, text := range own.WordTables(p.name, p.rowKey(), columns) {
		statements = append(statements, definition{text: text})
	}
	return statements
}

// lacksWordTables reports whether the database lacks some of what wordTables creates.
func (p *plan) lacksWordTables(ctx context.Context, in Executor) (bool, error) {
	if p.wordTables() == nil {
		return false, nil
	}
	there, err := p.db.first(ctx, in, as[wordTabler](p.dialect).HasWordTables(p.name), nil)
	return !there && err == nil, err
}
