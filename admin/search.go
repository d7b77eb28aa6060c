package admin

import (
	"slices"

	"github.com/trove-api/trove/internal/invoke"
)

// warnOfPickers logs each field that people set by choosing a record that the service cannot find by a text. In a list of many
// records they would have to know its identifier.
func (a *admin) warnOfPickers() {
	for _, l := range a.layouts {
		for _, f := range l.Fields {
			to := layoutOf(a.layouts, f.To)
			isSet := slices.ContainsFunc(slices.Concat(l.creates, l.updates), func(op *invoke.Operation) bool {
				takes, _ := op.Takes(f)
				return takes
			})
			if to == nil || f.Inverse || !isSet || to.isSearchable() {
				continue
			}
			a.api.Logger.Warn("add a filter or search to "+f.To.ShortName+" so that people can find records", "field", l.ShortName+"."+f.Name)
		}
	}
}

// isSearchable reports whether the list of the resource finds records by a text. It is true without a list, because people then
// type paths.
func (l *layout) isSearchable() bool {
	lists := direct(l.lists)
	if len(lists) == 0 {
		return true
	}
	titles := []string{l.TitleField()}
	for _, part := range l.title {
		titles = append(titles, part.Field+"."+part.Of, part.Field)
	}
	return slices.ContainsFunc(lists[0].Parameters, func(p invoke.Parameter) bool {
		findsParts := slices.Contains([]string{"contains", "hasWordPrefix", "hasPrefix"}, p.Operator)
		findsAll := p.Operator == "equal" || p.Operator == "equalFold"
		return p.Kind == "q" || findsParts || findsAll && slices.Contains(titles, p.Field)
	})
}
