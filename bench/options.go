package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/trove-api/trove/bench/contender"
	"github.com/trove-api/trove/bench/goal"
	"github.com/trove-api/trove/bench/workload"
)

// options holds the values of the flags.
type options struct {
	rounds     int
	contenders []contender.Contender
	workloads  []workload.Workload
	check      bool
	profile    string
	sockets    bool
	startup    bool
	relations  bool
	formats    bool
	serve      *contender.Contender // nil but in a child process
}

func parse(args []string) (o *options, err error) {
	o = &options{}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.IntVar(&o.rounds, "rounds", 6, "how often everything is measured")
	contenders := flags.String("contenders", "", "names of contenders, separated by commas (default: all)")
	workloads := flags.String("workloads", "", "names of workloads, separated by commas (default: all; W1, W2 and W3 over sockets)")
	flags.BoolVar(&o.check, "check", false, "fail where Trove is past its goals")
	flags.StringVar(&o.profile, "cpuprofile", "", "write a CPU profile of what is measured in this process to a file")
	flags.BoolVar(&o.sockets, "sockets", false, "measure over sockets instead of in this process")
	flags.BoolVar(&o.startup, "startup", false, "measure programs of fifty resources from their start instead")
	flags.BoolVar(&o.relations, "relations", false, "measure pages of records that refer to others instead, in PostgreSQL too if TROVE_TEST_POSTGRES is its DSN")
	flags.BoolVar(&o.formats, "formats", false, "measure pages in each format instead")
	serve := flags.String("serve", "", "serve a contender, on behalf of -sockets")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if *workloads == "" && o.sockets {
		*workloads = "W1,W2,W3"
	}
	if o.contenders, err = chosen(contender.All(), func(c contender.Contender) string { return c.Name }, *contenders); err != nil {
		return nil, err
	}
	if o.workloads, err = chosen(workload.All(), func(w workload.Workload) string { return w.Name }, *workloads); err != nil {
		return nil, err
	}
	if *serve != "" {
		served, err := chosen(contender.All(), func(c contender.Contender) string { return c.Name }, *serve)
		if err != nil {
			return nil, err
		}
		o.serve = &served[0]
	}
	return o, o.valid()
}

// valid returns an error for flags that cannot be combined.
func (o *options) valid() error {
	isChecked := func(c contender.Contender) bool {
		return goal.Has(c.Name) && slices.ContainsFunc(o.contenders, func(other contender.Contender) bool { return other.Name == c.Reference() })
	}
	switch {
	case o.rounds < 1:
		return errors.New("-rounds must be 1 or more")
	case o.check && (o.sockets || o.startup || o.relations || o.formats):
		return errors.New("-check is about what is measured in this process")
	case o.check && !slices.ContainsFunc(o.contenders, isChecked):
		return fmt.Errorf("-check needs a contender that has goals, and the one that it is compared with, such as %s and %s",
			contender.Trove, contender.Reference)
	}
	return nil
}

// chosen returns the elements with the listed names, or all.
func chosen[T any](all []T, name func(T) string, list string) ([]T, error) {
	if list == "" {
		return all, nil
	}
	var found []T
	for wanted := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(all, func(t T) bool { return name(t) == wanted })
		if i < 0 {
			return nil, fmt.Errorf("there is no %q", wanted)
		}
		found = append(found, all[i])
	}
	return found, nil
}
