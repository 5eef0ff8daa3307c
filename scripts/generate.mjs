#!/usr/bin/env node
// Generates the files that packages derive from their own shapes and operations: JSON Schemas and TypeScript types of
// documents, the calls of the management client, and the JSON serialiser of the engine. Git ignores these files. Part of
// the build, before the compiler, which needs them.
//
//   node scripts/generate.mjs
//
// Does nothing while neither the sources nor the generated files have changed: a stamp file in node_modules holds the hash
// of both.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const stamp = join(root, 'node_modules', '.turnpike-generated')

/** Writes the files that are missing or outdated. vitest calls this before the tests. */
export default async function generate() {
  const previous = existsSync(stamp) ? JSON.parse(readFileSync(stamp, 'utf8')) : { inputs: [], files: [], hash: '' }
  if (previous.hash === hashOf([...previous.inputs, ...previous.files])) return
  const { importSources } = await import('./generate/sources.mjs')
  const { sources, inputs } = await importSources()
  const files = await generatedFiles(sources)
  for (const [file, text] of Object.entries(files)) write(join(root, file), text)
  for (const file of previous.files) if (files[file] === undefined) rmSync(join(root, file), { force: true })
  const current = { inputs: [...ownInputs(), ...inputs], files: Object.keys(files) }
  writeFileSync(stamp, JSON.stringify({ ...current, hash: hashOf([...current.inputs, ...current.files]) }))
}

/** The generated files: text by path below the root. */
async function generatedFiles(sources) {
  const { describedKinds, documentSchemas } = await import('./generate/schemas.mjs')
  const { typesSource } = await import('./generate/types.mjs')
  const { callsSource } = await import('./generate/client-calls.mjs')
  const { serialiserFiles } = await import('./generate/serialisers.mjs')
  const schemas = Object.entries(documentSchemas(sources)).map(([name, schema]) => [
    `packages/turnpike/schemas/${name}`,
    `${JSON.stringify(schema, null, 2)}\n`,
  ])
  const serialisers = Object.entries(serialiserFiles(sources.responseSchemas)).map(([name, text]) => [
    `packages/core/src/http/generated/${name}`,
    text,
  ])
  return {
    ...Object.fromEntries([...schemas, ...serialisers]),
    'packages/turnpike/src/client/generated/document-types.ts': typesSource(describedKinds(sources)),
    'packages/turnpike/src/client/generated/calls.ts': callsSource(sources.wholeDocument()),
  }
}

/** The generator itself, and the versions of the packages that it uses. */
function ownInputs() {
  const modules = readdirSync(join(root, 'scripts', 'generate')).filter((file) => file.endsWith('.mjs'))
  return ['pnpm-lock.yaml', 'scripts/generate.mjs', ...modules.map((file) => `scripts/generate/${file}`)]
}

/** `undefined` if a file is missing. */
function hashOf(files) {
  const hash = createHash('sha256')
  for (const file of files) {
    const path = join(root, file)
    if (!existsSync(path)) return undefined
    hash.update(`${file}\n`).update(readFileSync(path))
  }
  return hash.digest('hex')
}

/** Files that stay the same keep their time, so that the compiler does not build their users again. */
function write(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await generate()
