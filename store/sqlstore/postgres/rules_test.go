package postgres_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// A visit is booked for a nurse who works here, in a room with a shift today.
type (
	skill struct {
		Name string `json:"name" api:"id"`
	}
	nurse struct {
		ID     int64    `json:"id"`
		Place  string   `json:"place"`
		Skills []string `json:"skills" validate:"max=9" api:"ref=Skill,filter"`
	}
	room struct {
		ID int64 `json:"id"`
	}
	shift struct {
		ID   int64  `json:"id"`
		Room int64  `json:"room" api:"ref=Room"`
		Day  string `json:"day"`
	}
	visit struct {
		ID    int64  `json:"id"`
		Nurse int64  `json:"nurse" api:"ref=Nurse"`
		Room  int64  `json:"room" api:"ref=Room"`
		State string `json:"state"`
	}
)

// clinic is the tables of two processes on one database, and the service of the first.
type clinic struct {
	service
	nurses *sqlstore.Store[nurse] // of the second process
	shifts *sqlstore.Store[shift] // of the second process
	within func()                 // runs in the transaction of a write, after its rules
}

func newClinic(t *testing.T) *clinic {
	t.Helper()
	c, dsn := &clinic{within: func() {}}, schema(t)
	db := open(t, dsn)
	skills, nurses, rooms := sqlstore.Table[skill](db), sqlstore.Table[nurse](db), sqlstore.Table[room](db)
	shifts, visits := sqlstore.Table[shift](db), sqlstore.Table[visit](db)
	if err := db.Create(t.Context(), skills, nurses, rooms, shifts, visits); err != nil {
		t.Fatal(err)
	}
	other := open(t, dsn)
	sqlstore.Table[skill](other)
	sqlstore.Table[room](other)
	c.nurses, c.shifts = sqlstore.Table[nurse](other), sqlstore.Table[shift](other)
	here := access.Through("nurse", access.Where("place", "here"))
	trained := access.Through("nurse", access.Through("skills", access.Where("name", "first aid")))
	staffed := access.Through("room", access.Related("Shift.room", access.Where("day", "today")))
	public := access.Only(access.Public)
	api, err := resource.New(resource.Config{}, resource.Of[skill]{Store: skills, Access: public}, resource.Of[nurse]{Store: nurses, Access: public},
		resource.Of[room]{Store: rooms, Access: public}, resource.Of[shift]{Store: shifts, Access: public}, resource.Of[visit]{
			Store: visits, Access: access.Rules{Read: access.Public, Create: access.All(here, trained, staffed), Update: access.Public, Delete: access.Public},
			Operations: append(operation.Standard(), operation.Post{
				Name: "start", URITemplate: "/visits/{id}/start", Access: access.Public, When: here,
				Handler: operation.Handle(func(_ context.Context, v *visit, _ struct{}) (struct{}, error) {
					v.State = "started"
					return struct{}{}, nil
				}),
			}),
			Processor: operation.Process(func(ctx context.Context, _ *operation.Request, v *visit, save operation.Save[visit]) error {
				c.within()
				return save(ctx, v)
			}),
		})
	if err != nil {
		t.Fatal(err)
	}
	c.service = service{t, api}
	c.must("POST /api/skills", `{"name":"first aid"}`)
	c.must("POST /api/nurses", `{"place":"here","skills":["/api/skills/first%20aid"]}`)
	c.must("POST /api/rooms", `{}`)
	c.must("POST /api/shifts", `{"room":"/api/rooms/1","day":"today"}`)
	return c
}

const visiting = `{"nurse":"/api/nurses/1","room":"/api/rooms/1","state":"booked"}`

// changes are transactions of the second process that make rules fail.
func (c *clinic) changes() map[string]func(ctx context.Context) error {
	return map[string]func(ctx context.Context) error{
		"a nurse who moves": func(ctx context.Context) error {
			return store.Update(ctx, c.nurses, int64(1), func(n *nurse) error { n.Place = "there"; return nil })
		},
		"a nurse whose training ends": func(ctx context.Context) error {
			return store.Update(ctx, c.nurses, int64(1), func(n *nurse) error { n.Skills = nil; return nil })
		},
		"a shift that moves": func(ctx context.Context) error {
			return store.Update(ctx, c.shifts, int64(1), func(s *shift) error { s.Day = "tomorrow"; return nil })
		},
		"a shift that ends": func(ctx context.Context) error { return store.Delete(ctx, c.shifts, int64(1)) },
	}
}

func TestWhatARuleOfAWriteLooksAtDoesNotChangeBeforeItIsSaved(t *testing.T) {
	t.Parallel()
	for what := range new(clinic).changes() {
		for _, request := range []string{"POST /api/visits", "POST /api/visits/1/start"} {
			if request != "POST /api/visits" && what != "a nurse who moves" {
				continue
			}
			t.Run(what+" during "+request, func(t *testing.T) {
				t.Parallel()
				c := newClinic(t)
				c.must("POST /api/visits", visiting)
				change, saved := c.changes()[what], make(chan error, 1)
				c.within = func() {
					go func() { saved <- change(impatient(t)) }()
					select {
					case err := <-saved:
						saved <- err
						t.Error("it was changed while the visit was being saved")
					case <-time.After(200 * time.Millisecond):
					}
				}
				body := visiting
				if request != "POST /api/visits" {
					body = ""
				}
				c.must(request, body)
				if err := <-saved; err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func TestARuleOfAWriteSeesTheChangesThatItWaitedFor(t *testing.T) {
	t.Parallel()
	for what := range new(clinic).changes() {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			c, ctx, status := newClinic(t), impatient(t), make(chan int, 1)
			change := c.changes()[what]
			err := c.nurses.Transact(ctx, func(ctx context.Context, _ store.Tx[nurse]) error {
				if err := change(ctx); err != nil {
					return err
				}
				go func() {
					code, _ := c.send("POST /api/visits", visiting)
					status <- code
				}()
				select {
				case code := <-status:
					return fmt.Errorf("the write did not wait, but returned %d", code)
				case <-time.After(200 * time.Millisecond):
					return nil
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			if code := <-status; code != http.StatusForbidden {
				t.Errorf("the write returned %d", code)
			}
		})
	}
}
