#!/usr/bin/env node
// Checks every package as it is published: packs it, and examines the tarball with publint and @arethetypeswrong/core in
// all modes of module resolution. Also checks its metadata and that it contains a license, a description and no sources.
// Needs a build.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { manifestOf, packPackages, publishedPackages } from '../pack.mjs'
import { report, root } from './_files.mjs'

const repository = 'git+https://github.com/turnpike-gateway/turnpike.git'
const problems = []

for (const name of publishedPackages()) {
  for (const [subpath, targets] of Object.entries(manifestOf(name).exports)) {
    for (const [condition, target] of typeof targets === 'string' ? [['default', targets]] : Object.entries(targets)) {
      if (!target.includes('*') && !existsSync(join(root, 'packages', name, target))) {
        problems.push(`packages/${name} ${subpath} (${condition}): ${target} does not exist`)
      }
    }
  }
}
const folder = mkdtempSync(join(tmpdir(), 'turnpike-packed-'))
try {
  for (const [name, tarball] of await packPackages(publishedPackages(), folder)) {
    const data = readFileSync(tarball)
    for (const problem of await problemsOf(name, data)) problems.push(`packages/${name}: ${problem}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
report('published packages', problems)

async function problemsOf(name, data) {
  const unpacked = createPackageFromTarballData(new Uint8Array(data))
  const files = unpacked.listFiles().map((path) => path.slice(`/node_modules/${unpacked.packageName}/`.length))
  const manifest = JSON.parse(unpacked.readFile(`/node_modules/${unpacked.packageName}/package.json`))
  const tarball = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)
  const { messages } = await publint({ pack: { tarball }, level: 'suggestion', strict: true })
  return [
    ...messages.map((message) => `publint: ${formatMessage(message, manifest)}`),
    ...(await typeProblems(unpacked, manifest, files)),
    ...metadataProblems(name, manifest),
    ...['LICENSE', 'README.md'].filter((file) => !files.includes(file)).map((file) => `contains no ${file}`),
    ...files
      .filter((file) => /\.map$|\.test\.|(?<!\.d)\.[cm]?ts$|tsbuildinfo/.test(file))
      .map((file) => `contains ${file}`),
  ]
}

/** Problems of types and modules that a program meets when it imports or requires an entry point. */
async function typeProblems(unpacked, manifest, files) {
  // A pattern is an entry point for each file that matches it. Only JSON files have a pattern without conditions.
  const includeEntrypoints = Object.entries(manifest.exports)
    .filter(([subpath, targets]) => subpath.includes('*') && typeof targets !== 'string')
    .flatMap(
      ([
        subpath,
        {
          import: { default: target },
        },
      ]) => {
        const [start, end] = target.slice('./'.length).split('*')
        const fitting = files.filter(
          (file) => file.startsWith(start) && file.endsWith(end) && !file.slice(start.length).includes('/'),
        )
        return fitting.map((file) => subpath.replace('*', file.slice(start.length, -end.length)))
      },
    )
  const { types, problems = [] } = await checkPackage(unpacked, { includeEntrypoints })
  if (types === false) return ['arethetypeswrong: contains no types']
  return problems.map(({ kind, entrypoint, resolutionKind, ...more }) => {
    const where = entrypoint === undefined ? JSON.stringify(more) : `${entrypoint} (${resolutionKind})`
    return `arethetypeswrong: ${kind} ${where}`
  })
}

function metadataProblems(name, manifest) {
  const required = [
    'description',
    'keywords',
    'homepage',
    'bugs',
    'license',
    'author',
    'sideEffects',
    'engines',
    'type',
  ]
  const missing = required
    .filter((field) => manifest[field] === undefined)
    .map((field) => `package.json has no ${field}`)
  const { url, directory } = manifest.repository ?? {}
  if (url !== repository || directory !== `packages/${name}`)
    missing.push(`repository is not ${repository}, packages/${name}`)
  const { access, provenance } = manifest.publishConfig ?? {}
  if (access !== 'public' || provenance !== true) missing.push('publishConfig is not public with provenance')
  const needed = Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies })
  for (const [dependency, range] of needed) {
    if (range.startsWith('workspace:')) missing.push(`${dependency} has the version ${range}`)
  }
  return missing
}
