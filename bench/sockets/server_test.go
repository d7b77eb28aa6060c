package sockets_test

import (
	"bytes"
	"net"
	"strconv"
	"strings"
	"testing"

	"github.com/trove-api/trove/bench/contender"
	"github.com/trove-api/trove/bench/sockets"
)

func TestServeRunsEachCommand(t *testing.T) {
	t.Parallel()
	var answers bytes.Buffer
	err := sockets.Serve(&contender.All()[0], strings.NewReader("usage\nreset\nusage\n"), &answers)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(answers.String())
	if len(lines) != 4 {
		t.Fatalf("answers = %q, want an address and three numbers", lines)
	}
	if host, _, err := net.SplitHostPort(lines[0]); err != nil || host != "127.0.0.1" {
		t.Errorf("address = %q, want one of this machine alone", lines[0])
	}
	if before, after := number(t, lines[1]), number(t, lines[3]); before <= 0 || after < before {
		t.Errorf("usage = %d, then %d: want it to grow from 0", before, after)
	}
	if lines[2] != "0" {
		t.Errorf("reset gets %q, want 0", lines[2])
	}
}

func TestServeEndsWithAnUnknownCommand(t *testing.T) {
	t.Parallel()
	err := sockets.Serve(&contender.All()[0], strings.NewReader("sing\n"), &bytes.Buffer{})
	if err == nil || !strings.Contains(err.Error(), `"sing"`) {
		t.Errorf("error = %v, want one that names the command", err)
	}
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
