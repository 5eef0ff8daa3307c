#!/usr/bin/env node
// Prints the size and the structure of the project at one or more commits, side by side.
import { execFileSync } from 'node:child_process'
import { dirname, join, normalize } from 'node:path'
import { readCommandLine } from './command-line.mjs'
import { importsOf } from './import-graph.mjs'
import { cyclesOf, packageCycles } from './repository-checks/_cycles.mjs'
import { root } from './repository-checks/_files.mjs'
import { isGenerated } from './repository-checks/_generated.mjs'

const { positionals } = readCommandLine({
  usage: `
Usage: node scripts/structure.mjs [COMMIT…]

Prints for each commit (default: HEAD) the lines of TypeScript by package without tests and generated files, generated
lines in git outside of docs/, rooms that reach each other, names of core's index, published packages, and packages that
depend on each other. A room is a folder or a file directly below the sources of a package, of core/definition or of
core/pipeline.

Exit codes: 0 fine, 2 wrong use.`,
  positionals: true,
})

const commits = positionals.length === 0 ? ['HEAD'] : positionals
const columns = commits.map((commit) => measure(filesOf(commit)))
const rows = [...new Set(columns.flatMap((column) => [...column.keys()]))]
const width = Math.max(...rows.map((row) => row.length))
console.log(`${''.padEnd(width)}  ${commits.map((commit) => commit.slice(0, 12).padStart(12)).join('  ')}`)
for (const row of rows) {
  const cells = columns.map((column) => (column.get(row) ?? 0).toLocaleString('en').padStart(12))
  console.log(`${row.padEnd(width)}  ${cells.join('  ')}`)
}

/** The contents of the tracked text files of a commit, by path. */
function filesOf(commit) {
  const git = (args, input) => execFileSync('git', args, { cwd: root, input, maxBuffer: 1 << 30 })
  const listed = git(['ls-tree', '-r', '-z', '--name-only', commit]).toString().split('\0')
  const paths = listed.filter((path) => /\.(ts|mts|mjs|js|json)$/.test(path) && !path.startsWith('fixtures/'))
  const output = git(['cat-file', '--batch'], paths.map((path) => `${commit}:${path}\n`).join(''))
  const files = new Map()
  let at = 0
  for (const path of paths) {
    const end = output.indexOf('\n', at)
    const size = Number(output.toString('utf8', at, end).split(' ')[2])
    files.set(path, output.toString('utf8', end + 1, end + 1 + size))
    at = end + 1 + size + 1
  }
  return files
}

function measure(files) {
  const rows = new Map()
  const generated = [...files].filter(([path, text]) => !path.startsWith('docs/') && isGenerated(path, text))
  const generatedPaths = new Set(generated.map(([path]) => path))
  const isTest = (path) => /\.(test|test-d)\.ts$|\/testing\/|^packages\/[^/]+\/test\//.test(path)
  const sources = [...files].filter(
    ([path]) => /^(packages\/[^/]+|benchmarks)\/src\/.*\.ts$/.test(path) && !isTest(path) && !generatedPaths.has(path),
  )
  for (const [path, text] of sources) {
    const name = `lines of ${path.replace(/\/src\/.*/, '')}`
    rows.set(name, (rows.get(name) ?? 0) + linesOf(text))
  }
  const sorted = new Map([...rows].sort())
  sorted.set('lines of all', sum(rows.values()))
  sorted.set('generated lines in git', sum(generated.map(([, text]) => linesOf(text))))
  for (const [folder, count] of knots(new Map(sources))) sorted.set(`rooms in knots: ${folder}`, count)
  sorted.set('rooms in knots', sum(knots(new Map(sources)).values()))
  sorted.set("names of core's index", namesOf(files.get('packages/core/src/index.ts') ?? ''))
  const manifests = [...files].filter(([path]) => /^(packages\/[^/]+|[^/]+)\/package\.json$/.test(path))
  const parsed = manifests.map(([, text]) => JSON.parse(text))
  sorted.set('published packages', parsed.filter((one) => one.private !== true).length)
  sorted.set('packages that depend on each other', sum(packageCycles(parsed).map((cycle) => cycle.length)))
  return sorted
}

/** Rooms that reach each other by imports, by folder. */
function knots(sources) {
  const folders = new Set([...sources.keys()].map((path) => path.replace(/\/src\/.*/, '/src')))
  const found = new Map()
  for (const folder of [...folders, 'packages/core/src/definition', 'packages/core/src/pipeline']) {
    const roomOf = (path) => path.slice(folder.length + 1).split('/')[0]
    const inside = (path) => path.startsWith(`${folder}/`) && roomOf(path) !== 'index.ts'
    const graph = new Map()
    for (const [path, text] of sources) {
      if (!inside(path)) continue
      const targets = importsOf(text)
        .filter((name) => name.startsWith('.'))
        .map((name) => normalize(join(dirname(path), name)))
      const rooms = targets.filter(inside).map(roomOf)
      graph.set(roomOf(path), [...(graph.get(roomOf(path)) ?? []), ...rooms])
    }
    const count = sum(cyclesOf(graph).map((cycle) => cycle.length))
    if (count > 0) found.set(folder.replace('packages/', '').replace('/src', ''), count)
  }
  return found
}

function namesOf(index) {
  const lists = [...index.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].map(([, names]) => names.split(','))
  return lists.flat().filter((name) => name.trim() !== '').length
}

function linesOf(text) {
  return text.split('\n').length - 1
}

function sum(numbers) {
  return [...numbers].reduce((total, one) => total + one, 0)
}
