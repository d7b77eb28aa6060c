package main

import (
	"context"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// Programmer is a person who writes programs, owned by a user.
type Programmer struct {
	Nickname     string `json:"nickname" api:"id" validate:"notblank,max=100" message:"notblank: Please enter a nickname" doc:"The unique nickname." example:"hopper"`
	AvatarNumber int    `json:"avatarNumber" doc:"The number of the profile picture." example:"5"`
	TagLine      string `json:"tagLine" doc:"A motto." example:"It is easier to ask forgiveness."`
	UserID       int64  `json:"userId" api:"readonly" doc:"The user who owns the programmer." example:"1"`
}

// programmers declares the resource at /api/programmers. Put replaces.
func programmers(kept store.Store[Programmer]) resource.Of[Programmer] {
	return resource.Of[Programmer]{
		Description:     "A programmer, by nickname.",
		ExtraProperties: map[string]any{"standard_put": true},
		Store:           kept,
		Prepare:         setOwner,
	}
}

// showAnother gives the example of a creation a nickname that is free. All other examples use the programmer that
// exists from the beginning, so each can be sent as it is.
func showAnother(op *openapi3.Operation) {
	op.RequestBody.Value.Content["application/json"].Example = map[string]any{
		"nickname": "grace", "avatarNumber": 5, "tagLine": "It is easier to ask forgiveness.",
	}
}

// setOwner sets the caller as the owner, on every create and update.
func setOwner(_ context.Context, req *operation.Request, p *Programmer) error {
	user, ok := req.Principal.(User)
	if !ok {
		return operation.Error{Status: 401, Detail: "Authentication required."}
	}
	p.UserID = user.ID
	return nil
}
