package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trove-api/trove/store"
)

// The phases of steps.
const (
	expand   = "expand"
	backfill = "backfill"
	contract = "contract"
)

// Plan has the steps after which the tables of a database fit their structs, in the order in which they must run. A plan
// without steps means that the tables fit.
type Plan struct {
	// Steps are the steps; nil for none.
	Steps []Step

	limit string // begins a transaction of migrations; "" for nothing
}

// Step is one change of a database. If it fails, or the program ends meanwhile, it can run again.
type Step struct {
	// Phase is when it can run: "expand" adds something before the new programs start, "backfill" fills columns of existing
	// rows, and "contract" removes something that only old programs use, after they have stopped.
	Phase string
	// Purpose is a sentence that describes it.
	Purpose string
	// SQL has its statements. It is empty if Go computes the values, and for a change that only a person can write.
	SQL []string
	// Lock describes the lock that it takes, and for how long.
	Lock string
	// OldProgramsWork reports whether programs with the structs of before go on working.
	OldProgramsWork bool
	// OldPrograms says what they can do, as the end of a sentence: "they go on working".
	OldPrograms string
	// Safe reports whether [DB.Migrate] runs it. Other steps may lose records or block writers: they are for a person.
	Safe bool
	// Outside reports whether each statement must run outside of a transaction.
	Outside bool

	fill     *fill  // of a backfill
	filled   bool   // it needs a backfill first
	undo     string // the statement that undoes it without a loss; "" if there is none
	problem  string // of a table without it; "" if there is none
	optional bool   // programs can use the table in spite of that
}

// String describes the plan for people: each step with its statements.
func (p Plan) String() string {
	if len(p.Steps) == 0 {
		return "The tables fit the structs.\n"
	}
	var text strings.Builder
	for i, s := range p.Steps {
		who := "Migrate runs it"
		if !s.Safe {
			who = "a person must run it"
		}
		fmt.Fprintf(&text, "%d. %s (%s; %s)\n", i+1, s.Purpose, s.Phase, who)
		if s.Lock != "" {
			fmt.Fprintf(&text, "   lock: %s\n", s.Lock)
		}
		fmt.Fprintf(&text, "   old programs: %s\n", s.OldPrograms)
		for _, statement := range s.SQL {
			text.WriteString("   " + strings.ReplaceAll(statement, "\n", "\n   ") + ";\n")
		}
	}
	return text.String()
}

// onliner is implemented by dialects of databases that change large tables while programs write.
type onliner interface {
	// Concurrently returns a CREATE INDEX or DROP INDEX that blocks no writers. It runs outside of transactions.
	Concurrently(statement string) string
	// LimitLocks returns the beginning of a transaction whose statements fail if they wait longer for a lock, because
	// others would wait behind them.
	LimitLocks(most time.Duration) string
	// Leftovers returns a query for the constraints that a table, its argument, has of an interrupted change: the name,
	// and 1 for a foreign key that is not valid yet, 0 for a check of any kind, or for the constraint of an index. It also
	// returns the indexes of other tables whose names begin with that of the table, with 2.
	Leftovers() string
	// TryLock returns statements of one transaction. The query returns 1 if it got the lock of migrations, else 0.
	TryLock() (before, query, after string)
}

// hastener is implemented by dialects of databases whose changes of tables can wait for a lock, but which no transaction undoes.
type hastener interface {
	// Hasten returns a statement that fails if it waits longer than a second for the lock of a table, because others would
	// wait behind it.
	Hasten(statement string) string
}

// Plan compares the tables of stores, [DB.Responses] and [DB.Log] with their structs, and returns what to change. It reads
// the catalog of the database, and rows where a change depends on them, and changes nothing. The steps are in the order in
// which they can run. Tables of [Existing] are left out.
func (db *DB) Plan(ctx context.Context, tables ...TableDefiner) (Plan, error) {
	if err := db.ready(); err != nil {
		return Plan{}, err
	}
	plans, err := plansOf(append(slices.Clone(tables), db.Responses(), db.log)...)
	if err != nil {
		return Plan{}, err
	}
	var plan Plan
	if own := as[onliner](db.dialect); own != nil {
		plan.limit = own.LimitLocks(time.Second)
	}
	err = db.retried(ctx, func() (err error) {
		plan.Steps, err = db.differences(ctx, toPlan, plans...)
		return err
	})
	return plan, err
}

const (
	// patience is how long a statement of Migrate waits for a lock, while others wait behind it.
	patience = 300 * time.Millisecond
	// respite is how long Migrate waits between two attempts.
	respite = 200 * time.Millisecond
)

