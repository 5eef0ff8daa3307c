#!/usr/bin/env node
// Runs what CI runs: `npm test`, the other front end, Redis Cluster, pages in a browser, the image, load, a minute of
// fuzzing and one of chaos, the documentation site, and the repository checks. The last line is `N passed, N failed` over all.
//
//   node scripts/check.mjs [--rules-only]
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readCommandLine } from './command-line.mjs'
import { replay, replayWithRedis } from './replays.mjs'
import { bin, root, Steps } from './steps.mjs'

const { values } = readCommandLine({
  usage: `
Usage: npm run check [-- --rules-only]

Runs what CI runs: npm test, the recorded suites on the front end node:http, the suites of the store on two workers
and on a Redis Cluster, pages in a browser, the Docker image and load (the project "ci" of vitest.config.ts), a minute of fuzzing,
a minute of chaos, npm run docs, then the repository checks (scripts/repository-checks, knip).

  --rules-only  only the repository checks, which need a build
  --help        print this help

Ends with a line "N passed, N failed" over all. Exit codes: 0 fine, 1 something failed, 2 wrong use.`,
  options: { 'rules-only': { type: 'boolean' } },
})

const node = process.execPath
const steps = new Steps()
if (values['rules-only'] !== true) {
  await steps.counted('npm test', node, ['scripts/test.mjs'])
  await replay(steps, 'node:http, LMDB', ['--front-end', 'node'])
  await replay(steps, 'two workers, LMDB', ['--workers', '2', '--store-suites'])
  await replayWithRedis(steps, 'redis-cluster', ['--store-suites', '--front-end', 'node'])
  await steps.vitest('pages in a browser, image, load', ['--project', 'ci'])
  await steps.step('fuzzing, 60 s', node, ['scripts/fuzz.mjs', '--seconds', '60'])
  await steps.vitest('chaos, 60 s', ['packages/turnpike/test/chaos.test.ts'], { TURNPIKE_CHAOS_SECONDS: '30' })
  await steps.step('documentation site', node, [join('scripts', 'docs.mjs')])
}
const checks = readdirSync(join(root, 'scripts', 'repository-checks')).filter((file) => /^[a-z].*\.mjs$/.test(file))
for (const file of checks) await steps.step(`check: ${file}`, node, [join('scripts', 'repository-checks', file)])
await steps.step('check: knip', bin('knip'), ['--no-progress'])
steps.finish()
