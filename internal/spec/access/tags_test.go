package access_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// vault has a secret that can be guessed, in itself or in a part of it.
type vault struct {
	ID    int64  `json:"id"`
	Owner string `json:"owner"`
	PIN   string `json:"pin" api:"writeonly"`
	Lock  lock   `json:"lock"`
}

type lock struct {
	Maker string `json:"maker"`
	Code  string `json:"code" api:"writeonly"`
}

// versionedVault counts its changes.
type versionedVault struct {
	ID      int64  `json:"id"`
	PIN     string `json:"pin" api:"writeonly"`
	Version int    `json:"version" api:"version"`
}

// namedVault counts its changes, but may be another one of the same name.
type namedVault struct {
	Name    string `json:"name" api:"id"`
	PIN     string `json:"pin" api:"writeonly"`
	Version int    `json:"version" api:"version"`
}

func vaultAPI(t testing.TB, key []byte, pin string) spec.Client {
	t.Helper()
	return spec.NewClient(
		t, resource.Config{CursorKey: key},
		resource.Of[vault]{ShortName: "Vault", SparseFields: true, Store: memory.New(
			vault{Owner: "ada", PIN: pin, Lock: lock{Code: "99"}}, vault{Owner: "ada", PIN: pin, Lock: lock{Code: "99"}},
		)},
		resource.Of[versionedVault]{ShortName: "Versioned", Store: memory.New(versionedVault{PIN: pin})},
		resource.Of[namedVault]{ShortName: "Named", Store: memory.New(namedVault{Name: "1", PIN: pin}), Operations: []operation.Operation{
			operation.Get{}, operation.Put{AllowCreate: true}, operation.Patch{}, operation.Delete{},
		}},
		resource.Of[spec.Goblet]{Store: memory.New(spec.Goblet{Title: "a"})},
	)
}

// An attacker who has the program and the data but not the secret can compute every possible tag, and compare.
func TestATagDisclosesNothingHidden(t *testing.T) {
	t.Parallel()
	for name, key := range map[string][]byte{"a key of the service's": []byte("the key of the service"), "no key": nil} {
		served := vaultAPI(t, key, "123456")
		for _, path := range []string{"/api/vaults/1", "/api/vaults/1?fields=owner", "/api/vaults", "/api/nameds/1", "/api/versioneds/1"} {
			target := served.Send("GET "+path, "").HasStatus(200).Header.Get("ETag")
			readable := path == "/api/vaults" || path == "/api/versioneds/1" // where no tag is of what is hidden
			for _, guessed := range [][]byte{nil, []byte("the key of an attacker")} {
				tags := map[string]bool{}
				for _, pin := range []string{"000000", "123456", "999999"} {
					tags[tagAt(vaultAPI(t, guessed, pin), path)] = true
				}
				if tags[target] && !readable {
					t.Errorf("with %s, %s of %s is found among %v", name, target, path, tags)
				}
			}
		}
	}
}

func TestATagChangesWithHiddenFields(t *testing.T) {
	t.Parallel()
	c := vaultAPI(t, nil, "123456")
	for path, patches := range map[string][]string{
		"/api/vaults/1":     {`{"pin":"1"}`, `{"lock":{"code":"1"}}`, `{"owner":"bob"}`, `{"lock":{"maker":"x"}}`},
		"/api/nameds/1":     {`{"pin":"1"}`},
		"/api/versioneds/1": {`{"pin":"1"}`},
	} {
		for _, patch := range patches {
			seen := tagAt(c, path)
			if again := tagAt(c, path); again != seen {
				t.Errorf("%s has two tags: %s, %s", path, seen, again)
			}
			changed := c.Send("PATCH "+path, patch).HasStatus(200)
			if tag := tagAt(c, path); tag == seen || tag != changed.Header.Get("ETag") {
				t.Errorf("%s: the tag was %s, the change has %s, and it is %s", patch, seen, changed.Header.Get("ETag"), tag)
			}
			c.Send("PATCH "+path, `{"pin":"lost"}`, "If-Match", seen).IsProblem(412)
		}
		c.Send("PATCH "+path, `{"pin":"2"}`, "If-Match", tagAt(c, path)).HasStatus(200)
	}
}

func TestAnotherRecordOfTheNameIsAnotherStateThoughItsVersionIsTheSame(t *testing.T) {
	t.Parallel()
	c := vaultAPI(t, nil, "123456")
	c.Send("PUT /api/nameds/x", `{"pin":"1"}`).HasStatus(201)
	tag := tagAt(c, "/api/nameds/x")
	c.Send("DELETE /api/nameds/x", "").HasStatus(204)
	c.Send("PUT /api/nameds/x", `{"pin":"2"}`).HasStatus(201)
	c.Send("DELETE /api/nameds/x", "", "If-Match", tag).IsProblem(412)
}

func TestInstancesAgreeOnTags(t *testing.T) {
	t.Parallel()
	a, b := vaultAPI(t, []byte("the key of the service"), "123456"), vaultAPI(t, []byte("the key of the service"), "123456")
	for _, path := range []string{"/api/vaults/1", "/api/vaults/1?fields=owner", "/api/vaults", "/api/nameds/1", "/api/versioneds/1", "/api/goblets/1"} {
		if of, other := tagAt(a, path), tagAt(b, path); of != other {
			t.Errorf("of %s one instance has %s, and one with the same key %s", path, of, other)
		}
	}
	a, b = vaultAPI(t, nil, "123456"), vaultAPI(t, nil, "123456")
	for _, path := range []string{"/api/goblets/1", "/api/versioneds/1", "/api/vaults"} { // all of whose fields are visible
		if of, other := tagAt(a, path), tagAt(b, path); of != other {
			t.Errorf("of %s one instance has %s, and another one without a key %s", path, of, other)
		}
	}
	if of, other := tagAt(a, "/api/vaults/1"), tagAt(b, "/api/vaults/1"); of == other {
		t.Errorf("two instances without a key have the tag %s of what nobody may read", of)
	}
	if of, other := tagAt(a, "/api/vaults/1"), tagAt(a, "/api/vaults/2"); of == other || strings.HasPrefix(other, of[:8]) {
		t.Errorf("two vaults have the tags %s and %s", of, other)
	}
}

func tagAt(c spec.Client, path string) string {
	c.T.Helper()
	return c.Send("GET "+path, "").HasStatus(200).Header.Get("ETag")
}
