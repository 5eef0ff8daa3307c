import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Around, readScenario, runScenario } from '@turnpike/cluster-sim'
import { withSubject } from '@turnpike/testkit'
import { makeTestIo } from 'turnpike/embedding'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { main } from '../main.ts'
import { subjectOfGateway } from '../sim/gateway-subject.ts'

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
  it('lists its scenarios, each with what one sees', async () => {
    const { code, text } = await sim('--list-scenarios')
    expect(code).toBe(0)
    expect(text.split('\n').filter((line) => !line.startsWith(' '))).toEqual([
      'clock-skew',
      'partition',
      'redis-failover',
      'rolling-restart',
      'slow-network',
    ])
  })

  it('runs a scenario of the package on its own keys', { timeout: 60_000 }, async () => {
    const { code, text } = await sim('--scenario', 'clock-skew', '--runs', '2')
    expect([code, text]).toEqual([0, expect.stringMatching(/^holds: 2 runs, 800 requests/)])
  })

  it('runs a scenario of the package on the gateway, and writes a page and the history', {
    timeout: 60_000,
  }, async () => {
    const args = ['--scenario', 'partition', '--conf', company, '--runs', '1', '--html', 'sim.html', '--json']
    const { code, text, errorLines } = await sim(...args)
    expect(code).toBe(0)
    expect(errorLines).toContain('keys and load of partition are replaced by those of the gateway')
    const report = JSON.parse(text)
    expect([report.scenario, report.holds, report.plan.nodes.length]).toEqual(['partition', true, 3])
    // Path rules, versions and organisations of the files apply on each node.
    const statuses = new Set(report.history.asked.map(({ status }: { status: number }) => status))
    expect([...statuses].sort()).toEqual([200, 403, 429, 503])
    expect(report.plan.limits.map(({ words }: { words: string }) => words)).toContain(
      'organisation "acme" has at most 200 requests in 1 s over all its keys',
    )
    const page = readFileSync(join(folder, 'sim.html'), 'utf8')
    expect(page).toContain('<h1>partition: <span class="fine">all checks hold</span></h1>')
    expect(page).toContain('<svg')
    expect(page).not.toMatch(/<script|href=|src=/)
  })

  it('finds a definition of the user that a node does not enforce', { timeout: 60_000 }, async () => {
    const { loadConfig } = await import('turnpike/embedding')
    const loaded = loadConfig({ file: company, environment: {}, cwd: folder })
    const { subject } = await subjectOfGateway(loaded, {}, undefined)
    const { scenario } = readScenario({ nodes: 2, duration: '10s', quiet: '12s' }, false)
    if (scenario === undefined) throw new Error('the scenario is invalid')
    expect(await runScenario(scenario, { subject, runs: 1 })).toMatchObject({ holds: true })
    // The counter of a path rule belongs to no key: a node that counts it for each key admits too much.
    const perRequest: Around = {
      store: (store) => {
        let number = 0
        return {
          ...store,
          counters: {
            ...store.counters,
            consume: (counter, amount) =>
              store.counters.consume(withSubject(counter, `${counter.subject}#${number++}`), amount),
          },
        }
      },
    }
    const broken = await runScenario(scenario, { subject, runs: 1, around: perRequest, maxShrinks: 0 })
    expect(broken).toMatchObject({ holds: false, violation: { check: 'bound' } })
  })

  it.each([
    [['--scenario', 'partitions'], 'error: there is no scenario partitions; did you mean partition?'],
    [[example, '--scenario', 'partition'], 'error: name a file or a scenario with --scenario, not both'],
    [
      ['--scenario', 'redis-failover', '--store', 'redis-mock'],
      'redis-failover: store: has no replica for a failover: use memory',
    ],
  ])('reports what is wrong with %j', async (args, complaint) => {
    const { code, errorLines } = await sim(...args)
    expect([code, errorLines]).toEqual([2, [complaint]])
  })

  it('without a file it simulates the keys of the configuration', { timeout: 60_000 }, async () => {
    const { code, text, errorLines } = await sim('--conf', company, '--runs', '2', '--seed', '1')
    const shop = 'key "shop-website" (policies "orders-access" and "bronze-limits")'
    expect(errorLines).toContain(`limit: ${shop} has at most 5 requests in 10 s over "orders" and "catalogue" together`)
    expect(errorLines).toContainEqual(expect.stringMatching(/^simulates key "anna": GET \/backoffice\/items\/1/))
    expect(errorLines).toContain(
      'not simulated: policy "members-access" on "members": its callers prove themselves by oauth',
    )
    expect(text).toMatch(/^holds: 2 runs, \d+ requests \(bound, convergence, answered\)/)
    // With the limiter `local`, each of the three nodes has a bucket, and the one that crashes has two.
    expect(text).toContain(
      'has at most 5 requests in 10 s on GET /search over all its callers (the limiter may admit 40)',
    )
    expect(code).toBe(0)
  })

  it('writes JUnit XML and SARIF, and annotations for GitHub', { timeout: 60_000 }, async () => {
    const reports = ['--junit', 'sim.xml', '--sarif', 'sim.sarif', '--github']
    const { code } = await sim('--scenario', 'clock-skew', '--runs', '2', ...reports)
    expect(code).toBe(0)
    const xml = readFileSync(join(folder, 'sim.xml'), 'utf8')
    expect(xml).toContain('<testsuite name="turnpike sim: clock skew" tests="')
    expect(xml).toMatch(/<testcase [^>]*name="bound"/)
    expect(xml).toContain('failures="0"')
    expect(JSON.parse(readFileSync(join(folder, 'sim.sarif'), 'utf8')).runs[0].results).toEqual([])
  })

  it('reports a broken check with the command that repeats it', { timeout: 60_000 }, async () => {
    const text = [
      'nodes: 2\nduration: 10s\nquiet: 5s\nkeys: { shop: { rate: 2, per: 5 } }\nload: [{ key: shop, per_second: 5 }]',
      'faults: [{ at: 2s, for: 3s, store_down: true }]\ncheck: [available]\n',
    ]
    writeFileSync(join(folder, 'own.yaml'), text.join('\n'))
    const result = await sim('own.yaml', '--runs', '1', '--junit', 'sim.xml', '--github')
    expect([result.code, result.errorLines]).toEqual([1, expect.anything()])
    expect(readFileSync(join(folder, 'sim.xml'), 'utf8')).toMatch(/<failure message="[^"]+"/)
    expect(result.text).toMatch(/^::error file=own\.yaml.*turnpike sim own\.yaml --seed 1 --runs 1/m)
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
    const lines = text.split('\n')
    expect([code, lines[0]]).toEqual([
      0,
      'holds: 5 runs, 2100 requests (bound, linearizable, reload, deleted-keys, convergence, answered)',
    ])
    expect(lines).toContainEqual('node    requests  admitted  rejected  503  other 5xx  no response  messages  lost')
    expect(lines.filter((line) => /^(node-[1-4]|store) {2}/.test(line))).toHaveLength(5)
    expect(lines).toContainEqual(expect.stringMatching(/^4000 ms +the network between node-2 and store is cut$/))
    expect(lines).toContainEqual(expect.stringMatching(/^\d+–4000 ms +\d+ admitted/))
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
      '  2 nodes, seed 3, rolling rates, network delay 1 to 5 ms',
      '1000 ms  the network between node-2 and store is cut',
      '3000 ms  version 2 of the files is on all disks',
      '3000 ms  node-1 gets a request to reload the group',
      expect.stringMatching(/^30\d\d ms {4}done, after \d+ ms: node-1 gets a request to reload the group$/),
      expect.stringMatching(/^30\d\d ms {2}node-1 serves version 2$/),
      '',
      'node    requests  admitted  rejected  503  other 5xx  no response  messages  lost',
      expect.stringMatching(/^node-1 {2}0 /),
      expect.stringMatching(/^node-2 {2}0 /),
      expect.stringMatching(/^store {3}0 /),
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
    const shown = await sim('plain.yaml', '--seed', '3', '--runs', '3', '--store', 'redis-mock')
    expect(shown.code).toBe(1)
    expect(shown.text).toContain('2 nodes, seed 3, rolling rates, network delay 1 to 5 ms, the store is redis-mock\n')
    expect(shown.text).toContain('again: turnpike sim plain.yaml --store redis-mock --seed 3 --runs 1')
    // The same seed gives the same plan, the same history and the same shrinking steps.
    const { text } = await sim('mock.yaml', '--seed', '3', '--runs', '3')
    expect(text).toBe(shown.text.replace('plain.yaml --store redis-mock', 'mock.yaml'))
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
