import { describe, expect, it } from 'vitest'
// @ts-expect-error The script has no types.
import { npmLockProblems, pnpmLockProblems, workspaceProblems } from './lock-file-problems.mjs'
// @ts-expect-error The script has no types.
import { hasPinnedBinary } from './pnpm.mjs'

const integrity = `sha512-${'A'.repeat(86)}==`

describe('pnpm-lock.yaml', () => {
  it.each([
    ['a hash of another kind', { integrity: 'sha1-abc' }],
    ['no hash', {}],
    ['a tarball', { integrity, tarball: 'https://example.test/a.tgz' }],
    ['a git repository', { type: 'git', repo: 'https://example.test/a.git', commit: 'abc' }],
    ['a folder', { type: 'directory', directory: '../a' }],
  ])('may not have %s', (_, resolution) => {
    expect(pnpmLockProblems({ packages: { 'a@1.0.0': { resolution } } })).toEqual([
      expect.stringContaining('pnpm-lock.yaml: a@1.0.0'),
    ])
  })

  it.each([
    'github:a/b',
    'a/b',
    'git+ssh://git@example.test/a.git',
    'https://example.test/a.tgz',
    'file:../a',
    'link:../a',
  ])('may not have a dependency on %s', (specifier) => {
    const lock = { packages: {}, importers: { 'packages/core': { devDependencies: { a: { specifier } } } } }
    expect(pnpmLockProblems(lock)).toEqual([
      `packages/core/package.json: a comes from ${specifier}, not from the registry`,
    ])
  })

  it('may have packages of the registry and of the workspace', () => {
    const names = ['1.2.3', '>=4', 'workspace:*', 'npm:uws-pack@20.0.8', 'npm:@scope/a@1.0.0']
    const dependencies = Object.fromEntries(names.map((specifier, i) => [`p${i}`, { specifier }]))
    const lock = { packages: { 'a@1.0.0': { resolution: { integrity } } }, importers: { '.': { dependencies } } }
    expect(pnpmLockProblems(lock)).toEqual([])
  })
})

describe('the lock file of pnpm itself', () => {
  const packages = { '': {}, 'node_modules/pnpm': { version: '1.0.0', integrity } }
  const packageManager = `pnpm@1.0.0+sha512.${'0'.repeat(128)}`

  it('agrees with packageManager', () => {
    expect(npmLockProblems({ packages }, packageManager)).toEqual([])
    expect(npmLockProblems({ packages }, 'pnpm@1.0.0')).toHaveLength(1)
  })

  it('has a hash for each package, and no URL', () => {
    const more = { ...packages, 'node_modules/a': { resolved: 'https://example.test/a.tgz' } }
    expect(npmLockProblems({ packages: more }, packageManager)).toEqual([
      expect.stringContaining('node_modules/a names a URL'),
      expect.stringContaining('node_modules/a has no SHA-512'),
    ])
  })
})

describe('pnpm-workspace.yaml', () => {
  it('may not turn off checks of packages or let them run scripts', () => {
    expect(workspaceProblems({ packages: ['packages/*'], allowBuilds: { lmdb: false } })).toEqual([])
    const unsafe = { verifyStoreIntegrity: false, dangerouslyAllowAllBuilds: true, allowBuilds: { lmdb: true } }
    expect(workspaceProblems(unsafe)).toHaveLength(3)
  })
})

it.each([
  ['linux', 'x64', false, true],
  ['linux', 'arm64', false, true],
  ['linux', 'x64', true, false],
  ['darwin', 'arm64', false, false],
  ['win32', 'x64', false, false],
])('the binary of pnpm for %s %s, musl %s, has a hash: %s', (platform, arch, isMusl, expected) => {
  expect(hasPinnedBinary({ platform, arch, isMusl })).toBe(expected)
})
