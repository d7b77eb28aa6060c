package html

import (
	"bytes"
	"html/template"
	"strconv"
	"strings"
)

// markup is HTML of values. Functions write it and not a template, because a page has hundreds of values, and a template
// uses reflection for each. Everything that comes from records goes through text, which escapes it for elements and for
// quoted attributes.
type markup struct{ bytes.Buffer }

// text writes a text.
func (m *markup) text(s string) { template.HTMLEscape(m, []byte(s)) }

// add writes HTML of this file.
func (m *markup) add(parts ...string) {
	for _, part := range parts {
		_, _ = m.WriteString(part) // it never fails
	}
}

// name writes a text whose direction does not depend on the text around it.
func (m *markup) name(s string) {
	m.add("<bdi>")
	m.text(s)
	m.add("</bdi>")
}

// html returns what has been written.
func (m *markup) html() template.HTML {
	return template.HTML(m.String()) //nolint:gosec // text has escaped all values
}

// Markup returns the value as HTML.
func (v value) Markup() template.HTML {
	var m markup
	m.value(&v)
	return m.html()
}

// value writes a value.
func (m *markup) value(v *value) {
	switch v.Kind {
	case "null":
		m.add(`<span class="quiet">–</span>`)
	case "bool":
		if v.Text == "true" {
			m.add(`<span class="tag good">Yes</span>`)
		} else {
			m.add(`<span class="tag">No</span>`)
		}
	case "number":
		m.add(`<span class="number">`)
		m.text(v.Text)
		m.add(`</span>`)
	case "time":
		m.add(`<time datetime="`)
		m.text(v.Stamp)
		m.add(`">`)
		m.text(v.Text)
		m.add(`</time>`)
	case "link", "web":
		m.link(v)
	case "list":
		m.list(v)
	case "object":
		m.object(v)
	default:
		m.name(v.Text)
		if v.More > 0 {
			m.add(`<span class="quiet">… `, strconv.Itoa(v.More), ` more characters</span>`)
		}
	}
}

// link writes a link to a path of the API or to a web page. Other schemes are not links, because javascript: is one.
func (m *markup) link(v *value) {
	if isOurs := strings.HasPrefix(v.Href, "/"); !isOurs && !isWeb(v.Href) {
		m.name(v.Text)
		return
	}
	m.add(`<a href="`)
	m.text(v.Href)
	if m.add(`"`); v.Kind == "web" {
		m.add(` rel="noopener noreferrer nofollow"`)
	}
	m.add(`>`)
	m.name(v.Text)
	m.add(`</a>`)
}

// list writes the elements of a list.
func (m *markup) list(v *value) {
	if len(v.Items) == 0 {
		m.add(`<span class="quiet">none</span>`)
		return
	}
	m.add(`<ul class="tags">`)
	for i := range v.Items {
		switch v.Items[i].Kind {
		case "text", "number", "link", "time":
			m.add(`<li class="tag">`)
		default:
			m.add(`<li>`)
		}
		m.value(&v.Items[i])
		m.add(`</li>`)
	}
	if v.More > 0 {
		m.add(`<li class="quiet">and `, strconv.Itoa(v.More), ` more</li>`)
	}
	m.add(`</ul>`)
}

// object writes the fields of an object.
func (m *markup) object(v *value) {
	if len(v.Fields) == 0 {
		m.add(`<span class="quiet">none</span>`)
		return
	}
	m.add(`<table><tbody>`)
	for i := range v.Fields {
		m.add(`<tr><th scope="row">`)
		m.name(v.Fields[i].Name)
		m.add(`</th><td>`)
		m.value(&v.Fields[i].Value)
		m.add(`</td></tr>`)
	}
	if v.More > 0 {
		m.add(`<tr><td colspan="2" class="quiet">and `, strconv.Itoa(v.More), ` more</td></tr>`)
	}
	m.add(`</tbody></table>`)
}

// Body returns the rows as HTML.
func (t *table) Body() template.HTML {
	var m markup
	for i := range t.Rows {
		m.add("\n<tr>")
		for j := range t.Rows[i].Cells {
			m.cell(&t.Rows[i].Cells[j])
		}
		m.add("</tr>")
	}
	return m.html()
}

// cell writes a value of a row.
func (m *markup) cell(c *cell) {
	switch {
	case c.IsNumber:
		m.add(`<td class="number">`)
	case c.IsLong:
		m.add(`<td class="long">`)
	case c.Kind == "time" || c.Kind == "link":
		m.add(`<td class="nowrap">`)
	default:
		m.add(`<td>`)
	}
	switch {
	case c.Path == "":
		m.value(&c.value)
	case c.Kind == "link" || c.Kind == "web": // no link within a link
		m.link(&value{Kind: "link", Text: c.Text, Href: c.Path})
	default:
		m.add(`<a href="`)
		m.text(c.Path)
		m.add(`">`)
		m.value(&c.value)
		m.add(`</a>`)
	}
	m.add(`</td>`)
}
