/**
 * Model of reloads: a request that starts after a reload was acknowledged is served by that definition or a later one, and
 * each request by one definition from its first stage to its last.
 */
import type { Upstream } from '@turnpike/core/ports'
import fc from 'fast-check'
import { defineApi } from 'turnpike'
import { describe, expect, it } from 'vitest'
import { checkModel, makeScheduledGateway, secret } from './scheduled-gateway.ts'

type Command = 'edit' | 'request'

const rights = { shop: { api_id: 'shop', versions: ['Default'] } }

/** Version n sends requests below /vN/ and adds a header with the number, in two different stages. */
function definitionOf(version: number) {
  return {
    ...defineApi({ id: 'shop', target: `http://upstream.test/v${version}/`, orgId: 'acme' }),
    version_data: {
      not_versioned: true,
      versions: {
        Default: { name: 'Default', use_extended_paths: true, global_headers: { 'x-version': String(version) } },
      },
    },
  }
}

interface Bug {
  /** Definitions that a reload reads, if `latest` is the last edit. */
  readonly read?: (latest: number, earlier: number) => number
  readonly breakUpstream?: (latest: () => number) => (upstream: Upstream) => Upstream
}

async function checkReloads({ read = (latest) => latest, breakUpstream }: Bug = {}): Promise<number> {
  let served = 0
  await checkModel(fc.constantFrom<Command>('edit', 'request', 'request'), async (scheduler, commands) => {
    let latest = 1
    let acknowledged = 1
    let readBefore = 1
    const { gateway, upstream, runAll } = await makeScheduledGateway(scheduler, {
      config: { secret },
      definitions() {
        const version = read(latest, readBefore)
        readBefore = latest
        return [definitionOf(version)]
      },
      breakUpstream: breakUpstream?.(() => latest),
      bodyOf: ({ path, headers }) => `${path} ${headers[headers.indexOf('x-version') + 1]}`,
    })
    const { key } = await gateway.keys.create({ org_id: 'acme', access_rights: rights, rate: 1000, per: 1 })
    const run: Record<Command, () => Promise<void>> = {
      async edit() {
        const version = ++latest
        const report = await gateway.reload()
        expect(report.failed).toEqual([])
        acknowledged = Math.max(acknowledged, version)
      },
      async request() {
        const atLeast = acknowledged
        const response = await gateway.inject({ url: '/shop/x', headers: { Authorization: key } })
        const [, sent = '', header] = /^\/v(\d+)\/x (\d+)$/.exec(response.text()) ?? []
        expect(response.status).toBe(200)
        expect(header).toBe(sent)
        expect(Number(sent)).toBeGreaterThanOrEqual(atLeast)
        expect(Number(sent)).toBeLessThanOrEqual(latest)
        served += 1
      },
    }
    await runAll(commands.map((command) => run[command]))
    expect(upstream.underWay).toBe(0)
    await gateway.close(0)
  })
  return served
}

describe('reloads during requests', () => {
  it('follow the model', async () => {
    expect(await checkReloads()).toBeGreaterThan(100)
  })

  it.each<[string, Bug]>([
    ['a reload serves what the reload before it has read', { read: (_, earlier) => earlier }],
    [
      'a running request continues with the newest definition',
      {
        breakUpstream: (latest) => (upstream) => ({
          connect(origin, options) {
            const link = upstream.connect(origin, options)
            return {
              send: (request) => link.send({ ...request, path: request.path.replace(/v\d+/, `v${latest()}`) }),
              release: () => link.release(),
            }
          },
          close: () => upstream.close(),
        }),
      },
    ],
  ])('detect the seeded bug: %s', async (_, bug) => {
    await expect(checkReloads(bug)).rejects.toThrow('Property failed')
  })
})
