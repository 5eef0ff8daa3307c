#!/usr/bin/env node
// The `turnpike` command; its source is src/cli/main.ts.
import { main } from '../dist/cli/main.js'
import { processIo } from '../dist/cli/process-io.js'

process.exitCode = await main(process.argv.slice(2), processIo())
