package jsonapi_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// mistakesIn checks the structure of a document against JSON:API 1.1: required and allowed fields, names, full linkage,
// no duplicates. No official schema of 1.1 exists.
func mistakesIn(text string) []string {
	j := judge{named: map[string]bool{}, linked: map[string]bool{}}
	var document map[string]any
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		return []string{err.Error()}
	}
	j.members("the document", document, "jsonapi", "data", "errors", "meta", "links", "included")
	if _, data := document["data"]; data && document["errors"] != nil {
		j.fail("data and errors are both there")
	} else if !data && document["errors"] == nil && document["meta"] == nil {
		j.fail("none of data, errors and meta is there")
	}
	if version, _ := document["jsonapi"].(map[string]any); version["version"] != "1.1" {
		j.fail("jsonapi is %v", document["jsonapi"])
	}
	switch data := document["data"].(type) {
	case map[string]any:
		j.resource(data)
	case []any:
		for _, one := range data {
			j.resource(one)
		}
	}
	included, is := document["included"].([]any)
	if _, has := document["included"]; has && !is {
		j.fail("included is %v", document["included"])
	}
	var names []string
	for _, one := range included {
		names = append(names, j.resource(one))
	}
	for _, name := range names {
		if !j.linked[name] {
			j.fail("%s is included, but nothing refers to it", name)
		}
	}
	j.errors(document["errors"])
	return j.mistakes
}

type judge struct {
	mistakes      []string
	named, linked map[string]bool
}

func (j *judge) fail(text string, args ...any) {
	j.mistakes = append(j.mistakes, fmt.Sprintf(text, args...))
}

func (j *judge) members(what string, of map[string]any, allowed ...string) {
	for name := range of {
		if !slices.Contains(allowed, name) {
			j.fail("%s has a member %s", what, name)
		}
	}
}

var fieldName = regexp.MustCompile(`^[A-Za-z0-9](?:[-_A-Za-z0-9]*[A-Za-z0-9])?$`)

// resource judges a resource object, and returns its name.
func (j *judge) resource(value any) string {
	of, ok := value.(map[string]any)
	if !ok {
		j.fail("a resource is %v", value)
		return ""
	}
	j.members("a resource", of, "type", "id", "attributes", "relationships", "links", "meta")
	name := j.name(of)
	if j.named[name] {
		j.fail("%s is there twice", name)
	}
	j.named[name] = true
	attributes, _ := of["attributes"].(map[string]any)
	relationships, _ := of["relationships"].(map[string]any)
	for field := range attributes {
		if !fieldName.MatchString(field) || field == "id" || field == "type" || relationships[field] != nil {
			j.fail("%s has an attribute %s", name, field)
		}
	}
	for field, value := range relationships {
		relationship, _ := value.(map[string]any)
		if !fieldName.MatchString(field) || len(relationship) == 0 {
			j.fail("%s has a relationship %s of %v", name, field, value)
		}
		j.members("a relationship", relationship, "data", "links", "meta")
		switch data := relationship["data"].(type) {
		case map[string]any:
			j.linkage(data)
		case []any:
			for _, one := range data {
				identifier, _ := one.(map[string]any)
				j.linkage(identifier)
			}
		}
	}
	return name
}

func (j *judge) linkage(identifier map[string]any) {
	j.members("a resource identifier", identifier, "type", "id", "meta")
	j.linked[j.name(identifier)] = true
}

// name returns what names a record, both parts of which are texts.
func (j *judge) name(of map[string]any) string {
	kind, isKind := of["type"].(string)
	id, isID := of["id"].(string)
	if !isKind || !isID || kind == "" || id == "" {
		j.fail("type and id are %v and %v", of["type"], of["id"])
	}
	return kind + " " + id
}

func (j *judge) errors(value any) {
	list, _ := value.([]any)
	if value != nil && len(list) == 0 {
		j.fail("errors are %v", value)
	}
	for _, one := range list {
		of, _ := one.(map[string]any)
		j.members("an error", of, "id", "links", "status", "code", "title", "detail", "source", "meta")
		for _, name := range []string{"id", "status", "code", "title", "detail"} {
			if text, is := of[name].(string); of[name] != nil && (!is || text == "") {
				j.fail("%s of an error is %v", name, of[name])
			}
		}
		source, _ := of["source"].(map[string]any)
		j.members("the source of an error", source, "pointer", "parameter", "header")
		if pointer, is := source["pointer"].(string); is && pointer != "" && !strings.HasPrefix(pointer, "/") {
			j.fail("a pointer is %s", pointer)
		}
	}
}
