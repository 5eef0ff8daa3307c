import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine } from '../../test/support/test-engine.ts'
import type { Events } from '../observability/events/events.ts'
import type { RequestRecord } from '../pipeline/contract/record-sink.ts'
import type { RequestDetails, RequestWatcher } from '../pipeline/contract/request-watcher.ts'
import type { OrderEntry, Stage } from '../pipeline/contract/stage.ts'
import { stageOrder } from '../pipeline/stage-order.ts'

const keyed = { use_keyless: false, auth: { auth_header_name: 'Authorization' } }

async function start(wants: boolean, more: object = {}, policies: Readonly<Record<string, object>> = {}) {
  const details: RequestDetails[] = []
  const records: RequestRecord[] = []
  const fired: string[] = []
  const events: Events = { hasHandler: () => true, fire: (event) => void fired.push(event.name), monitor: undefined }
  let micros = 0
  const watcher: RequestWatcher = {
    wants: () => wants,
    nowMicros: () => (micros += 7),
    watched: (_, one) => void details.push(one),
  }
  const test = await makeTestEngine({
    definitions: [definitionOf('orders', keyed)],
    policies,
    engine: { watcher, events, records: [{ record: (entry) => void records.push(entry) }], ...more },
  })
  const limits = { rate: 1, per: 60, quota_max: 10, quota_renewal_rate: 60 }
  await test.putKey('org1abcd', { org_id: 'org1', access_rights: { orders: { api_id: 'orders' } }, ...limits })
  const send = () => test.send('GET', '/orders/x', { authorization: 'abcd' })
  return { ...test, send, details, records, fired }
}

describe('a request of a client that is watched', () => {
  it('is counted, recorded and reported in events like others', async () => {
    const outcome = async (wants: boolean) => {
      const { send, records, fired, upstreamRequests } = await start(wants)
      const statuses = [(await send()).status, (await send()).status]
      return { statuses, fired, records, sent: upstreamRequests.length }
    }
    const watched = await outcome(true)
    expect(watched).toEqual(await outcome(false))
    expect(watched.statuses).toEqual([200, 429])
    expect(watched.fired).toContain('RatelimitExceeded')
    expect(watched.records).toHaveLength(2)
  })

  it('has the time and verdict of each stage', async () => {
    const { send, details } = await start(true)
    await send()
    const stages = details[0]?.stages ?? []
    expect(stages.map(({ stage }) => stage)).toEqual(
      expect.arrayContaining(['auth-token', 'key-access', 'key-limits', 'forward', 'rate-limit-headers']),
    )
    expect(stages.every(({ micros }) => micros === 7)).toBe(true)
    expect(stages.find(({ stage }) => stage === 'forward')?.verdict).toBe('responds: 200')
  })

  it('has the policy or the key that rejected it, and when to retry', async () => {
    const rights = { orders: { api_id: 'orders' } }
    const policies = { slow: { org_id: 'org1', name: 'Slow plan', rate: 1, per: 60, access_rights: rights } }
    const { send, details, putKey } = await start(true, {}, policies)
    await putKey('org1abcd', { org_id: 'org1', apply_policies: ['slow'] })
    await send()
    expect((await send()).status).toBe(429)
    expect(details.map(({ why }) => why)).toEqual([
      undefined,
      expect.objectContaining({
        limit: 'policy "slow" (Slow plan) sets the rate of 1 request in 60 s',
        setBy: [{ kind: 'policy', id: 'slow', name: 'Slow plan' }],
        retryAt: expect.any(Number),
      }),
    ])
    expect(JSON.stringify(details[1]?.why)).not.toContain('abcd')
  })

  it('shows a stage that fails', async () => {
    const failing: OrderEntry<Stage> = {
      name: 'failing',
      phase: '3-admit',
      make: () => ({
        run: () => Promise.reject(new Error('broken')),
      }),
    }
    const order = { ...stageOrder, stages: [failing, ...stageOrder.stages] }
    const { send, details } = await start(true, { order })
    expect((await send()).status).toBe(500)
    expect(details[0]?.stages).toMatchObject([{ stage: 'failing', verdict: 'fails' }])
  })

  it('is not traced while the watcher does not want it', async () => {
    const { send, details } = await start(false)
    await send()
    expect(details).toEqual([])
  })
})