// Migrate runs the safe steps of [DB.Plan] and returns the others. Call it at the start of a program, before resource.New,
// also while old programs run, and in several programs at once: one of them migrates, and the others wait for it. A program
// that ends meanwhile leaves no harm; the next call goes on. No step blocks writers for longer than a moment, except in
// databases with one writer at a time: a step that does not get its lock is tried again until the context ends.
func (db *DB) Migrate(ctx context.Context, tables ...TableDefiner) (Plan, error) {
	if err := db.mayChange(ctx, tables); err != nil {
		return Plan{}, err
	}
	plans, err := plansOf(tables...)
	if err == nil {
		_, err = db.addTrigrams(ctx, plans)
	}
	if err != nil {
		return Plan{}, err
	}
	plan, err := db.Plan(ctx, tables...)
	if err != nil || plan.next(nil) == nil {
		return plan, err
	}
	unlock, err := db.lockSchema(ctx)
	if err != nil {
		return plan, err
	}
	defer unlock()
	ran := map[string]error{}
	for {
		if plan, err = db.Plan(ctx, tables...); err != nil {
			return plan, err
		}
		step := plan.next(ran)
		if step == nil {
			return plan, nil
		}
		if err = ran[step.key()]; err == nil {
			switch err = db.run(ctx, step); {
			case errors.Is(err, store.ErrUnavailable) && db.driver.Fault(err).Kind != RetryFault: // another transaction has the lock
				err = sleep(ctx, respite)
			case err == nil:
				ran[step.key()] = errNoEffect
			default: // another program may have run the step; then the next plan is without it
				ran[step.key()], err = err, ctx.Err()
			}
		}
		if err != nil {
			return plan, fmt.Errorf("%s: %w", strings.TrimSuffix(step.Purpose, "."), err)
		}
	}
}

// errNoEffect is the error of a step that ran and is still in the plan.
var errNoEffect = errors.New("sqlstore: the step has no effect; if it creates an index, another table may have one with that name")

// key identifies the step.
func (s *Step) key() string { return s.Purpose + strings.Join(s.SQL, ";") }

// next returns the first safe step, nil for none. It omits backfills that are done: old programs insert more rows.
func (p Plan) next(ran map[string]error) *Step {
	for i := range p.Steps {
		if s := &p.Steps[i]; s.Safe && (s.fill == nil || !errors.Is(ran[s.key()], errNoEffect)) {
			return s
		}
	}
	return nil
}

// lockSchema waits until no other program migrates the database. All steps are also right without the lock, which a pooler
// or a time limit may end early.
func (db *DB) lockSchema(ctx context.Context) (unlock func(), err error) {
	own := as[onliner](db.dialect)
	if own == nil {
		return func() {}, nil
	}
	for {
		t, err := db.runs.Begin(ctx)
		if err != nil {
			return nil, db.explain(ctx, err)
		}
		unlock := func() { _ = t.Rollback(context.WithoutCancel(ctx)) }
		var got int
		before, query, after := own.TryLock()
		if _, err = t.Exec(ctx, before); err == nil {
			_, err = db.first(ctx, t, query, nil, &got)
		}
		if err == nil {
			_, err = t.Exec(ctx, after)
		}
		if err == nil && got == 1 {
			return unlock, nil
		}
		unlock()
		if err = db.explain(ctx, err); err == nil {
			err = sleep(ctx, respite)
		}
		if err != nil {
			return nil, err
		}
	}
}

// run runs a step.
func (db *DB) run(ctx context.Context, s *Step) error {
	own := as[onliner](db.dialect)
	exec := func(statement string) error {
		if own != nil && !strings.Contains(statement, " CONCURRENTLY ") {
			statement = own.LimitLocks(patience) + "; " + statement
		}
		_, err := db.Exec(ctx, statement)
		return err
	}
	switch {
	case s.fill != nil:
		return s.fill.run(ctx)
	case own != nil && !s.Outside:
		return exec(strings.Join(s.SQL, "; "))
	case s.Outside:
		for _, statement := range s.SQL {
			if err := exec(statement); err != nil {
				return err
			}
		}
		return nil
	}
	hastens := as[hastener](db.dialect)
	return db.transact(ctx, "", func(ctx context.Context, t *transaction) error {
		for _, statement := range s.SQL {
			if hastens != nil {
				statement = hastens.Hasten(statement)
			}
			if _, err := t.Exec(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	})
}
