package openapitest_test

import (
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/access/session"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

type clubMember struct {
	ID       int64  `json:"id"`
	Username string `json:"username" validate:"notblank,max=50" api:"unique" example:"ann"`
	Password string `json:"password" validate:"min=12,max=200" api:"password,createonly" example:"correct horse battery"`
}

type diary struct {
	ID    int64  `json:"id"`
	Text  string `json:"text" validate:"required"`
	Owner int64  `json:"owner" api:"ref=Member,readonly,ondelete=cascade"`
}

// club has people who register and sign in, and see only their own diaries.
func club(t *testing.T) *resource.API {
	t.Helper()
	members := memory.New[clubMember]()
	accounts := &password.Accounts[clubMember]{
		Store: members, Name: "username", Password: func(m *clubMember) *string { return &m.Password },
		Hasher: &password.Hasher{Memory: 8, Passes: 1},
	}
	sessions, err := session.New(session.Config[clubMember]{Accounts: accounts, Sessions: memory.New[session.Session](), Cookie: "club"})
	if err != nil {
		t.Fatal(err)
	}
	self := access.Equal("id", func(m *clubMember) int64 { return m.ID })
	api, err := resource.New(resource.Config{Authentication: []access.Scheme{sessions.Scheme()}},
		resource.Of[clubMember]{
			ShortName: "Member", Store: members, BeforeTransaction: accounts.Hash,
			Access: access.Rules{Read: self, Create: access.Public, Update: self, Delete: self},
		},
		resource.Of[diary]{
			ShortName: "diary", Access: access.Only(access.Equal("owner", func(m *clubMember) int64 { return m.ID })),
			Stamp: operation.Stamp(func(m *clubMember, d *diary) { d.Owner = m.ID }),
		},
		sessions.Resource())
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// Nothing but the API is given: Conform registers, signs in, and goes on when a session has ended.
func TestConformSignsInByItself(t *testing.T) {
	t.Parallel()
	openapitest.Conform(t, club(t), openapitest.Requests(60))
}
