package main

import (
	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/resource"
)

// Team is a group of users.
type Team struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank,max=100" api:"filter=partial,sort" example:"Divers"`
}

// Membership makes a user a member of a team.
type Membership struct {
	ID   int64  `json:"id"`
	Team int64  `json:"team" api:"ref=Team,filter,ondelete=cascade"`
	User int64  `json:"user" api:"ref=User,filter,ondelete=cascade"`
	Role string `json:"role" validate:"oneof=lead helper" default:"helper"`
}

// Report belongs to a team.
type Report struct {
	ID    int64  `json:"id"`
	Team  int64  `json:"team" api:"ref=Team,expand,filter,ondelete=cascade"`
	Title string `json:"title" validate:"notblank,max=100" api:"sort" example:"A wreck"`
	Costs int64  `json:"costs" api:"sort"`
}

var (
	mine = access.Equal("user", func(u *User) int64 { return u.ID })
	// Rules of a team: the caller is one of its members, or leads it.
	member = access.Named("member", access.Related("Membership.team", mine))
	lead   = access.Named("lead", access.Related("Membership.team", access.All(mine, access.Where("role", "lead"))))
	// Rules of what refers to such a team.
	ofMember = access.Through("team", member)
	ofLead   = access.Through("team", lead)
)

func (a *app) ofTeam() resource.Of[Team] {
	return resource.Of[Team]{
		Description: "A group of users.",
		Store:       a.teams,
		Access:      access.Rules{Read: access.Any(member, admin), Create: admin, Update: access.Any(lead, admin), Delete: admin},
	}
}

func (a *app) ofMembership() resource.Of[Membership] {
	manage := access.Any(ofLead, admin)
	return resource.Of[Membership]{
		Description: "Who is in which team.",
		Store:       a.memberships,
		Access:      access.Rules{Read: access.Any(ofMember, admin), Create: manage, Update: manage, Delete: manage},
	}
}

func (a *app) ofReport() resource.Of[Report] {
	return resource.Of[Report]{
		Description: "What a team has found.",
		Store:       a.reports,
		Access: access.Rules{
			Read: ofMember, Create: ofMember, Update: ofMember, Delete: ofLead,
			Fields: map[string]access.Field{"costs": {Read: ofLead, Write: ofLead}},
		},
	}
}
