package content

import (
	"bytes"
	"encoding/xml"
	"net/http"
)

// ImageType returns the media type of an image that browsers show, "" for others.
func ImageType(image []byte) string {
	switch found := http.DetectContentType(image); found {
	case "image/png", "image/jpeg", "image/webp":
		return found
	}
	var root struct {
		XMLName xml.Name `xml:"svg"` // else it is an error
	}
	decoder := xml.NewDecoder(bytes.NewReader(image))
	decoder.Strict = false // editors use entities of their own
	if decoder.Decode(&root) == nil {
		return "image/svg+xml"
	}
	return ""
}
