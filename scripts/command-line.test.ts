/** Help texts of the scripts, and errors for wrong use before any work. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const call = (script: string, ...args: string[]) => {
  const file = fileURLToPath(new URL(`${script}.${script.includes('dist/') ? 'js' : 'mjs'}`, import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { encoding: 'utf8' })
  return { code: status, out: stdout, err: stderr }
}

describe.each(['bench', 'soak', 'test', 'check', 'setup', 'conformance', 'install-packed'])(
  'the script %s',
  (script) => {
    it('helps', () => {
      const { code, out, err } = call(script, '--help')
      expect([code, err]).toEqual([0, ''])
      expect(out).toMatch(/^Usage: /)
      expect(out).toMatch(/Exit codes: 0 fine, 1 .*, 2 wrong use\.\n$/)
    })

    it('exits with 2 and an error for an unknown option', () => {
      expect(call(script, '--frobnicate')).toEqual({
        code: 2,
        out: '',
        err: "error: unknown option '--frobnicate' (--help lists the options)\n",
      })
    })
  },
)

describe('wrong values', () => {
  it.each([
    ['bench', ['--only', 'start,stop'], /--only can be in-process, .*, hostile, not stop /],
    ['bench', ['--json'], /--json <value>' argument missing/],
    ['bench', ['start'], /unexpected argument 'start'/],
    ['soak', ['--front-end', 'uws,node'], /--front-end can be http1, node, uws, not uws,node /],
    ['soak', ['--only', 'all'], /--only can be virtual, bodies, breaks, readers, faults, not all /],
    ['soak', ['--minutes', 'long'], /--minutes is to be a number above 0, not long /],
    ['test', ['packages/core'], /unexpected argument 'packages\/core'/],
    ['conformance', ['--jobs', '0'], /--jobs is to be a whole number from 1 on, not 0 /],
    [
      'conformance',
      ['--storage', 'sqlite'],
      /--storage can be lmdb, memory, redis, redis-cluster, redis-sentinel, not sqlite /,
    ],
    ['conformance', ['nosuch'], /no suite begins with nosuch; there are /],
  ])('of %s %j are named with what is right', (script, args, text) => {
    const { code, out, err } = call(script, ...args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(text)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
  })
})

describe('the help of the benchmarks', () => {
  const built = '../benchmarks/dist/main'

  it('names every option', () => {
    const options = readFileSync(new URL('bench/command-line.mjs', import.meta.url), 'utf8')
    const names = [...options.matchAll(/^ {4}'?([\w-]+)'?: \{ type: '/gm)].map(([, name]) => name)
    expect(names).toContain('quick')
    const told = call('bench', '--help').out
    for (const name of names) expect(told).toContain(`  --${name} `)
  })

  it('is that of the built program', () => {
    expect(call(built, '--help')).toEqual({ code: 0, out: call('bench', '--help').out, err: '' })
    expect(call(built, '--only', 'stop').code).toBe(2)
  })

  it.each([
    [['--compare', 'missing.json'], /^error: --compare missing\.json: ENOENT/],
    [['--html', 'missing/page.html'], /^error: --html missing\/page\.html: cannot be written: ENOENT/],
    [
      ['--scenario', 'nosuch'],
      /^error: --scenario nosuch: no scenario of these parts contains it; there are keyless; /,
    ],
    [['--only', 'start', '--scenario', 'redis'], /there are none\n$/],
    [['--only', 'before-after'], /^error: --only before-after needs --before /],
    [['--before', 'missing'], /^error: --before missing: is not a checkout of this repository/],
  ])('%j is rejected before the measurement', (args, text) => {
    const { code, out, err } = call(built, ...args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(text)
  })

  it('names every part, in the order of a run', () => {
    const parts = readFileSync(new URL('../benchmarks/src/run-parts.ts', import.meta.url), 'utf8')
    const names = [...parts.matchAll(/^ *\{?\s*name: '([\w-]+)'/gm)].map(([, name]) => name)
    const told = call('bench', '--help').out.split('Parts, with')[1] ?? ''
    expect([...told.matchAll(/^ {2}([\w-]+) /gm)].map(([, name]) => name)).toEqual(names)
  })
})
