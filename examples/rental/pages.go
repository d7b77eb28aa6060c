package main

import "github.com/trove-api/trove/admin"

// pages is what the people who work here see of the API.
var pages = admin.Config{
	Title: documentation.Title,
	Dashboard: []admin.Panel{
		admin.Number{Resource: "Booking", Title: "Requests", Filter: "status=requested"},
		admin.Number{Resource: "Booking", Title: "Out now", Filter: "status=out"},
		admin.Number{Resource: "Invoice", Title: "Open invoices", Filter: "status=sent"},
		admin.Bars{Resource: "Booking", Group: "status"},
		admin.Line{Resource: "Booking", Title: "Booked per month", Group: "from:month", Sum: "total", Currency: "EUR"},
		admin.Newest{Resource: "Booking", Sort: "-from"},
	},
	Resources: []admin.Resource{
		{
			Name: "Booking", RecordTitle: "{item.name}, {from}", Columns: []string{"customer", "location", "to", "total", "status"}, Sort: "-from",
			Groups: []admin.Group{{Title: "Item", Fields: []string{"item", "location", "customer"}}, {Title: "Time", Fields: []string{"from", "to"}, Columns: 2}},
			Fields: map[string]admin.Field{"status": {Values: map[string]string{"out": "out now", "returned": "back"}}, "total": {Currency: "EUR"}},
			Operations: map[string]admin.Action{
				"lendBooking": {Title: "Hand over"}, "returnBooking": {Title: "Take back"}, "cancelBooking": {Title: "Cancel booking", Danger: true},
			},
		},
		{Name: "Invoice", RecordTitle: "{booking}", Filter: "status=draft&status=sent", Sort: "due"},
		{Name: "Item", Fields: map[string]admin.Field{"price": {Currency: "EUR"}}},
	},
}
