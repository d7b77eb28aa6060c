// Package access says who may do what with resources, and who may see what of them: rules
// and schemes, both as data.
//
// A rule is made of small ones with names, and is declared for a resource or an operation:
//
//	var (
//		admin     = access.If("admin", func(u *User) bool { return u.Admin })
//		owner     = access.Equal("owner", func(u *User) int64 { return u.ID })
//		published = access.Where("isPublished", true)
//		mayWrite  = access.Scope("treasure:write")
//	)
//
//	resource.Of[DragonTreasure]{Access: access.Rules{
//		Read:   access.Any(published, owner, admin),
//		Create: access.All(mayWrite, owner),
//		Update: access.All(mayWrite, access.Any(owner, admin)),
//		Delete: admin,
//	}}
//
// A scheme reads who asks from a request:
//
//	resource.Config{Authentication: []access.Scheme{access.Bearer("token", authenticate)}}
//
// As soon as an API has one scheme or one rule anywhere, an operation without a rule is an error of
// resource.New. [Public] is the rule of what everyone may do.
//
// # What a rule becomes
//
// resource.New checks each rule against the struct of its resource and compiles it once into
// three things: what can be told without a record, which is asked before anything of a request
// is read; conditions of the store's query, so that pages, totals, cursors and streams have only
// what their reader may see; and a check of one record. A record that may not be read is
// missing for whoever asks: 404. A change must be allowed of the record as it is and as it
// becomes, so that nobody gives away or takes what the rule forbids.
//
// # Stores
//
// Rules hold for operations. A store that hooks, handlers and jobs of your own call is not
// confined by them.
package access
