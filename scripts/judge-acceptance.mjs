#!/usr/bin/env node
// Builds, then runs the long forms of the acceptance tests of `judge`: packages/judge/test.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from './command-line.mjs'

readCommandLine({
  usage: `
Usage: npm run judge-acceptance

Builds, then judges gateways that others have written (nginx, HAProxy, @fastify/rate-limit, and Traefik if it is
installed), Turnpike with each of its limiters, and the gateways of the testkit with each of their seeded bugs. Takes
about 20 minutes; npm test runs a short form. It has no options.

Exit codes: 0 fine, 1 something failed, 2 wrong use.`,
})

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const run = (args) =>
  spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, TURNPIKE_JUDGE_LONG: '1' } })
const built = run([join('scripts', 'setup.mjs'), '--build'])
if (built.status !== 0) process.exit(1)
const tests = ['packages/judge/test/acceptance.test.ts', 'packages/judge/test/seeded-bugs.test.ts']
const { status } = run([join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...tests, '--reporter=default'])
process.exit(status === 0 ? 0 : 1)
