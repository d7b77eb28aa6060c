package jsonapi_test

import (
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/resource"
)

// Each row is a query of treasures, with the text of its error.
func TestErrorsUseTheNamesOfJSONAPI(t *testing.T) {
	t.Parallel()
	const allowed = `"allowed":["page[number]","page[size]","page[cursor]","filter[name]","filter[worth][gt]","filter[worth][gte]","filter[worth][lt]",` +
		`"filter[worth][lte]","filter[worth][between]","filter[owner]","filter[owner][ne]","sort","fields[treasures]","include","filter[id]"]`
	c := newHoard(t, resource.Config{})
	for query, says := range map[string]string{
		"wood=1":                  allowed,
		"filter[wood]=1":          allowed,
		"itemsPerPge=1":           `"detail":"Unknown parameter \"itemsPerPge\"; did you mean \"page[size]\"?"`,
		"expnd=owner":             `"detail":"Unknown parameter \"expnd\"; did you mean \"include\"?"`,
		"filds=name":              `"detail":"Unknown parameter \"filds\"; did you mean \"fields[treasures]\"?"`,
		"filter[worth][gtee]=1":   `"detail":"Unknown parameter \"filter[worth][gtee]\"; did you mean \"filter[worth][gte]\"?"`,
		"filter[worth][gt]=x":     `"detail":"filter[worth][gt] must be an integer"`,
		"filter[owner]=x":         `"detail":"filter[owner] must be the id of an existing User"`,
		"page[x]=1":               `"detail":"Unknown parameter page[x]; allowed: page[number], page[size], page[cursor]."`,
		"page[number]=0":          `"detail":"page[number] must be an integer between 1 and 10000"`,
		"sort=wood":               `"detail":"sort must be a comma-separated list of: name, -name, worth, -worth"`,
		"include=wood":            `"detail":"include must be a comma-separated list of: owner, owner.boss, heir, heir.boss, tags"`,
		"fields[treasures]=wood":  `"detail":"fields[treasures] must be a comma-separated list of: id, name, worth, owner, heir, tags"`,
		"fields[users]=name":      `"detail":"Only fields of the type of the response can be selected: fields[treasures]."`,
		"page[size]=x&sort=-wood": `"parameter":"page[size]"`,
	} {
		c.Send("GET /api/treasures.jsonapi?"+query, "").Mentions(400, says)
	}
	c.Send("GET /api/treasures/1.jsonapi?page[number]=1", "").Mentions(400, `"allowed":["fields[treasures]","include"]`)
	// Other formats have Trove's own names.
	c.Send("GET /api/treasures.json?expnd=1", "").Mentions(400, `did you mean \"expand\"?`, `"allowed":["page","itemsPerPage","cursor","name","worth[gt]"`, `"order[name]"`, `"fields","expand","id"]`)
}

func TestErrorsCallFieldsAttributesAndRelationships(t *testing.T) {
	t.Parallel()
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		c := newHoard(t, resource.Config{References: references})
		send := func(data string) func(int, ...string) {
			answer := c.Send("POST /api/treasures.jsonapi", `{"data":{"type":"treasures",`+data+`}}`)
			return func(status int, texts ...string) { answer.Mentions(status, texts...) }
		}
		send(`"attributes":{"nam":"x"}`)(400, `"detail":"Unknown field \"nam\"; did you mean \"name\"?"`)
		send(`"attributes":{"ownr":"x"}`)(400, `"detail":"Unknown field \"ownr\""`)
		send(`"relationships":{"ownr":{"data":null}}`)(400, `"detail":"Unknown relationship; allowed: owner, heir, tags."`)
		send(`"attributes":{"name":"Tin"},"relationships":{"owner":{"data":{"type":"users","id":"77"}}}`)(400, `"detail":"owner must have the id of an existing User"`)
		c.Send("POST /api/treasures.json", `{"nam":"x"}`, "Content-Type", format.JSON).Mentions(400, `Unknown field \"nam\"; did you mean \"name\"?`)
	}
}
