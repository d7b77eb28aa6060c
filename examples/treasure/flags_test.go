package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func TestHelpIsNotAnErrorAndErrorsAreReportedOnce(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"-h", "-help", "--help"} {
		var out bytes.Buffer
		if err := run(t.Context(), []string{flag}, &out); err != nil {
			t.Errorf("%s ends with %v", flag, err)
		}
		for _, want := range []string{"Usage of treasure:", "-addr", "-db", "-routes"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s prints %s, which does not have %s", flag, out.String(), want)
			}
		}
	}
	for flag, want := range map[string]string{"-openapi": "/api/programmers/{nickname}", "-routes": "deleteProgrammer"} {
		var out bytes.Buffer
		if err := run(t.Context(), []string{flag}, &out); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%s ends with %v and prints %s, which does not have %s", flag, err, out.String(), want)
		}
	}
	for arguments, want := range map[string]string{
		"-adr":     "unknown flag -adr; did you mean -addr?; -h lists the flags",
		"-rate=x":  `invalid value "x" for flag -rate: parse error; -h lists the flags`,
		"serve -h": `unexpected argument "serve"; -h lists the flags`,
	} {
		if err := run(t.Context(), strings.Fields(arguments), io.Discard); err == nil || err.Error() != want {
			t.Errorf("%s ends with %v, want %s", arguments, err, want)
		}
	}
}
