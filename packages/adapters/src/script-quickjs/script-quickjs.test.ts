import { scriptSuite } from '@turnpike/testkit/suites/script-suite'
import { afterAll, describe, expect, it } from 'vitest'
import { makeQuickJsScripts } from './script-quickjs.ts'

scriptSuite('QuickJS', (limits) => makeQuickJsScripts(limits))

describe('a pool of script workers', () => {
  const runtime = makeQuickJsScripts({ maxWorkers: 2, maxWaiting: 2, idleMs: 50 })
  afterAll(() => runtime.close())
  const open = () =>
    runtime.open({
      sources: [
        { name: 'a.js', text: 'function ask() { return SvcMakeHttpRequest("{}") } function fine() { return "" }' },
      ],
      timeoutMs: 10_000,
      vendor: 'Svc',
      host: { run: () => new Promise((resolve) => setTimeout(resolve, 100, 'reply')), loaded: () => undefined },
    })
  const call = (name: string) => ({ kind: 'function', name, args: '[]', dry: false }) as const

  it('runs calls at the same time, and rejects those that find the queue full', async () => {
    const scope = open()
    await scope.call(call('fine'))
    const results = await Promise.all(Array.from({ length: 6 }, () => scope.call(call('ask'))))
    const problems = results.map(({ problem }) => problem).filter((problem) => problem !== undefined)
    expect(problems.length).toBeGreaterThanOrEqual(2)
    expect(new Set(problems)).toEqual(new Set(['too many calls wait for a script worker']))
    expect(results.filter(({ value }) => value === 'reply').length).toBe(6 - problems.length)
  })

  it('ends idle workers and starts one for the next call', async () => {
    const scope = open()
    await scope.call(call('fine'))
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect((await scope.call(call('fine'))).problem).toBeUndefined()
  })

  it('reports TypeScript that generates code', async () => {
    const problems = await new Promise((resolve) => {
      runtime.open({
        sources: [{ name: 'a.ts', text: 'enum Colour { Red }' }],
        timeoutMs: 1000,
        vendor: 'Svc',
        host: { run: () => undefined, loaded: resolve },
      })
    })
    expect(problems).toEqual([{ source: 'a.ts', message: expect.stringMatching(/^a\.ts:1:1: .*enum/) }])
  })
})
