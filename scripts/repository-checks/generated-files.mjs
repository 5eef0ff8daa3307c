#!/usr/bin/env node
// Checks that no generated file is committed, except pages of docs/, which people read on the forge. The build writes all
// others (scripts/generate.mjs) into folders that git ignores.
import { projectFiles, read, report } from './_files.mjs'
import { isGenerated } from './_generated.mjs'

const problems = projectFiles()
  .filter((file) => !file.startsWith('docs/') && isGenerated(file, read(file)))
  .map((file) => `${file} is generated: let scripts/generate.mjs write it, into a folder that .gitignore names`)
report('generated files', problems)
