#!/usr/bin/env node
// Writes the files behind `require` beside each compiled entry point: a CommonJS module and its types. The module loads the
// ES module, which Node supports since 20.19. A program that uses both `import` and `require` therefore has one gateway
// and one set of classes. Part of the build.
//
//   node scripts/commonjs-entries.mjs
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { moduleEntries } from './published-manifest.mjs'

const packages = join(dirname(fileURLToPath(import.meta.url)), '..', 'packages')

for (const name of readdirSync(packages)) {
  const folder = join(packages, name)
  if (!existsSync(join(folder, 'package.json'))) continue
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const written = new Set()
  for (const { file } of moduleEntries(manifest)) {
    for (const module of filesOf(join(folder, file))) {
      const source = `./${basename(module)}`
      write(module.replace(/\.js$/, '.cjs'), `module.exports = require('${source}')\n`, written)
      write(module.replace(/\.js$/, '.d.cts'), `export * from '${source}'\n`, written)
    }
  }
  // An entry point that no longer exists leaves no file in the package.
  for (const file of readdirSync(join(folder, 'dist'), { recursive: true })) {
    const path = join(folder, 'dist', file)
    if (/\.d?\.?c[jt]s$/.test(file) && !written.has(path)) rmSync(path)
  }
}

/** The compiled modules of an entry point; several if its path ends with `*.js`. */
function filesOf(path) {
  if (!path.includes('*')) return [path]
  const [folder, end] = [dirname(path), basename(path).slice(1)]
  return readdirSync(folder)
    .filter((file) => file.endsWith(end))
    .map((file) => join(folder, file))
}

function write(path, text, written) {
  written.add(path)
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text)
}
