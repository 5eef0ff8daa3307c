#!/usr/bin/env node
// The `turnpike` command; its source is src/cli/main.ts.
import { existsSync, readdirSync, statSync } from 'node:fs'
import module from 'node:module'

// Node 22 and later keep the compiled code of modules between starts.
module.enableCompileCache?.()
const folder = hasFreshBundle() ? '../dist/bundle' : '../dist/cli'
const [{ main }, { processIo }] = await Promise.all([import(`${folder}/main.js`), import(`${folder}/process-io.js`)])

const io = processIo()
process.exitCode = await main(process.argv.slice(2), io)
// Unread output would keep the process alive after the gateway has stopped.
if (io.wasStopped()) setTimeout(() => process.exit(), 1000).unref()

/** In the repository, a build of any package makes the bundle of scripts/bundle.mjs stale. Installed packages have no build stamps. */
function hasFreshBundle() {
  const bundle = new URL('../dist/bundle/main.js', import.meta.url)
  if (!existsSync(bundle)) return false
  if (!existsSync(new URL('../dist/.tsbuildinfo', import.meta.url))) return true
  const { mtimeMs } = statSync(bundle)
  const packages = new URL('../..', import.meta.url)
  return readdirSync(packages).every((name) => {
    const stamp = new URL(`${name}/dist/.tsbuildinfo`, packages)
    return (statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0) < mtimeMs
  })
}
