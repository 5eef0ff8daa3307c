#!/usr/bin/env node
// Packs `turnpike` with the packages that it depends on, and installs the tarballs with npm into a folder, as a user's
// project would have them.
//
//   node scripts/install-packed.mjs [--uws] FOLDER
//
// The folder is created, or must be empty. The packages must be built (npm run build).
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from './command-line.mjs'
import { pinnedPnpm } from './pnpm.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { values, positionals } = readCommandLine({
  usage: `
Usage: node scripts/install-packed.mjs [--uws] FOLDER

Packs turnpike with the packages that it depends on, and installs the tarballs with npm into FOLDER, which must be
empty or missing. Run "npm run build" before.

  --uws   install uWebSockets.js too; npm leaves it out on Node 20, since it is optional and declares Node 22
  --help  print this help

Exit codes: 0 fine, 1 something failed, 2 wrong use.`,
  positionals: true,
  options: { uws: { type: 'boolean', default: false } },
})
if (positionals.length !== 1) {
  console.error('error: name one folder')
  process.exit(2)
}
const folder = resolve(positionals[0])
if (existsSync(folder) && readdirSync(folder).length > 0) {
  console.error(`error: ${folder} is not empty`)
  process.exit(2)
}
mkdirSync(folder, { recursive: true })

const manifestOf = (name) => JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
const dependencies = values.uws ? { ...manifestOf('adapters').optionalDependencies } : {}
for (const name of closureOf('turnpike')) dependencies[manifestOf(name).name] = `file:${pack(name)}`
writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }, null, 2))
run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], folder)

/** Folder names of a package and of the packages of this repository that it depends on. */
function closureOf(name, found = new Set()) {
  if (found.has(name)) return found
  found.add(name)
  for (const dependency of Object.keys(manifestOf(name).dependencies ?? {})) {
    if (dependency.startsWith('@turnpike/')) closureOf(dependency.slice('@turnpike/'.length), found)
  }
  return found
}

/** pnpm replaces `workspace:*` by the version. Returns the path of the tarball, relative to the folder. */
function pack(name) {
  const [command, first] = pinnedPnpm()
  const out = run(command, [...first, 'pack', '--json', '--pack-destination', folder], join(root, 'packages', name))
  return JSON.parse(out).filename.replace(`${folder}/`, '')
}

function run(command, args, cwd) {
  const { status, error, stdout } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (error === undefined && status === 0) return stdout
  console.error(`${command} ${args.join(' ')} failed in ${cwd}${error === undefined ? '' : `: ${error.message}`}`)
  process.exit(1)
}
