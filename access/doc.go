// Package access defines who can call an API and what they can see: authentication schemes and access rules.
//
// Declare schemes in resource.Config. A scheme reads the credentials of a request and calls your function, which returns
// the principal:
//
//	resource.Config{Authentication: []access.Scheme{access.Bearer("token", authenticate)}}
//
// Declare rules in resource.Of, for a resource or for one operation. Build them from named parts:
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
// Rules can look at other records: [Through] at the record that a reference leads to, [Related] at those that reference
// the record. [Related] has an example.
//
// If an API declares any scheme or rule, every operation needs a rule, or resource.New returns an error. Use [Public] for
// operations that everyone can call. [Any] has a complete example.
//
// # How rules are applied
//
// resource.New checks each rule against the struct of its resource. Rules then apply in three ways:
//
//   - The parts that need no record are checked before the request is read. The response is 401 if signing in could
//     help, else 403.
//   - A read rule becomes a condition of each query, so that pages, totals, cursors and streams contain only records
//     that the caller can see. Any other record returns 404, as if it did not exist.
//   - A change is checked on the record before and after it, so that no caller can give away or take over a record
//     against the rule.
//
// Package accesstest tests which caller can do what.
//
// # Stores
//
// Rules apply to operations. Hooks, handlers and jobs that call a store directly see all records.
package access
