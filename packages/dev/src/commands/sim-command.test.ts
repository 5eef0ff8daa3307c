import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeTestIo } from 'turnpike/embedding'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { main } from '../main.ts'

const example = fileURLToPath(new URL('../../../../examples/sim/cluster.yaml', import.meta.url))
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-sim-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function sim(...args: string[]) {
  const io = makeTestIo({ cwd: folder })
  const code = await main(['sim', ...args], io)
  return { code, text: io.printed.join('\n'), errorLines: io.errorLines }
}

const company = fileURLToPath(new URL('../../../../fixtures/company/gateway.json', import.meta.url))

describe('turnpike sim', () => {
  it('without a file it simulates the keys of the configuration', { timeout: 60_000 }, async () => {
    const { code, text, errorLines } = await sim('--conf', company, '--runs', '2', '--seed', '1')
    expect(errorLines).toContain(
      'simulates key "shop-website" (policies "orders-access" and "bronze-limits"): 5 requests in 10 s, quota 1000 in 86400 s',
    )
    expect(text).toMatch(/^holds: 2 runs, \d+ requests/)
    expect(code).toBe(0)
  })

  it('finds gateway.json in the current folder', { timeout: 60_000 }, async () => {
    mkdirSync(join(folder, 'apps'))
    writeFileSync(join(folder, 'gateway.json'), '{ "listen_address": "127.0.0.1" }')
    const { code, errorLines } = await sim()
    expect([code, errorLines.join()]).toEqual([2, expect.stringContaining('has a limit, so there is nothing')])
  })

  it('without a file and a configuration it says what to do', async () => {
    const { code, errorLines } = await sim()
    expect([code, errorLines.join()]).toEqual([2, expect.stringContaining('name a scenario: turnpike sim FILE')])
  })

  it('finds that the example holds', { timeout: 60_000 }, async () => {
    const { code, text } = await sim(example, '--runs', '5')
    expect([code, text]).toEqual([
      0,
      'holds: 5 runs, 2100 requests (bound, linearizable, reload, deleted-keys, convergence, answered)',
    ])
  })

  it('shows the shortest schedule of what does not hold, and how to see it again', { timeout: 60_000 }, async () => {
    // The node is cut off until the end, so it never receives the reload signal.
    writeFileSync(
      join(folder, 'cut.yaml'),
      `nodes: 2
duration: 5s
quiet: 2s
keys: { k: { rate: 5, per: 10 } }
load: [{ per_second: 5 }]
faults: [{ at: 1s, partition: [node-2, store] }]
changes: [{ at: 3s, reload: group }]
`,
    )
    const { code, text } = await sim('cut.yaml', '--seed', '3', '--runs', '10')
    expect(code).toBe(1)
    expect(text.split('\n')).toEqual([
      'broken in run 1 (convergence): node-2 serves version 1 at the end, where 2 was expected',
      '',
      'the shortest schedule that breaks it:',
      '  2 nodes, seed 3, rolling rates, 1 to 5 ms on the way',
      '1000 ms  the way between node-2 and store is cut',
      '3000 ms  version 2 of the files is on all disks',
      '3000 ms  node-1 gets a request to reload the group',
      expect.stringMatching(/^30\d\d ms {4}done, after \d+ ms: node-1 gets a request to reload the group$/),
      expect.stringMatching(/^30\d\d ms {2}node-1 serves version 2$/),
      '',
      'again: turnpike sim cut.yaml --seed 3 --runs 1',
    ])
  })

  it('runs on a mocked Redis, from the command line or the file, and says so', { timeout: 60_000 }, async () => {
    const scenario = (store: string) => `nodes: 2
duration: 5s
quiet: 2s
${store}
keys: { k: { rate: 5, per: 10 } }
load: [{ per_second: 5 }]
faults: [{ at: 1s, partition: [node-2, store] }]
changes: [{ at: 3s, reload: group }]
`
    writeFileSync(join(folder, 'plain.yaml'), scenario(''))
    writeFileSync(join(folder, 'mock.yaml'), scenario('store: redis-mock'))
    const asked = await sim('plain.yaml', '--seed', '3', '--runs', '3', '--store', 'redis-mock')
    expect(asked.code).toBe(1)
    expect(asked.text).toContain('2 nodes, seed 3, rolling rates, 1 to 5 ms on the way, the store is redis-mock\n')
    expect(asked.text).toContain('again: turnpike sim plain.yaml --store redis-mock --seed 3 --runs 1')
    // The same seed gives the same plan, the same history and the same shrinking steps.
    const { text } = await sim('mock.yaml', '--seed', '3', '--runs', '3')
    expect(text).toBe(asked.text.replace('plain.yaml --store redis-mock', 'mock.yaml'))
  })

  it('knows no other stores', async () => {
    const { code, errorLines } = await sim(example, '--store', 'redis')
    expect([code, errorLines.join('\n')]).toEqual([
      2,
      "error: option '--store <name>' argument 'redis' is invalid. Allowed choices are memory, redis-mock.",
    ])
  })

  it.each([
    ['missing.yaml', undefined, 'missing.yaml: there is no such file'],
    ['bad.yaml', 'nodes: [', /^bad\.yaml: Flow sequence in block collection/],
    ['bad.yaml', 'keys: { k: { rate: 5 } }', 'bad.yaml: keys.k.per: is missing: a rate needs the seconds it is for'],
    ['bad.yaml', 'nodez: 3\nkeys: { k: {} }', 'bad.yaml: nodez: is not a known field; did you mean nodes?'],
  ])('reports what is wrong with %s', async (file, content, complaint) => {
    if (content !== undefined) writeFileSync(join(folder, file), content)
    const { code, errorLines } = await sim(file)
    expect(code).toBe(2)
    expect(errorLines[0]).toMatch(complaint)
  })
})
