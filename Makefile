# Every task of the project. `make` or `make help` lists them.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:

# Tools live in .tmp/bin at these versions and nowhere else.
GOLANGCI_LINT_VERSION := v2.15.0
LITESTREAM_VERSION := v0.5.18
BENCHSTAT_VERSION := v0.0.0-20260908200009-22c9c6c9d4da
BIN := $(CURDIR)/.tmp/bin
GOLANGCI_LINT := $(BIN)/golangci-lint-$(GOLANGCI_LINT_VERSION)
BENCHSTAT := $(BIN)/benchstat-$(BENCHSTAT_VERSION)

API_DIR ?= docs/api
BENCH_BASE ?= .tmp/bench-base.txt
BENCH_COUNT ?= 10
COVER_MIN ?= 90
FUZZ ?= .
FUZZTIME ?= 60s
SCALE ?= 10000,100000,1000000,10000000
TROVE_SOAK ?= 2m
TROVE_TEST_WORLDS ?= 10000

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: all
all: lint test generated ## What a change must pass: lint, tests, generated files

# What serves requests, or is shared by them. In all other packages the tests of one function run alone, and what they
# test runs under the detector below these. Of internal/spec, each of which links everything, those that start goroutines.
RACE_OF = ./access/... ./admin ./examples/hoard ./internal/check ./internal/codec ./internal/invoke ./internal/memory \
	./internal/serve ./internal/txn ./internal/untyped ./mcp ./middleware ./operation ./operation/observe ./resource \
	./store/memory ./store/sqlstore/... ./store/storetest \
	$(shell grep -rlE --include='*_test.go' 'go func|[.]Go\b|synctest' internal/spec | xargs -n1 dirname | sed 's|^|./|' | sort -u)

# The C code of SQLite as Go, and what it calls: under the detector its tests would take four times as long. The driver
# and everything that uses it is checked.
RACE := -race '-gcflags=modernc.org/sqlite/lib=-race=false' '-gcflags=modernc.org/libc=-race=false' '-gcflags=modernc.org/libc/...=-race=false'

.PHONY: test
test: ## Run the tests in random order, with the race detector; with fewer random inputs than "go test ./..."
	go test $(RACE) -shuffle=on -short $(RACE_OF)
	go test $(RACE) -run='^TestSoak$$' ./internal/soak

.PHONY: quick
quick: ## Run the tests with fewer random inputs and no soak, in seconds
	go test -short ./...

.PHONY: cover
cover: ## Measure coverage; fail below COVER_MIN percent
	@mkdir -p .tmp
	go test -coverpkg=./... -coverprofile=.tmp/cover.out ./...
	go tool cover -func=.tmp/cover.out | awk '{ print } /^total:/ { exit $$3 + 0 < $(COVER_MIN) }'

.PHONY: lint
lint: $(GOLANGCI_LINT) ## Check format and every linter of .golangci.yml, with all checks of go vet
	$(GOLANGCI_LINT) fmt --diff
	GOGC=400 GOMEMLIMIT=6GiB $(GOLANGCI_LINT) run

.PHONY: fmt
fmt: $(GOLANGCI_LINT) ## Format the code (gofumpt, gci)
	$(GOLANGCI_LINT) fmt

.PHONY: fix
fix: $(GOLANGCI_LINT) ## Modernize and format the code
	go fix ./...
	$(GOLANGCI_LINT) fmt

.PHONY: golden
golden: ## Write the golden files anew; read the diff before you commit it
	go test $$(grep -rl --include='*_test.go' --exclude-dir=.tmp 'flag.Bool("update"' . | xargs -r dirname | sort -u) -update

