package sqlstore

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/trove-api/trove/internal/migration"
)

// mayChange returns an error if the database cannot be used, or if the program only wants the plan, which the context gets
// then.
func (db *DB) mayChange(ctx context.Context, tables []TableDefiner) error {
	if err := db.ready(); err != nil {
		return err
	}
	request := migration.Of(ctx)
	if request == nil {
		return nil
	}
	plan, err := db.Plan(ctx, tables...)
	if err != nil {
		return err
	}
	request.Plan = plan
	return migration.ErrPlanned
}

// Files returns the plan as versioned migrations for a tool, "goose" or "atlas", by file name. The version is the time.
// Steps that run outside of a transaction have files of their own; on PostgreSQL, the others wait at most a second for a
// lock. A step that Go computes or that a person must decide is a comment. After the files are written, Atlas needs
// "atlas migrate hash". A plan without steps has no files.
func (p Plan) Files(tool string, at time.Time) (map[string]string, error) {
	if tool != "goose" && tool != "atlas" {
		return nil, fmt.Errorf("sqlstore: unknown tool %q for migrations; allowed: goose, atlas", tool)
	}
	files := map[string]string{}
	for len(p.Steps) > 0 {
		n := 1
		for n < len(p.Steps) && p.Steps[n].Outside == p.Steps[0].Outside {
			n++
		}
		name := at.UTC().Add(time.Duration(len(files))*time.Second).Format("20060102150405") + "_trove.sql"
		limit := ""
		if p.limit != "" && !p.Steps[0].Outside {
			limit = "-- If another transaction holds a table for longer, all others would wait behind this one. It fails; run it again.\n" + p.limit + ";\n"
		}
		if tool == "goose" {
			files[name] = gooseFile(limit, p.Steps[:n])
		} else {
			files[name] = limit + atlasFile(p.Steps[:n])
		}
		p.Steps = p.Steps[n:]
	}
	return files, nil
}

// gooseFile writes a migration for goose. Only indexes can go without a loss, so only they are dropped on the way down.
func gooseFile(limit string, steps []Step) string {
	var text, down strings.Builder
	if steps[0].Outside {
		text.WriteString("-- +goose NO TRANSACTION\n")
	}
	text.WriteString("-- +goose Up\n" + limit)
	write := func(statement string) string {
		return "-- +goose StatementBegin\n" + statement + "\n-- +goose StatementEnd\n"
	}
	for _, s := range steps {
		s.write(&text, write)
		if s.undo != "" && !s.isComment() {
			down.WriteString(write(s.undo + ";"))
		}
	}
	if down.Len() == 0 {
		down.WriteString("-- There is no way back that loses nothing.\nSELECT 1;\n")
	}
	return text.String() + "\n-- +goose Down\n" + down.String()
}

// atlasFile writes a migration for Atlas.
func atlasFile(steps []Step) string {
	var text strings.Builder
	if steps[0].Outside {
		text.WriteString("-- atlas:txmode none\n\n")
	}
	for _, s := range steps {
		s.write(&text, func(statement string) string { return statement + "\n" })
	}
	return text.String()
}

// isComment reports whether a tool must not run the step: a person decides, or Go has computed nothing yet.
func (s *Step) isComment() bool { return !s.Safe || s.filled }

// write writes the purpose of the step as a comment, and its statements as a tool runs them, or as comments.
func (s *Step) write(to *strings.Builder, statement func(string) string) {
	if s.isComment() {
		statement = commented
	}
	to.WriteString(commented(s.Purpose))
	switch {
	case s.fill != nil:
		to.WriteString("-- Call db.Migrate of the new program: no SQL does that.\n")
	case s.filled:
		to.WriteString("-- Run this after Go has computed the column, or call db.Migrate.\n")
	case !s.Safe:
		to.WriteString("-- Decide about this yourself: no tool runs it.\n")
	}
	for _, text := range s.SQL {
		to.WriteString(statement(text + ";"))
	}
}

// commented writes a text as a comment.
func commented(text string) string { return "-- " + strings.ReplaceAll(text, "\n", "\n-- ") + "\n" }
