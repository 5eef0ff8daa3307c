#!/usr/bin/env node
// Checks that no registry host and no absolute path of a machine is committed.
import { projectFiles, read, report } from './_files.mjs'

const forbidden = [/registry\.npmjs\.org/, /\/work\/(main|shared)\b/, /\/home\/[a-z]+\//, /\/root\/\w/, /\/Users\/\w/]
const problems = []
for (const file of projectFiles()) {
  if (file === 'scripts/repository-checks/no-private-names.mjs' || /\.(png|mdb|ico)$/.test(file)) continue
  const lines = read(file).split('\n')
  lines.forEach((line, i) => {
    for (const pattern of forbidden) if (pattern.test(line)) problems.push(`${file}:${i + 1}: ${pattern} found`)
  })
}
report('no private names', problems)
