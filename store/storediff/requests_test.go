package storediff_test

import (
	"fmt"
	"strconv"
	"strings"
)

// next returns a random request.
func (p *program) next() request {
	r := request{token: p.one("", "ann", "ann", "bob", "root", "root"), accept: p.accept()}
	if p.world.rules == 0 {
		r.token = ""
	}
	if p.random.IntN(40) == 0 {
		r.token = "wrong"
	}
	switch n := p.random.IntN(50); {
	case n < 4, p.made["land"] < 3:
		r.method, r.path, r.body, r.creates = "POST", "/api/lands", p.land(true), "land"
	case n < 8:
		r.method, r.path, r.body, r.creates = "POST", "/api/towns", p.town(true), "town"
	case n < 10:
		r.method, r.path, r.body = p.one("PUT", "PATCH"), "/api/lands/"+p.id("land"), p.land(false)
	case n < 12:
		r.method, r.path, r.body = p.one("PUT", "PATCH"), "/api/towns/"+p.id("town"), p.town(false)
	case n < 14:
		r.method, r.path = "DELETE", "/api/lands/"+p.id("land")
	case n < 15:
		r.method, r.path = "DELETE", "/api/towns/"+p.id("town")
	case n < 18:
		r.method, r.path = p.one("PUT", "PUT", "DELETE"), "/api/towns/"+p.id("town")+"/lands/"+p.id("land")
	case n < 19:
		r.method, r.path, r.body = "PATCH", "/api/towns", p.changes()
	case n < 20 && p.world.towns == "string":
		r.method, r.path, r.body = "POST", "/api/towns/many", "["+p.town(true)+","+p.townNamed("m"+strconv.Itoa(p.random.IntN(40)), true)+"]"
	case n < 22:
		r.method, r.path = "GET", "/api/"+p.one("lands/"+p.id("land")+p.one("", "?expand=up"), "towns/"+p.id("town")+p.one("", "?expand=land,lands", "?expand=land.up,twin,next"))
	case n < 24:
		r.method, r.path = "GET", "/api/lands/"+p.id("land")+"/"+p.one("towns", "lands")
	case n < 30:
		r.method, r.path = "GET", p.list()
	default:
		return p.nextDeed(r)
	}
	return r
}

// accept returns a media type. Formats that write identifiers in a form unknown to [identified] are used with
// client-set identifiers only.
func (p *program) accept() string {
	formats := []string{"", "", "application/json", "application/x-ndjson", "application/hal+json", "application/ld+json"}
	if !p.world.generates() {
		formats = append(formats, "application/vnd.api+json", "text/csv")
	}
	return p.one(formats...)
}

// id returns the identifier of a record as paths have it. It is mostly one of the last created ones, so that few
// records have many references. The record may be deleted or not created yet.
func (p *program) id(resource string) string {
	made := p.made[resource]
	if p.random.IntN(4) == 0 {
		return p.idOf(resource, p.random.IntN(made+1))
	}
	return p.idOf(resource, max(0, made-1-p.random.IntN(3)))
}

func (p *program) idOf(resource string, n int) string {
	switch {
	case p.isGenerated(resource):
		return fmt.Sprintf("{%s:%d}", resource, n)
	case resource == "land" && p.world.lands == "pair":
		return fmt.Sprintf("%d;%s", n%3-1, "k"+strconv.Itoa(n))
	}
	// Some have the same first eight bytes or more.
	return []string{"K", "k", "z", "0"}[n%4] + "-" + resource + "-" + strconv.Itoa(n)
}

func (p *program) reference(resource string) string {
	return `"/api/` + resource + "s/" + p.id(resource) + `"`
}

// maybe returns a reference or null.
func (p *program) maybe(resource string) string {
	if p.coin() {
		return "null"
	}
	return p.reference(resource)
}

func (p *program) list3(resource string) string {
	var all []string
	for range p.random.IntN(4) {
		all = append(all, p.reference(resource))
	}
	return "[" + strings.Join(all, ",") + "]"
}

// object writes a JSON object with the required fields first, and random other ones.
func (p *program) object(isNew bool, required int, members ...string) string {
	var kept []string
	for i, member := range members {
		if member != "" && (isNew && i < required || p.coin()) {
			kept = append(kept, member)
		}
	}
	return "{" + strings.Join(kept, ",") + "}"
}

