#!/usr/bin/env node
// The `turnpike` command; its source is src/cli/main.ts.
import module from 'node:module'

// From Node 22 on, compiled code is kept between starts; older versions do without.
module.enableCompileCache?.()
const [{ main }, { processIo }] = await Promise.all([
  import('../dist/cli/main.js'),
  import('../dist/cli/process-io.js'),
])

process.exitCode = await main(process.argv.slice(2), processIo())
