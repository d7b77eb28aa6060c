package memory

import (
	"math/bits"
	"slices"
)

// sortFirst puts the first n of some places where they belong, in order. The others come
// behind them in any order, which for a page of many rows saves most comparisons.
func (o *order) sortFirst(all []place, n int) {
	const short = 24
	for rounds := 2 * bits.Len(uint(len(all))); rounds > 0 && len(all) > short && n < len(all)/2; rounds-- {
		middle := o.split(all)
		if n <= middle {
			all = all[:middle]
			continue
		}
		o.sort(all[:middle])
		all, n = all[middle:], n-middle
	}
	o.sort(all)
}

func (o *order) sort(all []place) {
	slices.SortFunc(all, func(a, b place) int { return o.compare(&a, &b) })
}

// split puts what comes before some place of the middle in front of what comes after it,
// and returns where the latter begins: behind the first and before the end.
func (o *order) split(all []place) int {
	low, high := 0, len(all)-1
	pivot := o.median(all[low], all[len(all)/2], all[high])
	for {
		for o.compare(&all[low], &pivot) < 0 {
			low++
		}
		for o.compare(&all[high], &pivot) > 0 {
			high--
		}
		if low >= high {
			return max(low, 1)
		}
		all[low], all[high] = all[high], all[low]
		low, high = low+1, high-1
	}
}

func (o *order) median(a, b, c place) place {
	if o.compare(&a, &b) > 0 {
		a, b = b, a
	}
	if o.compare(&b, &c) <= 0 {
		return b
	}
	if o.compare(&a, &c) <= 0 {
		return c
	}
	return a
}
