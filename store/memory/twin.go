package memory

import (
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// twins returns the error of a new identifier that is another value than that of another
// row, but has the same text, by which clients name records.
func (t *table) twins(staged *staged) error {
	id := t.columns.trees[0].path.Leaf()
	if id.Type.Kind != model.Text {
		return nil
	}
	var texts map[string]struct{} // of what is new, if it may be more than one
	if len(staged.changes) > 1 {
		texts = make(map[string]struct{}, len(staged.changes))
	}
	for i := range staged.changes {
		each := &staged.changes[i]
		if each.slot.row != nil || each.row == nil || each.row.record.isNone() {
			continue
		}
		text := each.row.value(0).text
		if _, again := texts[text]; again || t.keepsTwin(each.row, staged) {
			return store.UniqueError{Field: id.Name}
		}
		if texts != nil {
			texts[text] = struct{}{}
		}
	}
	return nil
}

// keepsTwin reports whether a saved row whose identifier has the same text as that of a new
// one stays.
func (t *table) keepsTwin(r *row, staged *staged) bool {
	saved, found := t.trees[0].Get(r)
	if !found {
		return false
	}
	for i := range staged.changes {
		if c := &staged.changes[i]; c.slot.row == saved {
			return c.now() != nil
		}
	}
	return true
}
