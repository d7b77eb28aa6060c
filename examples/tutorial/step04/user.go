// Code generated from docs/guides/tutorial.md by go test ./examples/tutorial -update. DO NOT EDIT.

package step04

import (
	"github.com/trove-api/trove/resource"
)

// User is somebody who has treasures.
type User struct {
	ID       int64  `json:"id"`
	Username string `json:"username" validate:"notblank,max=50" api:"unique,filter,sort" message:"unique: It looks like another dragon took your username. ROAR!"`
}

// users declares what can be done with users.
func users(h *hoard) resource.Of[User] {
	return resource.Of[User]{
		Description: "Somebody who has treasures.",
		Store:       h.users,
		Inverse:     map[string]string{"treasures": "DragonTreasure.owner"},
	}
}
