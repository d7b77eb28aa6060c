package shop_test

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// A shop of six resources, as its programmer would write it.

type Buyer struct {
	ID    int64  `json:"id"`
	Name  string `json:"name" validate:"notblank" api:"filter=partial,sort"`
	Email string `json:"email" validate:"email" api:"unique,filter"`
	Staff bool   `json:"staff"`
}

type Article struct {
	ID    int64  `json:"id"`
	Name  string `json:"name" validate:"notblank" api:"filter=partial,sort"`
	Cents int64  `json:"cents" validate:"min=1" api:"filter=range,sort"`
	Stock int64  `json:"stock" validate:"min=0" api:"readonly"`
}

type Purchase struct {
	ID     int64          `json:"id"`
	Buyer  int64          `json:"buyer" api:"ref=Buyer,createonly,expand,filter"`
	Lines  []PurchaseLine `json:"lines" validate:"min=1,max=20,dive" api:"createonly"`
	Coupon *string        `json:"coupon" api:"ref=Coupon,createonly,ondelete=null"`
	Cents  int64          `json:"cents" api:"readonly,filter=range,sort"`
	Paid   bool           `json:"paid" api:"filter"`
	At     time.Time      `json:"at" api:"created,sort"`
}

type PurchaseLine struct {
	Article  int64 `json:"article" api:"ref=Article"`
	Quantity int64 `json:"quantity" validate:"min=1,max=100"`
	Cents    int64 `json:"cents" api:"readonly"`
}

type Opinion struct {
	ID      int64  `json:"id"`
	Article int64  `json:"article" api:"ref=Article,createonly,ondelete=cascade,expand,filter"`
	Buyer   int64  `json:"buyer" api:"ref=Buyer,createonly,expand,filter"`
	Stars   int    `json:"stars" validate:"min=1,max=5" api:"filter=range,sort"`
	Text    string `json:"text" validate:"max=1000"`
}

type Coupon struct {
	Code    string `json:"code" api:"id" validate:"max=20"`
	Percent int64  `json:"percent" validate:"min=1,max=90"`
}

type AuditEntry struct {
	ID    int64     `json:"id"`
	At    time.Time `json:"at" api:"created,sort"`
	Buyer *int64    `json:"buyer" api:"ref=Buyer,ondelete=null,filter"`
	What  string    `json:"what" api:"readonly,filter=partial"`
}

var (
	staff    = access.If("staff", func(b *Buyer) bool { return b.Staff })
	oneself  = access.Equal("id", func(b *Buyer) int64 { return b.ID })
	ofBuyer  = access.Equal("buyer", func(b *Buyer) int64 { return b.ID })
	forStaff = access.Rules{Read: access.Public, Create: staff, Update: staff, Delete: staff}
)

// shop holds the stores that its hooks write to, in addition to those of their resources.
type shop struct {
	buyers    store.Store[Buyer]
	articles  store.Store[Article]
	purchases store.Store[Purchase]
	opinions  store.Store[Opinion]
	coupons   store.Store[Coupon]
	audit     store.Store[AuditEntry]
}

