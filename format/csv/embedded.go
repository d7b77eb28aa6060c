package csv

import "github.com/trove-api/trove/format"

// appendEmbedded appends the cells of the records that a reference leads to, a comma behind each. They are empty if
// there is no such record.
func appendEmbedded(b []byte, n *node, item format.Item) ([]byte, error) {
	records, _, err := item.Embedded(n.name)
	if err != nil {
		return b, err
	}
	if n.many {
		return appendLists(b, n, records)
	}
	if len(records) == 0 || records[0] == nil {
		return appendEmpty(b, n), nil
	}
	begin := len(b)
	if b, err = records[0].AppendJSON(b); err != nil {
		return b, err
	}
	end := len(b)
	return cut(appendObject(b, n.children, b[begin:end]), begin, end), nil
}
