package naming

import (
	"strings"
	"testing"
)

// TestRegularWordsArePluralizedAsByTheLibrary compares all short endings of words, alone and after a prefix, and all
// words with a rule of their own.
func TestRegularWordsArePluralizedAsByTheLibrary(t *testing.T) {
	t.Parallel()
	client := newClient()
	check := func(word string) {
		if isRegular(word) && client.Plural(word) != word+"s" {
			t.Errorf("%s is regular, but its plural is %s", word, client.Plural(word))
		}
	}
	const letters = "aehinorstu9"
	for _, last := range regular {
		for _, a := range letters {
			for _, b := range letters {
				end := string([]rune{a, b, last})
				check(end)
				check("b" + end)
			}
		}
	}
	for word := range strings.FieldsSeq(ruled) {
		check(word)
	}
}

// ruled are words that the library has an exception or a rule for.
const ruled = `i me he she them myself yourself itself herself himself themself is was has this that my its his her echo dingo
volcano tornado torpedo genus viscus stigma stoma dogma lemma schema anathema ox axe die yes foot eave goose tooth quiz human
proof carve valve looey thief groove pickaxe passerby canvas sms axis testis alias bonus atlas gas iris menu alumnus syllabus
virus radius nucleus fungus cactus stimulus terminus bacillus focus uterus locus stratum alumna alga vertebra vertebrae seraph
cherub hero potato negro agenda addendum millennium datum extremum bacterium desideratum candelabrum erratum ovum symposium
curriculum automatum quorum aphelion hyperbaton perihelion asyndeton noumenon phenomenon criterion organon prolegomenon hedron
automaton basis knife wife life dwarf half elf leaf loaf hoof city soliloquy monkey box church glass dish buzz matrix codex
murex silex vertex index appendix titmouse mouse louse person people child children grandchild bureaux man woman thou adulthood
advice aid aircraft alcohol ammo analytics anime athletics audio bison blood bream buffalo butter carp cash chassis chess
clothing cod commerce cooperation corps debris diabetes digestion elk energy equipment excretion expertise firmware flounder
fun gallows garbage graffiti hardware headquarters health herpes highjinks homework housework information jeans justice kudos
labour literature machinery mackerel mail media mews moose music mud manga news only personnel pike plankton pliers police
pollution premises rain research rice salmon scissors series sewage shambles shrimp software staff swine tennis traffic
transportation trout tuna wealth welfare whiting wildebeest wildlife you pokemon chinese japanese deer reindeer fish blowfish
measles carnivorous smallpox sheep medium lens german price
we us they ourselves themselves are were have these those our their oxen feet geese teeth men women`