func (s *shop) api(config resource.Config) (*resource.API, error) {
	config.Authentication = []access.Scheme{access.Bearer("token", s.authenticate)}
	return resource.New(config,
		resource.Of[Buyer]{
			Store: s.buyers, Inverse: map[string]string{"purchases": "Purchase.buyer"},
			Access: access.Rules{
				Read: access.Any(oneself, staff), Create: access.Public, Update: access.Any(oneself, staff), Delete: staff,
				Fields: map[string]access.Field{"staff": {Read: staff, Write: staff}},
			},
		},
		resource.Of[Article]{
			Store: s.articles, Access: forStaff, Inverse: map[string]string{"opinions": "Opinion.article"},
			Operations: append(operation.Standard(), operation.Post{
				Name: "restock", URITemplate: "/articles/{id}/restock", Handler: operation.Handle(s.restock), Access: staff,
			}),
		},
		resource.Of[Purchase]{
			Store: s.purchases, Prepare: s.price, Processor: operation.Process(s.place),
			Access: access.Rules{
				Read: access.Any(ofBuyer, staff), Create: ofBuyer, Update: staff, Delete: staff,
				Fields: map[string]access.Field{"paid": {Write: staff}},
			},
			Operations: append(operation.Standard(),
				operation.GetCollection{URITemplate: "/buyers/{buyer}/purchases"}, operation.Post{URITemplate: "/buyers/{buyer}/purchases"}),
		},
		resource.Of[Opinion]{
			Store: s.opinions,
			Access: access.Rules{
				Read: access.Public, Create: ofBuyer, Update: access.Any(ofBuyer, staff), Delete: access.Any(ofBuyer, staff),
			},
			Operations: append(operation.Standard(),
				operation.GetCollection{URITemplate: "/articles/{article}/opinions"}, operation.Post{URITemplate: "/articles/{article}/opinions"}),
		},
		resource.Of[Coupon]{
			Store:  s.coupons,
			Access: access.Rules{Read: access.Authenticated, Create: staff, Update: staff, Delete: staff},
		},
		resource.Of[AuditEntry]{
			Store: s.audit, Access: access.Rules{Read: staff}, Order: []string{"-at"},
			Operations: []operation.Operation{operation.Get{}, operation.GetCollection{}},
		},
	)
}

// authenticate returns the buyer for a token, which is the buyer's name in e-mails.
func (s *shop) authenticate(ctx context.Context, token string) (*Buyer, access.Scopes, error) {
	page, err := s.buyers.List(ctx, store.Query{Where: []store.Condition{
		{Fields: []string{"email"}, Operator: store.Equal, Values: []any{token + "@example.com"}},
	}})
	if err != nil || len(page.Items) == 0 {
		return nil, nil, access.ErrCredentials
	}
	return page.Items[0], nil, nil
}

// price works out what a new purchase costs.
func (s *shop) price(ctx context.Context, req *operation.Request, purchase *Purchase) error {
	if req.Kind != operation.KindPost {
		return nil
	}
	purchase.Cents = 0
	for i := range purchase.Lines {
		line := &purchase.Lines[i]
		article, err := s.articles.Get(ctx, line.Article)
		if err != nil {
			continue // an error of the reference
		}
		line.Cents = article.Cents * line.Quantity
		purchase.Cents += line.Cents
		if article.Stock < line.Quantity {
			return validation.Fail(fmt.Sprintf("lines[%d].quantity", i), "quantity is more than there is")
		}
	}
	if purchase.Coupon == nil {
		return nil
	}
	if coupon, err := s.coupons.Get(ctx, *purchase.Coupon); err == nil {
		purchase.Cents -= purchase.Cents * coupon.Percent / 100
	}
	return nil
}

// place takes from the stock what is bought, and notes it: all of it, or nothing.
func (s *shop) place(ctx context.Context, req *operation.Request, purchase *Purchase, save operation.Save[Purchase]) error {
	if err := save(ctx, purchase); err != nil || req.Kind != operation.KindPost {
		return err
	}
	err := s.articles.Transact(ctx, func(ctx context.Context, tx store.Tx[Article]) error {
		for _, line := range purchase.Lines {
			article, err := tx.Get(ctx, line.Article)
			if err != nil {
				return err
			}
			if article.Stock -= line.Quantity; article.Stock < 0 {
				return operation.Error{Status: http.StatusConflict, Detail: article.Name + " is sold out."}
			}
			if err := tx.Update(ctx, article.ID, article); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.note(ctx, &purchase.Buyer, fmt.Sprintf("bought for %d", purchase.Cents))
}

type delivery struct {
	Quantity int64 `json:"quantity" validate:"min=1,max=1000"`
}

func (s *shop) restock(ctx context.Context, article *Article, in delivery) (*Article, error) {
	article.Stock += in.Quantity
	return article, s.note(ctx, nil, "restocked "+article.Name)
}

func (s *shop) note(ctx context.Context, buyer *int64, what string) error {
	return s.audit.Transact(ctx, func(ctx context.Context, tx store.Tx[AuditEntry]) error {
		return tx.Insert(ctx, &AuditEntry{Buyer: buyer, What: what})
	})
}
