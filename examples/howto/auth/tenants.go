package main

import (
	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Project belongs to a tenant.
type Project struct {
	ID     int64  `json:"id"`
	Name   string `json:"name" validate:"notblank,max=100" api:"filter=partial,sort" example:"Harbour"`
	Tenant string `json:"tenant" api:"hidden,index"`
}

// Task is part of a project.
type Task struct {
	ID      int64  `json:"id"`
	Title   string `json:"title" validate:"notblank,max=100" example:"Dig"`
	Project int64  `json:"project" api:"ref=Project,expand,filter,ondelete=cascade"`
	Tenant  string `json:"tenant" api:"hidden,index"`
}

// tenant holds for records of the caller's tenant.
var tenant = access.Equal("tenant", func(u *User) string { return u.Tenant })

// ofTenant are the rules of resources that a whole tenant reads and changes.
var ofTenant = access.Rules{Read: tenant, Create: tenant, Update: tenant, Delete: tenant}

func (a *app) ofProject() resource.Of[Project] {
	return resource.Of[Project]{
		Description: "What a tenant builds.",
		Store:       a.projects,
		Access:      ofTenant,
		Stamp:       operation.Stamp(func(u *User, p *Project) { p.Tenant = u.Tenant }),
	}
}

func (a *app) ofTask() resource.Of[Task] {
	return resource.Of[Task]{
		Description: "A part of a project.",
		Store:       a.tasks,
		Access:      ofTenant,
		Stamp:       operation.Stamp(func(u *User, t *Task) { t.Tenant = u.Tenant }),
	}
}
