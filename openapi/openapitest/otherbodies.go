package openapitest

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// otherTypes are the media types of bodies that are not JSON as it is.
func (o operation) otherTypes() []string {
	content, _ := o.document.resolve(o.object["requestBody"])["content"].(object)
	found := slices.Sorted(maps.Keys(content))
	return slices.DeleteFunc(found, func(mediaType string) bool {
		return mediaType == o.body() || mediaType == "application/merge-patch+json"
	})
}

// otherBodies sends bodies in the other formats of the operation: what is read in a format is sent
// back in it, whole, cut off and, where its schema can be asked, changed in one place. Nothing here
// has to know how a format is written.
func (c *conformity) otherBodies(op operation, base request) {
	if base.mediaType != "application/json" || !base.valid {
		return
	}
	all, most := op.otherTypes(), c.most
	for _, mediaType := range all {
		c.most = min(most, c.sent+max(fewest, most/4/len(all))) // JSON is to have most of what there is
		sent := base
		sent.mediaType = mediaType
		if sample, isWhole := c.sample(op, base, mediaType); sample != "" {
			c.try(op, sent.with(sample, true, isWhole))
			if !op.isText(mediaType) { // of which the beginning may be well formed, as of rows and lines
				c.try(op, sent.with(sample[:len(sample)-1], false, true))
			}
			for _, text := range []string{"", "\xff\x00", `{"a":`} {
				c.try(op, sent.with(text, false, true))
			}
			c.changedBodies(op, sent, sample)
		}
	}
	c.most = most
}

// isText reports whether the document says no more of bodies in a format than that they are texts.
func (o operation) isText(mediaType string) bool {
	content, _ := o.document.resolve(o.object["requestBody"])["content"].(object)
	media, _ := content[mediaType].(object)
	return o.document.resolve(media["schema"])["type"] == "string"
}

// fewest is how many requests a format has in any case.
const fewest = 5

// sample returns what a format writes of the record that an operation is about, "" for nothing,
// and whether the operation has to take all of it.
func (c *conformity) sample(op operation, base request, mediaType string) (body string, isWhole bool) {
	if !op.isItem() {
		answer := c.try(op, base.asking("header", "Accept", mediaType))
		if answer == nil || answer.Code != http.StatusCreated {
			return "", false
		}
		return answer.Body.String(), false // the identifier in it is taken, or is not the client's
	}
	c.restore(op, &base)
	base.body = c.readAs(base.path, "application/json")
	valid, exactly := c.worth(op, base)
	return c.readAs(base.path, mediaType), valid && exactly
}

// mostChanged is how many bodies are sent that differ from a sample in one place.
const mostChanged = 12

// changedBodies sends bodies that differ from a sample in one place, as the schema of the format
// judges them: a few, for JSON has been tried with all of them.
func (c *conformity) changedBodies(op operation, sent request, sample string) {
	var whole any
	if !strings.HasSuffix(sent.mediaType, "json") || json.Unmarshal([]byte(sample), &whole) != nil {
		return
	}
	content, _ := c.document.resolve(op.object["requestBody"])["content"].(object)
	media, _ := content[sent.mediaType].(object)
	bodies := c.variants(whole, c.document.resolve(media["schema"]), 0)
	step := max(1, (len(bodies)+mostChanged-1)/mostChanged)
	for i := 0; i < len(bodies) && !c.isSpent(); i += step {
		text := string(written(bodies[i]))
		valid, err := c.document.valid(op.bodySchema(sent.mediaType), []byte(text))
		if err != nil {
			c.t.Fatalf("openapitest: %v", err)
		}
		c.try(op, sent.with(text, valid, false))
	}
}
