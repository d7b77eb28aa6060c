// Package date has the type of calendar dates: a year, a month and a day, without a time of day and a time zone. Use it
// for birthdays, due dates and nights in a hotel. A field of type [Date] is a string such as "2026-11-28" in JSON and in
// URLs, with the format date, and a DATE column where the database has one. A time.Time is a moment instead, which is
// another day elsewhere.
package date

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"time"
)

// Date is a day of the Gregorian calendar. Dates are compared with ==. The zero value is 0001-01-01, as that of
// time.Time. Only dates of the years from 0001 to 9999 have a text, and can be stored.
type Date struct {
	days int32 // since 0001-01-01
}

const (
	secondsPerDay = 24 * 60 * 60
	// secondsOfZero is the Unix time of 0001-01-01.
	secondsOfZero = -62_135_596_800
	// daysOfLast is 9999-12-31.
	daysOfLast = 3_652_058
)

// New returns the date of a year, month and day. As with time.Date, values outside their ranges are normalized: October
// 32 is November 1.
func New(year int, month time.Month, day int) Date {
	seconds := time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix()
	return Date{clamp((seconds - secondsOfZero) / secondsPerDay)}
}

// clamp keeps a number of days within the type: far beyond the years that have a text.
func clamp(days int64) int32 { return int32(min(max(days, math.MinInt32), math.MaxInt32)) }

// Of returns the date of a time in its own location: Of(time.Now().UTC()) is the current date in UTC.
func Of(t time.Time) Date { return New(t.Date()) }

// Parse reads a date in the form 2006-01-02, and no other.
func Parse(text string) (Date, error) {
	var d Date
	return d, d.UnmarshalText([]byte(text))
}

// Date returns the year, the month and the day.
func (d Date) Date() (year int, month time.Month, day int) { return d.Time(time.UTC).Date() }

// Weekday returns the day of the week.
func (d Date) Weekday() time.Weekday { return d.Time(time.UTC).Weekday() }

// Time returns the time at which the date begins in a location. Where clocks skip midnight, it is the time that
// time.Date returns.
func (d Date) Time(in *time.Location) time.Time {
	at := time.Unix(int64(d.days)*secondsPerDay+secondsOfZero, 0).UTC()
	return time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, in)
}

// AddDays returns the date that many days later, or earlier if days is negative.
func (d Date) AddDays(days int) Date {
	days = min(max(days, math.MinInt32), math.MaxInt32) // else the sum could overflow
	return Date{clamp(int64(d.days) + int64(days))}
}

// Sub returns the number of days from other to d.
func (d Date) Sub(other Date) int { return int(int64(d.days) - int64(other.days)) }

// Before reports whether d is before other.
func (d Date) Before(other Date) bool { return d.days < other.days }

// After reports whether d is after other.
func (d Date) After(other Date) bool { return d.days > other.days }

// Compare returns -1 if d is before other, 1 if it is after it, and 0 if they are equal.
func (d Date) Compare(other Date) int { return cmp.Compare(d.days, other.days) }

// IsZero reports whether d is the zero value, 0001-01-01.
func (d Date) IsZero() bool { return d == Date{} }

// String returns the date in the form 2006-01-02.
func (d Date) String() string { return d.Time(time.UTC).Format(time.DateOnly) }

// errYear is the error of a date without a text.
var errYear = errors.New("date: the year is not within 0001 and 9999")

// AppendText appends the date in the form 2006-01-02. It returns an error for other years than 0001 to 9999.
func (d Date) AppendText(b []byte) ([]byte, error) {
	if d.days < 0 || d.days > daysOfLast {
		return b, errYear
	}
	return d.Time(time.UTC).AppendFormat(b, time.DateOnly), nil
}

// MarshalText returns the text of [Date.AppendText].
func (d Date) MarshalText() ([]byte, error) { return d.AppendText(nil) }

// UnmarshalText reads a date in the form 2006-01-02, and no other.
func (d *Date) UnmarshalText(text []byte) error {
	// It also rejects dates that do not exist, such as February 30.
	at, err := time.Parse(time.DateOnly, string(text))
	switch {
	case err != nil || len(text) != len(time.DateOnly):
		return fmt.Errorf("date: the form is %s", time.DateOnly)
	case at.Year() < 1:
		return errYear
	}
	*d = Of(at)
	return nil
}
