package main

import (
	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/resource"
)

// User is a customer, or has a job at a location.
type User struct {
	ID       int64  `json:"id"`
	Name     string `json:"name" validate:"notblank,max=100" api:"title,filter=partial,sort" example:"Ann Example"`
	Email    string `json:"email" validate:"email,max=200" api:"unique" example:"ann@example.com"`
	Password string `json:"password" validate:"min=12,max=200" api:"password,createonly" example:"correct horse battery"`
	Admin    bool   `json:"admin"`
}

// String identifies the user in histories.
func (u *User) String() string { return u.Email }

// Location is where items are rented.
type Location struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank,max=100" api:"title,sort,filter=partial" example:"Harbour"`
}

// Job is the work of a user at a location.
type Job struct {
	ID       int64 `json:"id"`
	User     int64 `json:"user" api:"ref=User,filter,expand,ondelete=cascade"`
	Location int64 `json:"location" api:"ref=Location,filter,expand,ondelete=cascade"`
}

// Works holds for a location, and staff for what belongs to one.
var (
	admins                = access.If("admin", func(u *User) bool { return u.Admin })
	self, customer, payer = access.Equal("id", userID), access.Equal("customer", userID), access.Equal("booking.customer", userID)
	works                 = access.Any(admins, access.Related("Job.location", access.Equal("user", userID)))
	staff                 = access.Named("staff of the location", access.Through("location", works))
)

func userID(u *User) int64 { return u.ID }

func (r *rental) ofUser() resource.Of[User] {
	return resource.Of[User]{
		Description: "A customer, or someone who works here.", Store: r.users, BeforeTransaction: r.accounts.Hash,
		Access: access.Rules{
			Read: access.Any(self, admins), Create: access.Public, Update: access.Any(self, admins), Delete: admins,
			Fields: map[string]access.Field{"admin": {Read: admins, Write: admins}},
		},
	}
}

func (r *rental) ofLocation() resource.Of[Location] {
	return resource.Of[Location]{
		Description: "Where items are rented.", Store: r.locations,
		Access: access.Rules{Read: access.Public, Create: admins, Update: works, Delete: admins},
	}
}

func (r *rental) ofJob() resource.Of[Job] {
	return resource.Of[Job]{
		Description: "Who works where.", Store: r.jobs,
		Access: access.Rules{Read: access.Any(access.Equal("user", userID), staff), Create: admins, Update: admins, Delete: admins},
	}
}
