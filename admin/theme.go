package admin

import (
	"fmt"
	"math"
	"strconv"
)

// rgb is a color with components from 0 to 1.
type rgb [3]float64

// usual is the color without a Config.Color.
var usual = rgb{0x25 / 255.0, 0x63 / 255.0, 0xeb / 255.0} //nolint:gochecknoglobals // never changes

// readable is the least contrast of text that WCAG 2.2 requires (1.4.3).
const readable = 4.5

var (
	white = rgb{1, 1, 1}          //nolint:gochecknoglobals // never changes
	dark  = rgb{0.09, 0.10, 0.12} //nolint:gochecknoglobals // never changes; the lightest background in dark mode
	black = rgb{}                 //nolint:gochecknoglobals // never changes
)

// theme returns the colors of the page as a style sheet: --accent for areas, --on-accent for text in them, and
// --accent-ink for text and lines on the background.
func theme(color string) []byte {
	accent := parseColor(color)
	on := white
	if contrast(accent, black) > contrast(accent, white) {
		on = black
	}
	colors := func(ink rgb) string {
		return fmt.Sprintf("--accent: %s; --on-accent: %s; --accent-ink: %s;", accent, on, ink)
	}
	return fmt.Appendf(nil, ":root { %s }\n@media (prefers-color-scheme: dark) { :root { %s } }\n",
		colors(accent.against(rgb{0.95, 0.95, 0.96}, black)), colors(accent.against(dark, white)))
}

// parseColor reads a color in hexadecimal, which has been checked.
func parseColor(text string) rgb {
	if text == "" {
		return usual
	}
	digits := text[1:]
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	var c rgb
	for i := range c {
		n, _ := strconv.ParseUint(digits[2*i:2*i+2], 16, 8)
		c[i] = float64(n) / 255
	}
	return c
}

// against mixes the color with another one until text in it is readable on a background.
func (c rgb) against(background, with rgb) rgb {
	mixed := c
	for part := 0.0; part <= 1 && contrast(mixed, background) < readable; part += 0.02 {
		for i := range mixed {
			mixed[i] = c[i]*(1-part) + with[i]*part
		}
	}
	return mixed
}

// String returns the color in hexadecimal.
func (c rgb) String() string {
	return fmt.Sprintf("#%02x%02x%02x", int(math.Round(c[0]*255)), int(math.Round(c[1]*255)), int(math.Round(c[2]*255)))
}

// contrast returns the contrast ratio of two colors (WCAG 2.2).
func contrast(a, b rgb) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// luminance returns the relative luminance of a color (WCAG 2.2).
func (c rgb) luminance() float64 {
	linear := func(v float64) float64 {
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c[0]) + 0.7152*linear(c[1]) + 0.0722*linear(c[2])
}
