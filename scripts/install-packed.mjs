#!/usr/bin/env node
// Packs `turnpike` with the packages that it depends on, and installs the tarballs with npm into a folder, as a user's
// project would have them. Prints what the installation takes. `npm run install-into -- FOLDER` builds before.
//
//   node scripts/install-packed.mjs [--all | --package NAME…] FOLDER
//
// The folder is created, or must be empty or a project with a package.json. The packages must be built (npm run build).
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from './command-line.mjs'
import { closureOf, manifestOf, packPackages, publishedPackages } from './pack.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { values, positionals } = readCommandLine({
  usage: `
Usage: node scripts/install-packed.mjs [--all | --package NAME…] FOLDER

Packs turnpike with the packages that it depends on, and installs the tarballs with npm into FOLDER: a new or empty one,
or a project with a package.json, which keeps its other dependencies. Prints the number and the bytes of the installed
files. "npm run install-into -- FOLDER" builds before.

  --all   install all packages of this repository, with the peer dependencies of their entry points
  --package NAME  folder name of a package to install instead of turnpike; may be repeated
  --help  print this help

Exit codes: 0 fine, 1 something failed, 2 wrong use.`,
  positionals: true,
  options: {
    all: { type: 'boolean', default: false },
    package: { type: 'string', multiple: true, default: ['turnpike'] },
  },
})
if (positionals.length !== 1) {
  console.error('error: name one folder')
  process.exit(2)
}
const folder = resolve(positionals[0])
const manifest = join(folder, 'package.json')
if (existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(manifest)) {
  console.error(`error: ${folder} is not empty and has no package.json; make it a project with: npm init -y`)
  process.exit(2)
}
const tarballs = join(folder, 'turnpike-packages')
mkdirSync(tarballs, { recursive: true })

/** Packages of the registry in the versions of this repository. */
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const { vitest } = devDependencies
const { ioredis, 'ioredis-mock': redisMock } = manifestOf('cluster-sim').devDependencies
const dependencies = values.all ? { vitest, ioredis, 'ioredis-mock': redisMock } : {}
const unknown = values.package.find((name) => !publishedPackages().includes(name))
if (unknown !== undefined) {
  console.error(`error: there is no package ${unknown}; the packages are: ${publishedPackages().join(', ')}`)
  process.exit(2)
}
const chosen = new Set(values.package.flatMap((name) => [...closureOf(name)]))
const packed = await packPackages(values.all ? publishedPackages() : chosen, tarballs)
for (const [name, tarball] of packed)
  dependencies[manifestOf(name).name] = `file:turnpike-packages/${basename(tarball)}`
// ioredis-mock works with this version of ioredis, and its types declare an older one.
const overrides = values.all ? { 'ioredis-mock': { ioredis }, '@types/ioredis-mock': { ioredis } } : {}
const own = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : { private: true }
const merged = { ...own, dependencies: { ...own.dependencies, ...dependencies } }
if (values.all) merged.overrides = { ...own.overrides, ...overrides }
writeFileSync(manifest, `${JSON.stringify(merged, null, 2)}\n`)
install()
const sizes = fileSizes(join(folder, 'node_modules'))
const bytes = sizes.reduce((sum, size) => sum + size, 0)
console.log(`${sizes.length} files, ${bytes} bytes (${(bytes / 1e6).toFixed(1)} MB)`)

function install() {
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  const { status, error } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  if (error === undefined && status === 0) return
  console.error(`npm ${args.join(' ')} failed in ${folder}${error === undefined ? '' : `: ${error.message}`}`)
  process.exit(1)
}

function fileSizes(path) {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath ?? entry.path, entry.name)).size)
}
