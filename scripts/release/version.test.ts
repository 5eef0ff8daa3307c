/** The next version, made in a copy of the repository: versions of all packages, CHANGELOG.md, and what is rejected. */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { readEntries, releaseChangelog } from './changelog.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
const head = '# Changelog\n\nFormat: Keep a Changelog.\n\n'
const released = '## 0.1.0 - 2026-10-01\n\n### Added\n- The gateway.\n'

let folder: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-version-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const manifests = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/package.json`)
  const files = [
    'package.json',
    'pnpm-workspace.yaml',
    'pnpm-lock.yaml',
    '.changeset/config.json',
    'packages/turnpike/src/version.ts',
  ]
  for (const file of [...files, ...manifests, 'benchmarks/package.json', 'examples/package.json']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  await run('git', ['init', '--quiet'], { cwd: folder })
})

const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
const read = (file: string) => readFileSync(join(folder, file), 'utf8')
const version = (date = '2026-11-23') =>
  run(process.execPath, [join(root, 'scripts/version.mjs'), '--root', folder, '--date', date])
const versions = () =>
  new Set(
    readdirSync(join(folder, 'packages')).map((name) => JSON.parse(read(`packages/${name}/package.json`)).version),
  )
const current = () => JSON.parse(readFileSync(join(root, 'packages/turnpike/package.json'), 'utf8')).version as string

test('the first release has the version of the packages', async () => {
  write('CHANGELOG.md', `${head}## Unreleased\n\n### Added\n**Gateway**\n- Quotas.\n\n### Fixed\n- Ports.\n`)
  write('.changeset/brave-fox.md', '---\n"turnpike": minor\n---\n\nAdded: a watch mode\n')
  await version()
  expect(versions()).toEqual(new Set([current()]))
  expect(read('CHANGELOG.md')).toBe(
    `${head}## Unreleased\n\n## ${current()} - 2026-11-23\n\n### Added\n- a watch mode\n**Gateway**\n- Quotas.\n\n### Fixed\n- Ports.\n`,
  )
  expect(existsSync(join(folder, '.changeset/brave-fox.md'))).toBe(false)
})

test('changesets raise all packages together, and entries that people wrote are kept', async () => {
  write('CHANGELOG.md', `${head}## Unreleased\n\n### Fixed\n- Ports.\n\n${released}`)
  write(
    '.changeset/calm-owl.md',
    '---\n"@turnpike/core": minor\n---\n\nChanged: the name of\n  a stage\nFixed: a leak\n',
  )
  await version()
  const [major, minor] = current().split('.').map(Number) as [number, number]
  const next = `${major}.${minor + 1}.0`
  expect(versions()).toEqual(new Set([next]))
  expect(read('packages/turnpike/src/version.ts')).toContain(`'${next}'`)
  expect(read('CHANGELOG.md')).toBe(
    `${head}## Unreleased\n\n## ${next} - 2026-11-23\n\n### Changed\n- the name of a stage\n\n### Fixed\n- a leak\n- Ports.\n\n${released}`,
  )
  expect(readdirSync(join(folder, '.changeset'))).toEqual(['config.json'])
})

test('entries that people wrote are enough; fixes alone are a patch', async () => {
  write('CHANGELOG.md', `${head}## Unreleased\n\n### Fixed\n- Ports.\n\n${released}`)
  await version()
  const [major, minor, patch] = current().split('.').map(Number) as [number, number, number]
  expect(versions()).toEqual(new Set([`${major}.${minor}.${patch + 1}`]))
})

test('nothing to release, and a changeset without a group, are errors that change nothing', async () => {
  write('CHANGELOG.md', `${head}## Unreleased\n\n${released}`)
  await expect(version()).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('nothing to release') })
  write('.changeset/odd.md', '---\n"turnpike": patch\n---\n\nBetter ports\n')
  await expect(version()).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/odd\.md: each entry begins with "Added: ", "Changed: ", "Fixed: "/),
  })
  await expect(version('23.11.2026')).rejects.toMatchObject({ code: 2 })
  expect(read('CHANGELOG.md')).toBe(`${head}## Unreleased\n\n${released}`)
})

test('an entry may contain colons and several lines', () => {
  expect(readEntries('Added: `a: b` works\nand more\nFixed: c')).toEqual({
    entries: [
      { group: 'Added', text: '`a: b` works and more' },
      { group: 'Fixed', text: 'c' },
    ],
  })
  expect(readEntries('Removed: d')).toHaveProperty('problem')
})

test('a dry run of the release packs and names every package, without the network', async () => {
  const environment = {
    ...process.env,
    npm_config_registry: 'http://127.0.0.1:9/',
    https_proxy: 'http://127.0.0.1:9/',
    // If pnpm is not installed, npm would retry for minutes before it reports that it cannot install it.
    npm_config_fetch_retries: '0',
  }
  const { stdout, stderr } = await run(process.execPath, [join(root, 'scripts/release.mjs'), '--dry-run'], {
    env: environment,
  }).catch((failed: { stdout: string; stderr: string }) => failed)
  const published = [...stdout.matchAll(/^ {2}(\S+)@(\S+) +\d+ kB packed, +\d+ kB unpacked, sha512-/gm)]
  const names = readdirSync(join(root, 'packages')).map((name) => (name === 'turnpike' ? name : `@turnpike/${name}`))
  expect(published.map(([, name]) => name).toSorted()).toEqual(names.toSorted())
  expect(new Set(published.map(([, , number]) => number))).toEqual(new Set([current()]))
  // What the working copy lacks for a release depends on its state; everything else must be right.
  const isProgress = (line: string) => /^(building|built in|installing|checked the installed|installed) /.test(line)
  for (const line of stderr.split('\n').filter((one) => one !== '' && !isProgress(one)))
    expect(line).toMatch(/^not ready: /)
})

test('a changelog without Unreleased is an error', () => {
  expect(() => releaseChangelog(head, { entries: [], version: '1.0.0', date: '2026-11-23' })).toThrow('Unreleased')
})
