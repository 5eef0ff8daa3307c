#!/usr/bin/env node
// Writes the rows of docs/errors.md from the built table of errors, keeping what is said in its last column.
//
//   node scripts/errors-page.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rejections } from '../packages/core/dist/errors.js'

const page = join(dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'errors.md')
const text = readFileSync(page, 'utf8')
const said = new Map([...text.matchAll(/^\| `([\w-]+)` \| .* \| (.*) \|$/gm)].map(([, code, note]) => [code, note]))
const start = text.indexOf('| code |')
const rows = Object.values(rejections).map(
  ({ code, status, message, source }) =>
    `| \`${code}\` | ${status} | ${message.trimEnd()} | ${source} | ${said.get(code) ?? ''} |`,
)
const table = ['| code | status | what the client is told | source | when |', '|---|---|---|---|---|', ...rows].join(
  '\n',
)
writeFileSync(page, `${text.slice(0, start)}${table}\n`)
