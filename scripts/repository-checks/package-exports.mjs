#!/usr/bin/env node
// Checks that the exports of each package exist after the build and pass publint.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { read, report, root } from './_files.mjs'

const problems = []
for (const name of readdirSync(join(root, 'packages'))) {
  const folder = join('packages', name)
  if (!existsSync(join(root, folder, 'package.json'))) continue
  const manifest = JSON.parse(read(join(folder, 'package.json')))
  for (const [subpath, targets] of Object.entries(manifest.exports ?? {})) {
    for (const [condition, target] of Object.entries(targets)) {
      if (!target.includes('*') && !existsSync(join(root, folder, target)))
        problems.push(`${folder} ${subpath} (${condition}): ${target} does not exist`)
    }
  }
  const { messages } = await publint({ pkgDir: join(root, folder), level: 'warning', pack: false })
  for (const message of messages) problems.push(`${folder}: ${formatMessage(message, manifest)}`)
}
report('package exports', problems)
