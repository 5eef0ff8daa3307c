#!/usr/bin/env node
// Checks that each package of the lock files comes from the registry and has a SHA-512, which pnpm and npm verify at
// installation, that no setting turns this off, and that the list of hashes of uWebSockets.js is that of the installed
// package. This replaces `npm audit signatures`, because not every registry has signatures: the hashes pin the same
// packages for everyone who uses the lock file.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { npmLockProblems, pnpmLockProblems, workspaceProblems } from '../lock-file-problems.mjs'
import { read, report, root } from './_files.mjs'

const { load: parse } = createRequire(join(root, 'packages', 'core', 'package.json'))('js-yaml')
const problems = [
  ...pnpmLockProblems(parse(read('pnpm-lock.yaml'))),
  ...npmLockProblems(
    JSON.parse(read('scripts/pnpm/package-lock.json')),
    JSON.parse(read('package.json')).packageManager,
  ),
  ...workspaceProblems(parse(read('pnpm-workspace.yaml'))),
]
if (existsSync(join(root, '.npmrc'))) problems.push('.npmrc: settings of pnpm belong into pnpm-workspace.yaml')

const { status, stderr } = spawnSync(process.execPath, ['scripts/uws-hashes.mjs', '--check'], { cwd: root })
if (status !== 0) problems.push(stderr.toString().trim())
report('pinned packages', problems)
