#!/usr/bin/env node
// Generates the rows of docs/errors.md from the built error table, and keeps the hand-written last column.
//
//   node scripts/errors-page.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rejections } from '../packages/core/dist/http/rejections.js'

const page = join(dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'errors.md')
const text = readFileSync(page, 'utf8')
const notes = new Map([...text.matchAll(/^\| `([\w-]+)` \| .* \| (.*) \|$/gm)].map(([, code, note]) => [code, note]))
const start = text.indexOf('| code |')
const rows = Object.values(rejections).map(
  ({ code, status, message, source }) =>
    `| \`${code}\` | ${status} | ${message.trimEnd()} | ${source} | ${notes.get(code) ?? ''} |`,
)
const table = ['| code | status | message to the client | source | when |', '|---|---|---|---|---|', ...rows].join('\n')
writeFileSync(page, `${text.slice(0, start)}${table}\n`)
