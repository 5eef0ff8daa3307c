#!/usr/bin/env node
// Checks that the published JSON Schemas and the types of documents are those of the shapes. Needs a build.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { builtSources, documentFiles } from '../document-schemas.mjs'
import { read, report, root } from './_files.mjs'

const problems = Object.entries(documentFiles(await builtSources()))
  .filter(([file, text]) => !existsSync(join(root, file)) || read(file) !== text)
  .map(([file]) => `${file} is stale: npm run build && node scripts/document-schemas.mjs`)
report('JSON Schemas', problems)
