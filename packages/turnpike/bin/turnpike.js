#!/usr/bin/env node
// The `turnpike` command; its source is src/cli/main.ts.
import { existsSync, readdirSync, statSync } from 'node:fs'
import module from 'node:module'

// From Node 22 on, compiled code is kept between starts; older versions do without.
module.enableCompileCache?.()
const folder = startsGateway() && hasFreshBundle() ? '../dist/bundle' : '../dist/cli'
const [{ main }, { processIo }] = await Promise.all([import(`${folder}/main.js`), import(`${folder}/process-io.js`)])

const io = processIo()
process.exitCode = await main(process.argv.slice(2), io)
// Output that nobody takes would keep a stopped gateway for ever.
if (io.wasStopped()) setTimeout(() => process.exit(), 1000).unref()

/** Other commands load modules of their callers, which must meet the same copy of each package as the command does. */
function startsGateway() {
  const command = process.argv[2] ?? 'start'
  return command === 'start' || command.startsWith('-')
}

/** Whether scripts/bundle.mjs ran after the last build of each package; installed packages come without a bundle. */
function hasFreshBundle() {
  const made = new URL('../dist/bundle/main.js', import.meta.url)
  if (!existsSync(made)) return false
  const { mtimeMs } = statSync(made)
  const packages = new URL('../../', import.meta.url)
  return readdirSync(packages).every((name) => {
    const stamp = new URL(`${name}/dist/.tsbuildinfo`, packages)
    return (statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0) < mtimeMs
  })
}
