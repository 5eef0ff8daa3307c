#!/usr/bin/env node
// Builds the documentation site from docs/ into docs/.vitepress/dist.
//
//   node scripts/docs.mjs [--serve | --edit] [--base PATH]
//
// Fails on a link to a missing page or heading. Works in a fresh clone; needs no network except npm for the set-up.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from './command-line.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { values } = readCommandLine({
  usage: `
Usage: npm run docs [-- --serve | --edit] [-- --base PATH]

Builds the documentation site from docs/ into docs/.vitepress/dist. Fails on a link to a missing page or heading.

  --serve      then serve the built site on 127.0.0.1:4173
  --edit       instead serve the pages on 127.0.0.1:5173 and show changes at once
  --base PATH  address of the site on its server, such as /turnpike/; default: /
  --help       print this help

Exit codes: 0 fine, 1 something failed, 2 wrong use.`,
  options: { serve: { type: 'boolean' }, edit: { type: 'boolean' }, base: { type: 'string' } },
})

function run(title, file, args = []) {
  console.error(`── ${title}`)
  const env = { ...process.env, ...(values.base === undefined ? {} : { TURNPIKE_DOCS_BASE: values.base }) }
  const { status, error } = spawnSync(process.execPath, [file, ...args], { cwd: root, stdio: 'inherit', env })
  if (error === undefined && status === 0) return
  console.error(`${title} failed${error === undefined ? '' : `: ${error.message}`}`)
  process.exit(1)
}

run('set-up', join(root, 'scripts', 'setup.mjs'))
run('generated types', join(root, 'scripts', 'generate.mjs'))
run('library reference', join(root, 'scripts', 'docs', 'library.mjs'))
const manifest = createRequire(join(root, 'docs', 'package.json')).resolve('vitepress/package.json')
const vitepress = join(dirname(manifest), 'bin', 'vitepress.js')
const host = ['--host', '127.0.0.1']
if (values.edit === true) run('site', vitepress, ['dev', 'docs', ...host])
else {
  run('site', vitepress, ['build', 'docs'])
  console.log(`the site is in ${join('docs', '.vitepress', 'dist')}; npm run docs -- --serve shows it`)
  if (values.serve === true) run('server', vitepress, ['preview', 'docs', ...host])
}
