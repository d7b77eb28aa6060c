package memory

import (
	"encoding"
	"fmt"

	"github.com/trove-api/trove/internal/model"
)

// checkUnique reports a unique field of a type whose values have no simple equality.
func (s *shape) checkUnique(field *model.Field) error {
	switch field.Type.Kind {
	case model.Bool, model.Int, model.Uint, model.Float, model.String, model.Bytes, model.Time, model.Text:
		return nil
	}
	return fmt.Errorf("store/memory: %s.%s: is unique and has the type %s: a unique field is a bool, number, string, []byte, "+
		"time.Time or a type that marshals itself as text", s.name, field.GoPath, field.Type.Go)
}

// withUnique returns the columns with that of a field whose values no two records share,
// which queries need not know.
func (c columns) withUnique(s *model.Struct, field *model.Field) columns {
	column := c.byName[field.Name]
	if column == nil || column.kind == nil {
		column = newColumn(s.Go, model.Path{Name: field.Name, Fields: []*model.Field{field}})
		column.kind = kindOf(field.Type, column.way)
	}
	c = c.keeping(column)
	c.uniques = append(c.uniques, column)
	return c
}

func textOf(value any) (string, error) {
	if appender, ok := value.(encoding.TextAppender); ok {
		text, err := appender.AppendText(nil)
		return string(text), err
	}
	text, err := value.(encoding.TextMarshaler).MarshalText()
	return string(text), err
}
