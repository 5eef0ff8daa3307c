#!/usr/bin/env node
// Runs what CI runs: `npm test`, the documentation site, then the repository checks. The last line is `N passed, N failed` over all.
//
//   node scripts/check.mjs [--rules-only]
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from './command-line.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { values } = readCommandLine({
  usage: `
Usage: npm run check [-- --rules-only]

Runs what CI runs: npm test, npm run docs, then the repository checks (scripts/repository-checks, knip).

  --rules-only  only the repository checks, which need a build
  --help        print this help

Ends with a line "N passed, N failed" over all. Exit codes: 0 fine, 1 something failed, 2 wrong use.`,
  options: { 'rules-only': { type: 'boolean' } },
})
const rulesOnly = values['rules-only'] === true

function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        process.stdout.write(text)
        output = (output + text).slice(-4000)
      })
    }
    child.on('error', (error) => resolve({ code: 1, output: error.message }))
    child.on('close', (code) => resolve({ code, output }))
  })
}

let passed = 0
let failed = 0
const broken = []
if (!rulesOnly) {
  const { code, output } = await run(process.execPath, ['scripts/test.mjs'])
  const last = /(\d+) passed, (\d+) failed\s*$/.exec(output)
  passed += Number(last?.[1] ?? 0)
  failed += Math.max(Number(last?.[2] ?? 0), code === 0 ? 0 : 1)
  if (failed > 0) broken.push('npm test')
}

const rules = readdirSync(join(root, 'scripts', 'repository-checks')).filter(
  (file) => file.endsWith('.mjs') && !file.startsWith('_'),
)
const commands = [
  ...(rulesOnly ? [] : [['documentation site', process.execPath, [join('scripts', 'docs.mjs')]]]),
  ...rules.map((file) => [file, process.execPath, [join('scripts', 'repository-checks', file)]]),
  ['knip', join(root, 'node_modules', '.bin', 'knip'), ['--no-progress']],
]
for (const [title, command, args] of commands) {
  console.log(`\n── check: ${title}`)
  const { code } = await run(command, args)
  if (code === 0) passed++
  else {
    failed++
    broken.push(title)
  }
}
if (broken.length > 0) console.log(`\nfailed in: ${broken.join('; ')}`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
