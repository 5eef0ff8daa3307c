#!/usr/bin/env node
// Puts what `turnpike start` runs into a few files: packages/turnpike/dist/bundle, which bin/turnpike.js starts from.
// Reading and linking hundreds of small modules takes half of the time until the first answer; see
// docs/decisions/0008-start.md.
//
//   node scripts/bundle.mjs
//
// Does nothing while the bundle is newer than what it is made of.
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const packages = join(root, 'packages')
const entries = join(packages, 'turnpike', 'dist', 'cli')
const bundle = join(packages, 'turnpike', 'dist', 'bundle')

/** With binaries of their own, with files that they look for beside theirs, or seldom needed. */
const left = /^(lmdb|msgpackr|uWebSockets\.js|ioredis|mongodb|prom-client)(\/|$)/

if (isFresh()) process.exit(0)
rmSync(bundle, { recursive: true, force: true })
await build({
  entryPoints: { main: join(entries, 'main.js'), 'process-io': join(entries, 'process-io.js') },
  outdir: bundle,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // Names stay, and comments tell the files, so that a stack trace can be read; `--enable-source-maps` tells lines.
  sourcemap: true,
  logLevel: 'warning',
  // Modules of the older kind ask for `require`.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  plugins: [leaveOut(), keepAddresses()],
})

/** As in bin/turnpike.js, which starts from the modules when it is not. */
function isFresh() {
  const made = join(bundle, 'main.js')
  if (!existsSync(made)) return false
  const stamps = readdirSync(packages).map((name) => join(packages, name, 'dist', '.tsbuildinfo'))
  const newest = [...stamps.filter(existsSync), fileURLToPath(import.meta.url), join(root, 'pnpm-lock.yaml')]
  return newest.every((file) => statSync(file).mtimeMs < statSync(made).mtimeMs)
}

/** Leaves modules where they are, found from the bundle as they were from the package that asks for them. */
function leaveOut() {
  return {
    name: 'leave out',
    setup({ onResolve, resolve }) {
      onResolve({ filter: left }, async ({ path, resolveDir, kind, importer, pluginData }) => {
        if (pluginData === 'asked') return undefined
        const found = await resolve(path, { resolveDir, kind, importer, pluginData: 'asked' })
        // What is not installed is told when somebody asks for it.
        return found.errors.length > 0 ? { path, external: true } : { path: fromBundle(found.path), external: true }
      })
    },
  }
}

/** Modules that look for files beside theirs still find them. */
function keepAddresses() {
  return {
    name: 'keep addresses',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]packages[\\/][^\\/]+[\\/]dist[\\/].*\.js$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8')
        if (!text.includes('import.meta.url')) return undefined
        const address = `new URL(${JSON.stringify(fromBundle(path))}, import.meta.url).href`
        return { contents: text.replaceAll('import.meta.url', address) }
      })
    },
  }
}

function fromBundle(path) {
  return relative(bundle, path).split('\\').join('/')
}
