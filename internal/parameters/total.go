package parameters

// mostCounted is the number of records up to which a total is exact, unless all are counted.
const mostCounted = 10_000

// Total is what a response says about the number of records on all pages. The zero value says nothing.
type Total struct {
	Kind TotalKind
	N    int
}

// TotalKind is how exact a total is.
type TotalKind int

// The kinds.
const (
	NoTotal        TotalKind = iota // nothing is counted
	ExactTotal                      // the number of records
	MoreThan                        // there are more records
	EstimatedTotal                  // about the number of records
)

// Total returns the total of a page with the number that the store has counted, and with its estimate, 0 for none. A store
// may have counted more than it had to, and the total does not show that.
func (v *Values) Total(counted, estimate int) Total {
	switch most := v.Query.CountUpTo; {
	case !v.Query.Count:
		return Total{}
	case most == 0 || counted <= most:
		return Total{ExactTotal, counted}
	case estimate > 0:
		return Total{EstimatedTotal, max(estimate, most+1)}
	default:
		return Total{MoreThan, most}
	}
}

// CanTotal reports whether a response can have a total of a kind. An estimate also needs a store that has one.
func (s *Set) CanTotal(kind TotalKind) bool {
	p := s.paging
	isCounted := p.Enabled && !p.ViaCursor && (!p.Partial || p.ClientPartial)
	switch kind {
	case ExactTotal:
		return isCounted || !p.Enabled || p.ClientEnabled
	case MoreThan:
		return isCounted && s.columns == nil && !p.countsAll()
	case EstimatedTotal:
		return isCounted && s.columns == nil && p.Total == "estimated"
	}
	return false
}
