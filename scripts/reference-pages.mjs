#!/usr/bin/env node
// Generates the pages of docs/reference/generated from the built packages. A test fails if one is outdated.
//
//   npm run build && node scripts/reference-pages.mjs
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatedFolder, referencePages } from './reference/pages.mjs'

// Commander fits the help text to a terminal; the pages have its default width.
process.stdout.isTTY = false
const pages = await referencePages((file) => import(`../packages/${file.replace('/src/', '/dist/')}.js`))
mkdirSync(generatedFolder, { recursive: true })
for (const [name, text] of Object.entries(pages)) writeFileSync(join(generatedFolder, name), text)
