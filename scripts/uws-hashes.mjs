#!/usr/bin/env node
// Writes packages/adapters/src/front-end-uws/uws-hashes.ts: the SHA-256 of every file of uWebSockets.js that the
// gateway loads, by platform and ABI of Node. Run it after a change of the version, whose package pnpm has verified.
//
//   node scripts/uws-hashes.mjs [--check]
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from './command-line.mjs'

const { values } = readCommandLine({
  usage: `
Usage: node scripts/uws-hashes.mjs [--check]

Writes the SHA-256 of the installed files of uWebSockets.js into packages/adapters.

  --check  only compare; exit code 1 if the list is out of date
  --help   print this help

Exit codes: 0 fine, 1 out of date, 2 wrong use.`,
  options: { check: { type: 'boolean' } },
})
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = join(root, 'node_modules', 'uWebSockets.js')
const target = join(root, 'packages', 'adapters', 'src', 'front-end-uws', 'uws-hashes.ts')

const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const binaries = readdirSync(join(folder, 'dist', 'bin')).sort()
const files = ['dist/index.mjs', 'dist/uws.mjs', ...binaries.map((file) => `dist/bin/${file}`)]
const hashOf = (file) =>
  createHash('sha256')
    .update(readFileSync(join(folder, file)))
    .digest('hex')
const text = `/**
 * SHA-256 of the files of ${name}@${version}. Like a lock file, the list is committed, because the gateway loads no other
 * files. After a change of the version, scripts/uws-hashes.mjs writes it.
 */
export const uwsVersion = '${version}'

export const uwsHashes: Readonly<Record<string, string>> = {
${files.map((file) => `  '${file}': '${hashOf(file)}',`).join('\n')}
}
`
if (values.check !== true) writeFileSync(target, text)
else if (readFileSync(target, 'utf8') !== text) {
  console.error(`the list of hashes is not that of ${name}@${version}: node scripts/uws-hashes.mjs`)
  process.exit(1)
}
