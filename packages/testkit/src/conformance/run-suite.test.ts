import { expect, test } from 'vitest'
import type { Case } from './recorded-suite.ts'
import { type PlayedGateway, runSuite } from './run-suite.ts'

/** A gateway that responds to the nth call with the nth status, and to all later ones with the last. */
function fakeGateway(statuses: readonly number[], patienceMs?: number) {
  const calls: string[] = []
  const sleeps: number[] = []
  let isStopped = false
  const gateway: PlayedGateway = {
    port: 1,
    folder: '/nowhere',
    values: { word: 'apple' },
    sleep: async (ms) => sleeps.push(ms),
    send: async (call) => {
      const status = statuses[Math.min(calls.push(call.path), statuses.length) - 1] as number
      return { status, headers: { 'x-status': `${status}` }, text: JSON.stringify({ status }) }
    },
    stop: async () => {
      isStopped = true
    },
    ...(patienceMs === undefined ? {} : { patienceMs }),
  }
  return { calls, sleeps, gateway, isStopped: () => isStopped }
}

const play = async (gateway: PlayedGateway, ...cases: readonly Case[]) => {
  const results = await runSuite('sample', { about: '', cases }, { start: async () => gateway })
  return results.map(({ failures }) => failures.join('\n'))
}
const want = (status: number) => ({ expect: { status } })

test('a case passes if every response is as recorded, and fails with the step and both values otherwise', async () => {
  const { gateway, isStopped } = fakeGateway([200, 200, 403])
  const call = { path: '/{{word}}' }
  const results = await play(
    gateway,
    { name: 'passes', steps: [{ call, ...want(200) }] },
    {
      name: 'fails',
      steps: [
        { call, ...want(200) },
        { call, ...want(200) },
      ],
    },
  )
  expect(results[0]).toBe('')
  expect(results[1]).toContain('step 2, GET /apple: status: want 200, got 403')
  expect(isStopped()).toBe(true)
})

test('values of a response are captured, and repetitions are sent', async () => {
  const { gateway, calls, sleeps } = fakeGateway([201])
  const steps = [
    { call: { path: '/a' }, repeat: 3, capture: { code: 'status', same: 'header.x-status' } },
    { sleepMs: 50, call: { path: '/{{code}}/{{same}}' } },
  ]
  expect(await play(gateway, { name: 'captures', steps })).toEqual([''])
  expect(calls).toEqual(['/a', '/a', '/a', '/201/201'])
  expect(sleeps).toEqual([50])
})

test('with patience a management read after a pause is repeated until it is as recorded, and nothing else is', async () => {
  const call = { path: '/svc/keys/a', admin: true }
  const read = { name: 'read', steps: [{ sleepMs: 10, call, ...want(200) }] }
  const late = fakeGateway([404, 404, 200], 5000)
  expect(await play(late.gateway, read)).toEqual([''])
  expect(late.calls).toHaveLength(3)

  expect((await play(fakeGateway([404, 200]).gateway, read))[0]).toContain('want 200, got 404')
  const others = [
    { name: 'no pause', steps: [{ call, ...want(200) }] },
    { name: 'no management call', steps: [{ sleepMs: 10, call: { path: '/a' }, ...want(200) }] },
    { name: 'a change', steps: [{ sleepMs: 10, call: { ...call, method: 'POST' }, ...want(200) }] },
  ]
  for (const one of others) {
    const { gateway, calls } = fakeGateway([404, 200], 5000)
    expect((await play(gateway, one))[0]).toContain('want 200, got 404')
    expect(calls).toHaveLength(1)
  }
})

test('a gateway that does not start fails every case', async () => {
  const start = () => Promise.reject(new Error('port taken'))
  const cases = [
    { name: 'a', steps: [] },
    { name: 'b', steps: [] },
  ]
  const results = await runSuite('sample', { about: '', cases }, { start, skip: new Set(['b']) })
  expect(results).toEqual([{ suite: 'sample', name: 'a', failures: ['Error: port taken'] }])
})
