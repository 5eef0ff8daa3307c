#!/usr/bin/env node
// Checks that every reference resolves: links and headings in Markdown, paths in Markdown code spans, and the files and
// headings that comments in source code name. A comment names a file by its path from the root, or by the end of its
// path where that is unambiguous enough for a reader (`store.ts`); a page in docs/ by its path and, after `#`, a heading.
import { dirname, posix } from 'node:path'
import { projectFiles, read, report } from './_files.mjs'

const files = projectFiles()
const known = new Set(files)
const folders = new Set(files.flatMap((file) => ancestorsOf(file)))
const endings = new Set(files.flatMap((file) => endingsOf(file)))

const folderEndings = new Set([...folders].flatMap(endingsOf))
const roots = new Set(['packages', 'scripts', 'benchmarks', 'fixtures', 'examples', 'docs'])
/** Packages, and the folders of core. */
const sources = new Set(files.flatMap((file) => /^packages\/(?:core\/src\/)?([^/]+)\//.exec(file)?.[1] ?? []))
const withoutType = new Set([...endings].map((ending) => ending.replace(/\.ts$/, '')))
const entries = new Set(files.filter((file) => /^packages\/[^/]+\/package\.json$/.test(file)).flatMap(entriesOf))

const problems = []
const headings = new Map()

for (const file of files.filter((name) => name.endsWith('.md'))) checkMarkdown(file)
for (const file of files.filter((name) => /\.(ts|mjs|js)$/.test(name) && !name.startsWith('fixtures/'))) {
  checkComments(file)
}
report('references', problems)

function checkMarkdown(file) {
  const text = read(file).replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]/g, ''))
  for (const match of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    const [, target] = match
    if (/^(https?:|mailto:)/.test(target)) continue
    const [path, anchor] = target.split('#')
    const page = path === '' ? file : posix.normalize(posix.join(dirname(file), decodeURI(path))).replace(/\/$/, '')
    if (!known.has(page) && !folders.has(page)) problem(file, text, match.index, `the link ${target} leads nowhere`)
    else if (anchor !== undefined) checkHeading(file, text, match.index, page, anchor)
  }
  // Entries of the changelog name files as they were at that time.
  if (file === 'CHANGELOG.md') return
  for (const match of text.matchAll(/`([\w.{,}-]+(?:\/[\w.{,}-]+)*(\/?))`/g)) {
    const [, span, slash] = match
    for (const path of expandBraces(span)) {
      const [first] = path.split('/')
      if (!path.includes('/') || path.includes('dist/') || path.startsWith('.')) continue
      const isPath = roots.has(first) || sources.has(first) || /\.ts$/.test(path) || slash !== '' || span.includes('{')
      if (!isPath) continue
      const bare = path.replace(/\/$/, '')
      const exists = roots.has(first)
        ? known.has(bare) || folders.has(bare)
        : withoutType.has(bare) || endings.has(bare) || folderEndings.has(bare) || isEntry(bare)
      if (!exists) problem(file, text, match.index, `${path} does not exist`)
    }
  }
}

function checkComments(file) {
  const text = read(file)
  for (const comment of text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g)) {
    // A reference that the line width splits is one reference.
    const words = comment[0]
    for (const match of words.matchAll(
      /(?<![\w@:/.-])([\w@.-]+(?:\/[\w.@-]+)*\.(?:md|ts|mjs|yaml))(#[\w-]+)?(?![\w/])/g,
    )) {
      const [, path, anchor] = match
      if (isExample(path)) continue
      const at = comment.index + match.index
      if (path.endsWith('.md') && path.includes('/') ? !known.has(path) : !endings.has(path)) {
        problem(file, text, at, `${path} does not exist`)
      } else if (anchor !== undefined) checkHeading(file, text, at, path, anchor.slice(1))
    }
  }
}

/** Names of files of the user or of the build, not of this repository. */
function isExample(path) {
  return (
    /^(?:\.|FILE|file\.|gateway\.ya?ml|openapi\.yaml|[A-Z]+\.)/.test(path) ||
    path.endsWith('.d.ts') ||
    path.includes('node_modules/')
  )
}

function checkHeading(file, text, at, page, anchor) {
  if (!page.endsWith('.md')) return
  if (!headings.has(page)) headings.set(page, headingsOf(read(page)))
  if (!headings.get(page).has(anchor)) problem(file, text, at, `${page} has no heading #${anchor}`)
}

/** Anchors of a page, as GitHub makes them: lower case, without punctuation, with `-1` behind a repeated one. */
function headingsOf(text) {
  const anchors = new Set()
  const counts = new Map()
  const prose = text.replace(/^```[\s\S]*?^```/gm, '')
  for (const [, title] of prose.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const plain = title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/`/g, '')
    const slug = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
    const seen = counts.get(slug) ?? 0
    counts.set(slug, seen + 1)
    anchors.add(seen === 0 ? slug : `${slug}-${seen}`)
  }
  return anchors
}

function problem(file, text, at, what) {
  problems.push(`${file}:${text.slice(0, at).split('\n').length}: ${what}`)
}

function ancestorsOf(file) {
  const parts = file.split('/').slice(0, -1)
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'))
}

/** `a/{b,c}` stands for `a/b` and `a/c`. */
function expandBraces(span) {
  const [whole, before, list, after] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(span) ?? [span]
  return list === undefined ? [whole] : list.split(',').flatMap((one) => expandBraces(before + one + after))
}

/** An entry point with a `*` has names for all files of a folder. */
function isEntry(path) {
  return entries.has(path) || entries.has(path.replace(/[^/]+$/, '*'))
}

/** The names under which other packages import a package. */
function entriesOf(file) {
  const { name, exports = {} } = JSON.parse(read(file))
  return Object.keys(exports).map((entry) => name + entry.slice(1))
}

/** Every suffix of the path: its file name, its last two parts, and so on. */
function endingsOf(file) {
  const parts = file.split('/')
  return parts.map((_, i) => parts.slice(i).join('/'))
}