func (p *program) land(isNew bool) string {
	identifier := ""
	if n := p.made["land"]; isNew && p.world.lands == "pair" {
		identifier = fmt.Sprintf(`"row":%d,"col":"k%d"`, n%3-1, n)
	} else if isNew && p.world.lands == "string" {
		identifier = `"landId":"` + p.idOf("land", n) + `"`
	}
	return p.object(isNew, 4, identifier, `"name":"`+p.one("", "a", "b", "B", "é", "ab", "abc")+strconv.Itoa(p.random.IntN(12))+`"`,
		`"keeper":"`+p.one("ann", "bob", "carl")+`"`, `"open":`+p.one("true", "false"), `"size":`+strconv.Itoa(p.random.IntN(13)-6),
		`"note":`+p.one("null", `""`, `"x"`, `"y"`, "1"), `"up":`+p.maybe("land"))
}

func (p *program) town(isNew bool) string { return p.townNamed(p.idOf("town", p.made["town"]), isNew) }

func (p *program) townNamed(id string, isNew bool) string {
	identifier := ""
	if isNew && p.world.towns == "string" {
		identifier = `"townId":"` + id + `"`
	}
	return p.object(isNew, 3, identifier, `"land":`+p.reference("land"), `"name":"`+p.one("", "a", "b", "c", "a b")+`"`,
		`"size":`+p.one("null", "0", "1", "5", "-1"), `"from":`+p.one("null", "0", "1", "3", "6", "8"), `"until":`+p.one("null", "2", "3", "5", "8", "9"), `"next":`+p.maybe("land"), `"lands":`+p.list3("land"), `"twin":`+p.maybe("town"))
}

// changes is the body of a bulk patch.
func (p *program) changes() string {
	var all []string
	for range 1 + p.random.IntN(3) {
		id := p.id("town")
		if p.world.towns == "string" {
			id = `"` + id + `"`
		}
		all = append(all, strings.Replace(p.town(false), "{", `{"townId":`+id+",", 1))
	}
	return strings.ReplaceAll("["+strings.Join(all, ",")+"]", ",}", "}")
}

// list returns the path and the query of a collection.
func (p *program) list() string {
	of := p.one("lands", "towns")
	filters := map[string][]string{
		"lands": {
			escaped("name", p.one("a1", "b2", "é3")), escaped("name", p.one("a", "B")), escaped("size[gte]", p.one("-2", "0", "3")), escaped("size", p.one("0", "1", "x")),
			"open=true", escaped("keeper", "ann"), escaped("note", "x"), escaped("exists[note]", "true"), escaped("exists[up]", p.one("true", "false")),
			"up=/api/lands/" + p.id("land"), escaped("up.name", p.one("a1", "b2")), escaped("up.size[lt]", "2"), "sort=" + p.one("name", "-size", "size,-name", "note", "-note", "up.size", "landId"),
		},
		"towns": {
			escaped("name", p.one("a", "b", "")), escaped("size[lt]", "3"), escaped("exists[size]", "false"), "land=/api/lands/" + p.id("land"),
			escaped("exists[next]", p.one("true", "false")), "next=/api/lands/" + p.id("land"), "lands=/api/lands/" + p.id("land"), escaped("lands.name", p.one("a1", "b2")),
			escaped("land.name", p.one("a", "b")), escaped("land.size[gt]", "0"), "twin=/api/towns/" + p.id("town"),
			"sort=" + p.one("name", "-name", "size", "-size,name", "land.name", "-land.size"), "expand=" + p.one("land", "lands", "land.up,next", "twin"),
		},
	}[of]
	query := []string{"itemsPerPage=" + p.one("1", "3", "30")}
	for range p.random.IntN(3) {
		query = append(query, filters[p.random.IntN(len(filters))])
	}
	if p.random.IntN(4) == 0 {
		query = append(query, "page=2")
	}
	if p.random.IntN(3) == 0 {
		query = append(query, escaped("filter", p.tree(of, 3)))
	}
	return "/api/" + of + "?" + strings.Join(query, "&")
}
