/**
 * Property 14 for reloads on one node with any store. @turnpike/cluster-sim checks it on several nodes.
 * Source: docs/reference/hot-reload.md#reload-contents.
 */
import { makeInjectedRequest } from '@turnpike/core/engine'
import { headerOf } from '@turnpike/core/http'
import type { Store } from '@turnpike/core/ports'
import fc from 'fast-check'
import { makeProperty } from './property.ts'
import { accessTo, makeTestEngine, type OpenStore, testDefinition } from './subjects/test-engine.ts'

export interface ReloadUnderTest {
  /** Loads a definition with this quota and version. Resolves when it is served. */
  reload(max: number, version: number): Promise<void>
  /** Sends one request. Returns its status and the versions that its target path and its headers show. */
  send(): Promise<{ readonly status: number; readonly versions: readonly (string | undefined)[] }>
}

export interface ReloadSubject {
  readonly name: string
  /** Makes a node that serves version 1 with this quota. */
  make(max: number): Promise<ReloadUnderTest>
}

type ReloadStep =
  | { readonly kind: 'request'; readonly requests: number }
  /** `during`: number of requests that are sent during the reload. */
  | { readonly kind: 'reload'; readonly max: number | undefined; readonly during: number }

interface ReloadCase {
  readonly max: number
  readonly steps: readonly ReloadStep[]
}

const step: fc.Arbitrary<ReloadStep> = fc.oneof(
  fc.record({ kind: fc.constant('request' as const), requests: fc.integer({ min: 1, max: 6 }) }),
  fc.record({
    kind: fc.constant('reload' as const),
    max: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
    during: fc.constantFrom(0, 0, 1, 3),
  }),
)

export const oneNodeReloadProperty = makeProperty<ReloadSubject, ReloadCase>({
  number: 14,
  isExpensive: true,
  name: 'refinement, reload on one node',
  statement:
    'A reload that changes no limit changes no decision; a changed limit applies to every request that starts after the reload is acknowledged; each request uses one configuration.',
  cases: fc.record({
    max: fc.integer({ min: 1, max: 12 }),
    steps: fc.array(step, { minLength: 1, maxLength: 10 }),
  }),
  requestsOf: ({ steps }) => steps.reduce((sum, one) => sum + (one.kind === 'request' ? one.requests : one.during), 0),
  show: ({ max, steps }) =>
    [
      `  at most ${max}`,
      ...steps.map((one) =>
        one.kind === 'request'
          ? `  ${one.requests} at once`
          : `  reload${one.max === undefined ? '' : ` with at most ${one.max}`}, ${one.during} requests during it`,
      ),
    ].join('\n'),
  async check(subject, { max: first, steps }) {
    const underTest = await subject.make(first)
    let max = first
    let used = 0
    let version = 1
    for (const [index, one] of steps.entries()) {
      const before = max
      const requests = one.kind === 'request' ? one.requests : one.during
      let reloaded: Promise<void> | undefined
      if (one.kind === 'reload') {
        version += 1
        max = one.max ?? max
        reloaded = underTest.reload(max, version)
      }
      const responses = await Promise.all(Array.from({ length: requests }, () => underTest.send()))
      await reloaded
      const mixed = responses.find(({ status, versions }) => status === 200 && new Set(versions).size > 1)
      if (mixed !== undefined) return `in step ${index} a request uses versions ${mixed.versions.join(' and ')}`
      const admitted = responses.filter(({ status }) => status === 200).length
      // Either limit may apply to requests that were sent during the reload.
      const allowed = [before, max].map((limit) => Math.max(0, Math.min(requests, limit - used)))
      const [minAllowed, maxAllowed] = [Math.min(...allowed), Math.max(...allowed)]
      if (admitted < minAllowed || admitted > maxAllowed)
        return `in step ${index} ${admitted} of ${requests} are admitted, with ${used} used of ${max}`
      used += requests
    }
    return undefined
  },
})

export interface EngineReloadsOptions {
  readonly open?: OpenStore
  /** Called at each reload. Mutants use it. */
  readonly onReload?: (store: Store) => Promise<void>
}

/** The engine as a subject: a key whose quota comes from a policy. */
export function engineReloads(name: string, { open, onReload }: EngineReloadsOptions = {}): ReloadSubject {
  return {
    name,
    async make(max) {
      const { engine, store, serve, upstream } = await makeTestEngine({
        open,
        definitions: [definitionOf(1)],
        policies: policiesOf(max),
        keys: { org1reloadkey: { org_id: 'org1', apply_policies: ['gold'] } },
      })
      let sent = 0
      return {
        async reload(newMax, version) {
          await serve([definitionOf(version)], policiesOf(newMax))
          await onReload?.(store)
        },
        async send() {
          sent += 1
          const marker = `r${sent}`
          const request = makeInjectedRequest({
            url: '/reload-api/x',
            headers: { authorization: 'reloadkey', 'x-marker': marker },
          })
          const { status } = await engine.handle(request)
          const seen = upstream.requests.find(({ headers }) => headers.includes(marker))
          if (seen === undefined) return { status, versions: [] }
          return { status, versions: [/^\/(v\d+)\//.exec(seen.path)?.[1], headerOf(seen.headers, 'x-version')] }
        },
      }
    },
  }
}

function definitionOf(version: number) {
  const headers = { 'x-version': `v${version}` }
  const versions = { Default: { name: 'Default', global_headers: headers } }
  return testDefinition(
    'reload-api',
    { version_data: { not_versioned: true, versions } },
    `http://upstream.test/v${version}`,
  )
}

function policiesOf(max: number) {
  const limits = { rate: 0, per: 0, quota_max: max, quota_renewal_rate: 3600 }
  return { gold: { id: 'gold', active: true, ...accessTo('reload-api'), ...limits } }
}
