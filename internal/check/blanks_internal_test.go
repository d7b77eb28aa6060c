package check

import (
	"regexp"
	"testing"
	"unicode"

	"github.com/go-playground/validator/v10"
	"github.com/go-playground/validator/v10/non-standard/validators"
)

func TestTheDocumentSaysWhatIsBlankOfEachCharacter(t *testing.T) {
	t.Parallel()
	said := regexp.MustCompile(notBlank(Subject{}).Keywords.Pattern)
	judge := validator.New()
	if err := judge.RegisterValidation("notblank", validators.NotBlank); err != nil {
		t.Fatal(err)
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		text := string(r)
		if is := isNotBlank(text); is != said.MatchString(text) {
			t.Errorf("%U is not blank: %v, and in the document: %v", r, is, !is)
		}
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			if is := judge.Var(text, "notblank") == nil; is != isNotBlank(text) {
				t.Errorf("%U is not blank by validator: %v", r, is)
			}
		}
	}
}
