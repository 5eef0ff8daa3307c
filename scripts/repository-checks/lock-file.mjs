#!/usr/bin/env node
// Checks that each package of the lock files comes from the registry and has a SHA-512, which pnpm and npm verify at
// installation, and that the list of hashes of uWebSockets.js is that of the installed package. Registries without
// signatures have no `npm audit signatures`; the hashes pin the same packages for everyone who uses the lock file.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { read, report, root } from './_files.mjs'

const problems = []
const sha512 = /^sha512-[A-Za-z0-9+/]{86}==$/
const { parse } = createRequire(join(root, 'packages', 'mgmt-api', 'package.json'))('yaml')
for (const [name, { resolution }] of Object.entries(parse(read('pnpm-lock.yaml')).packages)) {
  const members = Object.keys(resolution).join(', ')
  if (members !== 'integrity') problems.push(`pnpm-lock.yaml: ${name} is resolved by ${members}, not by the registry`)
  else if (!sha512.test(resolution.integrity)) problems.push(`pnpm-lock.yaml: ${name} has no SHA-512`)
}

const lock = JSON.parse(read('scripts/pnpm/package-lock.json'))
for (const [path, { integrity, resolved }] of Object.entries(lock.packages)) {
  if (path === '') continue
  if (resolved !== undefined) problems.push(`scripts/pnpm/package-lock.json: ${path} names a URL`)
  if (!sha512.test(integrity ?? '')) problems.push(`scripts/pnpm/package-lock.json: ${path} has no SHA-512`)
}
const { packageManager } = JSON.parse(read('package.json'))
const { version, integrity } = lock.packages['node_modules/pnpm']
const digest = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex')
if (packageManager !== `pnpm@${version}+sha512.${digest}`) {
  problems.push(
    `package.json: packageManager is not pnpm@${version}+sha512.${digest} of scripts/pnpm/package-lock.json`,
  )
}

const { status, stderr } = spawnSync(process.execPath, ['scripts/uws-hashes.mjs', '--check'], { cwd: root })
if (status !== 0) problems.push(stderr.toString().trim())
report('pinned packages', problems)
