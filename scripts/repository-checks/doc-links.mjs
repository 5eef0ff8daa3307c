#!/usr/bin/env node
// Every relative link in a Markdown file leads somewhere.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { projectFiles, read, report, root } from './_files.mjs'

const problems = []
for (const file of projectFiles().filter((name) => name.endsWith('.md'))) {
  for (const [, target] of read(file).matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^(https?:|mailto:|#)/.test(target)) continue
    const path = join(root, dirname(file), target.split('#')[0])
    if (!existsSync(path)) problems.push(`${file}: ${target} leads nowhere`)
  }
}
report('links in documents', problems)
