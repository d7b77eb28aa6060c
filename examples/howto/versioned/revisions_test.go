package versioned_test

import (
	"context"
	"maps"
	"slices"

	"ariga.io/atlas/sql/migrate"
)

// revisions keeps what Atlas has run, as its table of revisions does.
type revisions struct{ all map[string]*migrate.Revision }

func (*revisions) Ident() *migrate.TableIdent { return &migrate.TableIdent{Name: "revisions"} }

func (r *revisions) ReadRevisions(context.Context) (all []*migrate.Revision, err error) {
	for _, version := range slices.Sorted(maps.Keys(r.all)) {
		all = append(all, r.all[version])
	}
	return all, nil
}

func (r *revisions) ReadRevision(_ context.Context, version string) (*migrate.Revision, error) {
	if found := r.all[version]; found != nil {
		return found, nil
	}
	return nil, migrate.ErrRevisionNotExist
}

func (r *revisions) WriteRevision(_ context.Context, revision *migrate.Revision) error {
	r.all[revision.Version] = revision
	return nil
}

func (r *revisions) DeleteRevision(_ context.Context, version string) error {
	delete(r.all, version)
	return nil
}
