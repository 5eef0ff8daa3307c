#!/usr/bin/env node
// Generates docs/performance.md from benchmark results. Several files are merged in the given order. Parts that none of
// them measured keep their rows and the date of their last run.
//
//   npm run bench && node scripts/performance-page.mjs [RESULTS.json …]
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMeasured, root, writeDocument } from './bench/measured-page.mjs'
import { beforeAfterFile, performancePage } from './performance/page.mjs'

const named = process.argv.slice(2)
const files = named.length > 0 ? named : [join(root, 'benchmarks', 'results', 'latest.json')]
const results = files.map((file) => JSON.parse(readFileSync(file, 'utf8')))
const text = readFileSync(join(root, 'docs', 'performance.md'), 'utf8')
writeDocument('docs/performance.md', performancePage(text, results, readMeasured(beforeAfterFile)))
