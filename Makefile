# Headroom. `make run` and `make test` work on a fresh machine; `make help` lists the rest.
.DEFAULT_GOAL := help
.PHONY: help run test dev check dist bench screenshot clean

help: ## List the commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | while IFS=$$(printf '\t') read -r name what; do printf '  make %-11s %s\n' "$$name" "$$what"; done

run: ## Install what is missing, build, serve at http://127.0.0.1:8080 until Ctrl-C
	@scripts/run.sh

test: ## Install what is missing, then every check and every test, browser included
	@scripts/test.sh

dev: ## Build for development and rebuild on every change, with live reload
	@scripts/dev.sh

check: ## Format, lints, docs, and the tests that need no browser
	@scripts/check.sh

dist: ## Build dist/: any static host can serve it, under any path
	@scripts/dist.sh

bench: ## Measure the engine against its peers
	@scripts/bench.sh

screenshot: ## Take docs/screenshot.png again
	@scripts/screenshot.sh

clean: ## Remove what was built here (shared tools stay)
	@rm -rf target dist tests/e2e/node_modules tests/e2e/out
