package look

import (
	"fmt"
	"math"
	"strconv"
)

// The luminances of colors next to which a text has the contrast that WCAG 2.2 requires (1.4.3), which is 4.5.
const (
	belowLight = 0.157 // at most, on the darkest background in light mode
	aboveDark  = 0.255 // at least, on the lightest background in dark mode
	belowWhite = 0.179 // at most, next to white; above, the contrast to black is higher
)

// Accent returns a color as a style sheet, "" for none: --accent for areas, --on-accent for text in them, and --accent-ink for
// text and lines on the background. That is darker or lighter than the accent, as far as it has to be.
func Accent(color string) string {
	if color == "" {
		return ""
	}
	accent := linear(color)
	luminance := 0.2126*accent[0] + 0.7152*accent[1] + 0.0722*accent[2]
	on := "#ffffff"
	if luminance > belowWhite {
		on = "#000000"
	}
	ink := func(factor, white float64) string {
		return fmt.Sprintf("color(srgb-linear %.4f %.4f %.4f)", accent[0]*factor+white, accent[1]*factor+white, accent[2]*factor+white)
	}
	darker, lighter := min(1, belowLight/luminance), max(0, (aboveDark-luminance)/(1-luminance)) // infinite for black and white
	return fmt.Sprintf(":root { --accent: %s; --on-accent: %s; --accent-ink: light-dark(%s, %s); }\n", color, on, ink(darker, 0), ink(1-lighter, lighter))
}

// linear returns the intensities of red, green and blue in a color in hexadecimal.
func linear(color string) (c [3]float64) {
	digits := (len(color) - 1) / len(c) // of each
	for i := range c {
		text := color[1+i*digits:][:digits]
		n, _ := strconv.ParseUint((text + text)[:2], 16, 8)
		if c[i] = float64(n) / 255; c[i] <= 0.04045 {
			c[i] /= 12.92
		} else {
			c[i] = math.Pow((c[i]+0.055)/1.055, 2.4)
		}
	}
	return c
}
