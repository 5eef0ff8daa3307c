#!/usr/bin/env node
// The `turnpike` command; its source is src/cli/main.ts.
import { existsSync, readdirSync, statSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

// From Node 22 on, compiled code of modules is kept between starts; older versions do without.
module.enableCompileCache?.()
const { main, processIo } = startsGateway() && hasFreshBundle() ? await loadBundle() : await loadModules()

const io = processIo()
process.exitCode = await main(process.argv.slice(2), io)
// Output that nobody takes would keep a stopped gateway for ever.
if (io.wasStopped()) setTimeout(() => process.exit(), 1000).unref()

/** Other commands load modules of their callers, which must meet the same copy of each package as the command does. */
function startsGateway() {
  const command = process.argv[2] ?? 'start'
  // With source maps, stack traces are to tell lines of the source, which only modules can.
  return (command === 'start' || command.startsWith('-')) && process.sourceMapsEnabled !== true
}

/** Whether scripts/bundle.mjs ran after the last build of each package; installed packages come without a bundle. */
function hasFreshBundle() {
  const made = new URL('../dist/bundle/start.js', import.meta.url)
  if (!existsSync(made)) return false
  const { mtimeMs } = statSync(made)
  const packages = new URL('../..', import.meta.url)
  return readdirSync(packages).every((name) => {
    const stamp = new URL(`${name}/dist/.tsbuildinfo`, packages)
    return (statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0) < mtimeMs
  })
}

async function loadBundle() {
  const { loadBundle } = await import('../dist/cli/load-bundle.js')
  return loadBundle(fileURLToPath(new URL('../dist/bundle', import.meta.url)))
}

async function loadModules() {
  const [{ main }, { processIo }] = await Promise.all([
    import('../dist/cli/main.js'),
    import('../dist/cli/process-io.js'),
  ])
  return { main, processIo }
}
