/**
 * Model of batches beside single requests: a quota admits exactly its number of items and requests together, each item
 * has one reply in its place, and the upstream gets exactly the admitted ones.
 */
import type { Store, Upstream } from '@turnpike/core/ports'
import fc from 'fast-check'
import { defineApi } from 'turnpike'
import { describe, expect, it } from 'vitest'
import { checkModel, makeScheduledGateway, secret, withOperations } from './scheduled-gateway.ts'

interface Command {
  /** 0: a single request. */
  readonly items: number
  readonly inOrder: boolean
}

interface Bug {
  readonly breakStore?: (store: Store) => Store
  readonly breakUpstream?: (upstream: Upstream) => Upstream
}

const quota = 6
const rights = { shop: { api_id: 'shop', versions: ['Default'] } }
const commands = fc.record<Command>({ items: fc.integer({ min: 0, max: 4 }), inOrder: fc.boolean() })

async function checkBatches(bug: Bug = {}): Promise<number> {
  let rejected = 0
  await checkModel(commands, async (scheduler, list) => {
    const { gateway, upstream, runAll } = await makeScheduledGateway(scheduler, {
      config: { secret },
      definitions: [
        {
          ...defineApi({ id: 'shop', target: 'http://upstream.test/', orgId: 'acme' }),
          enable_batch_request_support: true,
        },
      ],
      bodyOf: ({ path }) => path,
      ...bug,
    })
    const session = { org_id: 'acme', access_rights: rights, rate: 0, per: 0 }
    const { key } = await gateway.keys.create({ ...session, quota_max: quota, quota_renewal_rate: 3600 })
    const headers = { Authorization: key }
    const statuses: number[] = []
    const sendBatch = async (at: number, { items, inOrder }: Command) => {
      const requests = Array.from({ length: items }, (_, i) => ({
        method: 'GET',
        relative_url: `c${at}-${i}`,
        headers,
      }))
      const body = JSON.stringify({ requests, suppress_parallel_execution: inOrder })
      const response = await gateway.inject({ url: '/shop/svc/batch/', method: 'POST', body })
      const replies = response.json<{ relative_url: string; code: number; body: string }[]>()
      const own = requests.map(({ relative_url: name }) => name)
      expect(replies.map((reply) => reply.relative_url).sort()).toEqual(own)
      if (inOrder) expect(replies.map((reply) => reply.relative_url)).toEqual(own)
      for (const { relative_url, code, body: text } of replies) {
        if (code === 200) expect(text).toBe(`/${relative_url}`)
        statuses.push(code)
      }
    }
    const sendSingle = async (at: number) => {
      statuses.push((await gateway.inject({ url: `/shop/c${at}`, headers })).status)
    }
    await runAll(list.map((command, i) => () => (command.items === 0 ? sendSingle(i) : sendBatch(i, command))))
    const admitted = statuses.filter((status) => status === 200).length
    expect(admitted).toBe(Math.min(quota, statuses.length))
    expect(statuses.filter((status) => status === 403)).toHaveLength(statuses.length - admitted)
    expect(upstream.requests).toHaveLength(admitted)
    rejected += statuses.length - admitted
    await gateway.close(0)
  })
  return rejected
}

describe('batches beside single requests', () => {
  it('follow the model, and the quota rejects', async () => {
    expect(await checkBatches()).toBeGreaterThan(100)
  })

  it.each<[string, Bug]>([
    [
      'a decision counts with a reading from before',
      {
        breakStore: (store) =>
          withOperations(store, 'counters', (inner) => ({
            async consume(counter, amount) {
              const before = await inner.consume(counter, 0)
              const after = await inner.consume(counter, amount)
              return (before.quota?.remaining ?? 0) > 0 ? { ...after, quota: before.quota } : after
            },
          })),
      },
    ],
    [
      'an item is sent twice',
      {
        breakUpstream: (upstream) => ({
          connect(origin, options) {
            const link = upstream.connect(origin, options)
            return {
              async send(request) {
                if (request.path.includes('-1')) await link.send(request)
                return link.send(request)
              },
              release: () => link.release(),
            }
          },
          close: () => upstream.close(),
        }),
      },
    ],
  ])('detect the seeded bug: %s', async (_, bug) => {
    await expect(checkBatches(bug)).rejects.toThrow('Property failed')
  })
})
