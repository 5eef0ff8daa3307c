#!/usr/bin/env node
// Generates the JSON Schemas that the package `turnpike` publishes (packages/turnpike/schemas) and the TypeScript types of
// the same documents, both from the shapes that read them. A repository check fails if the files are stale.
//
//   npx tsc -b && node scripts/document-schemas.mjs
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describedKinds, documentSchemas } from './document-schemas/schemas.mjs'
import { typesSource } from './document-schemas/types.mjs'

/** The generated files: text by path below the repository root. */
export function documentFiles(sources) {
  const files = Object.entries(documentSchemas(sources)).map(([name, schema]) => [
    `packages/turnpike/schemas/${name}`,
    `${JSON.stringify(schema, null, 2)}\n`,
  ])
  const types = ['packages/turnpike/src/gateway/generated/document-types.ts', typesSource(describedKinds(sources))]
  return Object.fromEntries([...files, types])
}

/** The modules with the shapes and the tables. Needs a build. */
export async function builtSources() {
  const core = '../packages/core/dist'
  const modules = await Promise.all(
    [
      `${core}/definition/classic.js`,
      `${core}/definition/openapi/document-schema.js`,
      `${core}/definition/openapi/extension.js`,
      `${core}/definition/openapi/extension-shape/extension-shape.js`,
      `${core}/definition/openapi/openapi-support.js`,
      `${core}/definition/support-status/definition-support.js`,
      `${core}/definition/support-status/session-support.js`,
      `${core}/ports/session.js`,
      `${core}/session/policies/policy.js`,
      '../packages/turnpike/dist/config/config-shape.js',
      '../packages/turnpike/dist/config/config-support.js',
      '../packages/turnpike/dist/start/seed.js',
    ].map((file) => import(file)),
  )
  return Object.assign({}, ...modules)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..')
  for (const [file, text] of Object.entries(documentFiles(await builtSources()))) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
}
