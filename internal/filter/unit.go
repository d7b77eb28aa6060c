package filter

import (
	"fmt"
	"time"
)

// instant is the form of an hour in UTC, in which hours are sorted.
const instant = "2006-01-02T15:04:05Z"

// UnitKey returns the text of the year, quarter, month, week or day of a time in its zone: "2026", "2026-Q4", "2026-11",
// "2026-W48" (ISO 8601), "2026-11-28". An hour is the moment at which it begins, in UTC, because two hours of a day can have
// the same name. Texts of one unit sort by time.
func UnitKey(at time.Time, unit string) string {
	switch unit {
	case "year":
		return at.Format("2006")
	case "quarter":
		return fmt.Sprintf("%04d-Q%d", at.Year(), (at.Month()+2)/3)
	case "month":
		return at.Format("2006-01")
	case "week":
		year, week := at.ISOWeek()
		return fmt.Sprintf("%04d-W%02d", year, week)
	case "day":
		return at.Format(time.DateOnly)
	}
	within := time.Duration(at.Minute())*time.Minute + time.Duration(at.Second())*time.Second
	return at.Add(-within).UTC().Format(instant)
}

// UnitText returns what rows have for the result of UnitKey: that of an hour has the time of the zone, with its offset.
func UnitText(key, unit string, zone *time.Location) string {
	if at, err := time.Parse(instant, key); unit == "hour" && err == nil {
		return at.In(zone).Format(time.RFC3339)
	}
	return key
}
