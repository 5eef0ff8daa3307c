#!/usr/bin/env node
// Checks that no source file has more than 400 lines and nine of ten have fewer than 250.
import { projectFiles, read, report } from './_files.mjs'

const sources = projectFiles().filter(
  (file) => /^(packages|benchmarks)\/.*\/?src\/.*\.ts$/.test(file) && !file.endsWith('.test.ts'),
)
const sizes = sources.map((file) => ({ file, lines: read(file).split('\n').length })).sort((a, b) => b.lines - a.lines)
const problems = sizes
  .filter(({ lines }) => lines > 400)
  .map(({ file, lines }) => `${file}: ${lines} lines, the most is 400`)
const large = sizes.filter(({ lines }) => lines > 250)
if (large.length > sizes.length / 10) {
  for (const { file, lines } of large) problems.push(`${file}: ${lines} lines, and over a tenth of the files pass 250`)
}
report('file size', problems)
