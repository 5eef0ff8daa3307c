#!/usr/bin/env node
// The command of `npx @turnpike/judge`, which is also `turnpike judge`; its source is src/main.ts.
import { main, processIo } from '../dist/index.js'

process.exitCode = await main(process.argv.slice(2), processIo())
