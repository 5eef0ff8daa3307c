#!/usr/bin/env node
// Puts everything that `turnpike start` runs into one script, packages/turnpike/dist/bundle/start.js, which
// bin/turnpike.js starts from, and keeps beside it what V8 compiles of it during a start. Finding, reading and
// compiling hundreds of small modules takes most of the time until the first answer; see docs/decisions/0008-start.md.
//
//   node scripts/bundle.mjs
//
// Does nothing while the bundle is newer than what it is made of.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { cachePath } from '../packages/turnpike/dist/cli/load-bundle.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const packages = join(root, 'packages')
const entries = join(packages, 'turnpike', 'dist', 'cli')
const bundle = join(packages, 'turnpike', 'dist', 'bundle')
const made = join(bundle, 'start.js')

/** With a binary that somebody may put in the place of ours, or seldom needed. */
const left = /^(uWebSockets\.js|ioredis|mongodb|prom-client)(\/|$)/

if (isFresh()) process.exit(0)
rmSync(bundle, { recursive: true, force: true })
await build({
  stdin: {
    contents: "export { main } from './main.js'; export { processIo } from './process-io.js'",
    resolveDir: entries,
  },
  outfile: made,
  bundle: true,
  // Modules of lazy imports stand in the same file and are evaluated when they are asked for.
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  // Names and lines stay, and comments tell the files, so that a stack trace can be read.
  charset: 'ascii',
  logLevel: 'warning',
  // `Evaluate` of packages/turnpike/src/cli/load-bundle.ts.
  banner: {
    js: `(function (module, require, bundleFolder, importFromBundle) {
const addressOf = (name) => require('node:url').pathToFileURL(require('node:path').join(bundleFolder, name)).href;`,
  },
  footer: { js: '})' },
  plugins: [leaveOut(), keepAddresses()],
})
// A script cannot import by itself: whoever evaluates it does. Its hash at its end tells whose the compiled code is.
const script = readFileSync(made, 'latin1').replaceAll('import("here:', 'importFromBundle("')
writeFileSync(made, `${script}// ${createHash('sha256').update(script).digest('hex')}`, 'latin1')
compile()

/** As in bin/turnpike.js, which starts from the modules when it is not. */
function isFresh() {
  // Another Node has another cache.
  if (!existsSync(made) || !existsSync(cachePath(bundle))) return false
  const stamps = readdirSync(packages).map((name) => join(packages, name, 'dist', '.tsbuildinfo'))
  const newest = [...stamps.filter(existsSync), fileURLToPath(import.meta.url), join(root, 'pnpm-lock.yaml')]
  return newest.every((file) => statSync(file).mtimeMs < statSync(made).mtimeMs)
}

/** Runs a gateway from the bundle and keeps what was compiled; a start without that is slower, and no worse. */
function compile() {
  const warmUp = fileURLToPath(new URL('bundle-warm-up.mjs', import.meta.url))
  // Options of V8 that a build is run with are seldom those of starts.
  const { NODE_OPTIONS: _, ...env } = process.env
  const { status, stderr } = spawnSync(process.execPath, [warmUp, bundle], { env, encoding: 'utf8', timeout: 60_000 })
  if (status !== 0) console.error(`starts will be slower: no compiled code was kept\n${stderr}`)
}

/** Leaves modules where they are, found from the bundle as they were from the package that asks for them. */
function leaveOut() {
  return {
    name: 'leave out',
    setup({ onResolve, resolve }) {
      const outside = (path, kind) => ({ path: kind === 'dynamic-import' ? `here:${path}` : path, external: true })
      onResolve({ filter: left }, async ({ path, resolveDir, kind, importer, pluginData }) => {
        if (pluginData === 'asked') return undefined
        const found = await resolve(path, { resolveDir, kind, importer, pluginData: 'asked' })
        // What is not installed is told when somebody asks for it.
        return outside(found.errors.length > 0 ? path : fromBundle(found.path), kind)
      })
      // The commands that bin/turnpike.js never starts from here.
      onResolve({ filter: /-command\.js$/ }, ({ path, resolveDir, kind }) => {
        if (kind !== 'dynamic-import' || path.endsWith('/start-command.js')) return undefined
        return outside(fromBundle(join(resolveDir, path)), kind)
      })
    },
  }
}

/** Modules that look for files beside theirs still find them. */
function keepAddresses() {
  return {
    name: 'keep addresses',
    setup({ onLoad }) {
      onLoad({ filter: /\.m?js$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8')
        if (!text.includes('import.meta.url')) return undefined
        return { contents: text.replaceAll('import.meta.url', `addressOf(${JSON.stringify(fromBundle(path))})`) }
      })
    },
  }
}

function fromBundle(path) {
  return relative(bundle, path).split('\\').join('/')
}
