#!/usr/bin/env node
// Writes the software bill of materials of the package `turnpike` in the format CycloneDX 1.6: every package that
// `npm install turnpike` brings, with its version, license and SHA-512, and which package needs which. Part of the build.
//
//   node scripts/sbom.mjs [--out FILE]
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from './command-line.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { values } = readCommandLine({
  usage: `
Usage: node scripts/sbom.mjs [--out FILE]

Writes the software bill of materials of the package turnpike (CycloneDX 1.6, JSON) from pnpm-lock.yaml.

  --out FILE  default: dist/sbom.cdx.json
  --help      print this help

Exit codes: 0 fine, 2 wrong use.`,
  options: { out: { type: 'string' } },
})
const out = resolve(values.out ?? join(root, 'dist', 'sbom.cdx.json'))
const { load: parse } = createRequire(join(root, 'packages', 'core', 'package.json'))('js-yaml')
const lockText = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')
const lock = parse(lockText)

const components = new Map()
const dependencies = new Map()
const main = addOwn('packages/turnpike')
components.delete(main['bom-ref'])
mkdirSync(dirname(out), { recursive: true })
writeFileSync(out, `${JSON.stringify(documentOf(main), null, 2)}\n`)

/** Adds a package of this repository with everything that it needs. Returns its component. */
function addOwn(folder) {
  const {
    name,
    version,
    description,
    license,
    dependencies: wanted = {},
  } = readJson(join(root, folder, 'package.json'))
  const ref = purlOf(name, version)
  const component = {
    type: 'library',
    'bom-ref': ref,
    name,
    version,
    description,
    purl: ref,
    licenses: licensesOf(license),
  }
  if (components.has(ref)) return component
  components.set(ref, component)
  const { dependencies: needed = {} } = lock.importers[folder]
  dependencies.set(ref, [])
  for (const [dependency, { version: locked }] of Object.entries(needed)) {
    // The lock file has optional peer dependencies as well, which npm does not install.
    if (wanted[dependency] === undefined) continue
    const isOwn = locked.startsWith('link:')
    const added = isOwn
      ? addOwn(join(folder, locked.slice('link:'.length)).replaceAll('\\', '/'))
      : addLocked(keyOf(dependency, locked))
    dependencies.get(ref).push(added['bom-ref'])
  }
  return component
}

/** Adds a package of the registry. `key` is its name in the lock file, with the versions of its peers. */
function addLocked(key) {
  const plain = key.replace(/\(.*$/, '')
  const at = plain.lastIndexOf('@')
  const [name, version] = [plain.slice(0, at), plain.slice(at + 1)]
  const ref = purlOf(name, version)
  if (components.has(ref)) return components.get(ref)
  const [algorithm, digest] = lock.packages[plain].resolution.integrity.split('-')
  if (algorithm !== 'sha512') throw new Error(`${plain} has no SHA-512 in pnpm-lock.yaml`)
  const hashes = [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }]
  const manifest = join(root, 'node_modules', '.pnpm', 'node_modules', name, 'package.json')
  const licenses = existsSync(manifest) ? licensesOf(readJson(manifest).license) : []
  const component = { type: 'library', 'bom-ref': ref, name, version, purl: ref, hashes, licenses }
  components.set(ref, component)
  const { dependencies: needed = {}, optionalDependencies: optional = {} } = lock.snapshots[key]
  const needs = Object.entries({ ...needed, ...optional }).map(
    ([each, locked]) => addLocked(keyOf(each, locked))['bom-ref'],
  )
  dependencies.set(ref, [...(dependencies.get(ref) ?? []), ...needs])
  return component
}

/** The lock file writes an alias (`npm:other@1`) as the name and version of the other package. */
function keyOf(name, locked) {
  return /^\d/.test(locked) ? `${name}@${locked}` : locked
}

function purlOf(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

function licensesOf(license) {
  if (typeof license !== 'string') return []
  return /[ ()]/.test(license) ? [{ expression: license }] : [{ license: { id: license } }]
}

function documentOf(component) {
  const digest = createHash('sha256').update(lockText).update(component['bom-ref']).digest('hex')
  const uuid = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-4${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`
  const byRef = ([a], [b]) => (a < b ? -1 : 1)
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuid}`,
    version: 1,
    metadata: { component: { ...component, type: 'application' } },
    components: [...components].sort(byRef).map(([, each]) => each),
    dependencies: [...dependencies].sort(byRef).map(([ref, needs]) => ({ ref, dependsOn: [...new Set(needs)].sort() })),
  }
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