.PHONY: api
api: ## Write the text of every public package's API into docs/api
	@mkdir -p $(API_DIR)
	@rm -f $(API_DIR)/*.txt
	@for dir in $$(go list -f '{{if .GoFiles}}{{.Dir}}{{end}}' ./... | grep -Ev '/(internal|examples|cmd)/'); do \
		name=$${dir#$(CURDIR)/}; go doc -all "./$$name" > "$(API_DIR)/$${name//\//_}.txt"; \
	done

.PHONY: generated
generated: ## Check that go.mod, docs/api and the exact figures of the documentation are up to date
	go mod tidy -diff
	cd bench && go run ./figures -check
	@$(MAKE) --no-print-directory api API_DIR=.tmp/api
	@diff -ru docs/api .tmp/api || { echo "docs/api is out of date: run make api"; exit 1; }

.PHONY: fuzz
fuzz: ## Run each fuzz target below FUZZ for FUZZTIME (a minute: for the night), two at a time
	@mkdir -p $(CURDIR)/.tmp/fuzz
	@grep -rlE --include='*_test.go' --exclude-dir=.tmp '^func Fuzz' $(FUZZ) | xargs -n1 dirname | sort -u | xargs -P2 -I{} bash -euc ' \
		cd "{}"; failed=0; program="$(CURDIR)/.tmp/fuzz/$$(tr / _ <<<"{}")"; go test -c -fuzz=. -o "$$program.test" .; \
		for target in $$(grep -hoE "^func Fuzz\w+" *_test.go | cut -d" " -f2); do \
			code=0; out=$$("$$program.test" -test.run="^$$" -test.fuzz="^$$target\$$" -test.parallel=1 -test.fuzztime=$(FUZZTIME) \
				-test.fuzzcachedir="$$program" 2>&1) || code=$$?; \
			echo "fuzz {} $$target: $$out"; ((code == 0)) || failed=1; \
		done; exit $$failed'

.PHONY: worlds
worlds: ## Compare the stores with an oracle in TROVE_TEST_WORLDS random worlds (10000: a night); run it with .ci/postgres for PostgreSQL
	TROVE_TEST_WORLDS=$(TROVE_TEST_WORLDS) go test -count=1 -timeout=12h -run='^TestMixedWorlds$$' ./internal/spec/access

.PHONY: soak
soak: ## Load a server with faults planted for TROVE_SOAK
	TROVE_SOAK=$(TROVE_SOAK) go test -count=1 -timeout=15m -v -run='^TestSoak$$' ./internal/soak

.PHONY: generators
generators: ## Make clients of a document with everything with five generators, and compile them
	.ci/generators all

.PHONY: backups
backups: ## Back up and restore a database of each kind while programs write, also with Litestream, which takes two minutes to build
	GOBIN=$(BIN) go install github.com/benbjohnson/litestream/cmd/litestream@$(LITESTREAM_VERSION)
	PATH="$(BIN):$$PATH" .ci/backups -v

.PHONY: memory
memory: ## Load examples/hoard on PostgreSQL for an hour; fail if it needs more than 60 MB, or loses a record
	cd bench && ../.ci/postgres go run ./soak -for 1h

.PHONY: galera
galera: ## Load two nodes of a Galera cluster of MariaDB, and kill one; it takes two minutes
	.ci/galera go test -count=1 -v -p=1 -run='^TestGalera' ./store/sqlstore/mysql ./examples/rental

.PHONY: failover
failover: ## Load two instances on PostgreSQL under Patroni, and kill, freeze and switch the primary; it takes three minutes
	.ci/failover go test -count=1 -v -run='^TestFailover' ./examples/rental

.PHONY: bench
bench: ## Measure Trove next to hand-written chi, with a hook and a middleware too; fail past the goals
	cd bench && go run . -check -rounds 10 -contenders chi,chi+hook,chi+both,trove,trove+hook,trove+both -workloads W1,W2,W3,W4,W5,W6,W7

.PHONY: scale
scale: ## Measure how requests grow with the rows of PostgreSQL, up to SCALE, next to SQL by hand; ten million take 20 minutes
	cd bench && ../.ci/postgres go run ./scale -rows $(SCALE)

.PHONY: benchstat
benchstat: $(BENCHSTAT) ## Run the benchmarks; compare with BENCH_BASE where it exists
	@mkdir -p .tmp
	go test -run='^$$' -bench=. -benchmem -count=$(BENCH_COUNT) ./... | tee .tmp/bench.txt
	$(BENCHSTAT) $$(ls $(BENCH_BASE) 2>/dev/null) .tmp/bench.txt

.PHONY: walk
walk: ## Count the files and functions that a request runs through; WALK=post or list lists them
	cd bench && go run ./walk $(if $(WALK),-list $(WALK))

.PHONY: house
house: ## Count lines, names and cases; HOUSE="-edit -tests ./..." measures builds and tests too
	cd bench && go run ./house $(HOUSE)

.PHONY: figures
figures: ## Write the exact figures of the documentation; TIMES='go run' measures times, too
	cd bench && go run ./figures $(if $(TIMES),-times '$(TIMES)')

.PHONY: examples
examples: ## Build and start the example, ask it a few things, stop it
	.ci/example

.PHONY: tools
tools: $(GOLANGCI_LINT) $(BENCHSTAT) ## Build the pinned tools into .tmp/bin

.PHONY: ci
ci: ## Run what continuous integration runs
	.ci/run

$(GOLANGCI_LINT):
	GOBIN=$(BIN) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT_VERSION)
	mv $(BIN)/golangci-lint $@

$(BENCHSTAT):
	GOBIN=$(BIN) go install golang.org/x/perf/cmd/benchstat@$(BENCHSTAT_VERSION)
	mv $(BIN)/benchstat $@
