#!/usr/bin/env node
// The `turnpike` command; its source is src/cli/main.ts.
import module from 'node:module'

// From Node 22 on, compiled code is kept between starts; older versions do without.
module.enableCompileCache?.()
const [{ main }, { processIo }] = await Promise.all([
  import('../dist/cli/main.js'),
  import('../dist/cli/process-io.js'),
])

const io = processIo()
process.exitCode = await main(process.argv.slice(2), io)
// Output that nobody takes would keep a stopped gateway for ever.
if (io.wasStopped()) setTimeout(() => process.exit(), 1000).unref()
