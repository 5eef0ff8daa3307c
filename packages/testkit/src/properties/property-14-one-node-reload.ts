/**
 * Property 14, the part about reloads, on one node and any store: a reload that changes no limit is invisible, a changed
 * one governs what starts after the reload is acknowledged, and each request sees one configuration. Over several nodes
 * it is in @turnpike/cluster-sim.
 */
import { makeInjectedRequest, type Store } from '@turnpike/core'
import fc from 'fast-check'
import { makeProperty } from './property.ts'
import { makeTestEngine, type OpenStore } from './test-engine.ts'

export interface ReloadUnderTest {
  /** Serves this maximum from when it settles, with a version that requests can tell. */
  reload(max: number, version: number): Promise<void>
  /** Status of one request, and the versions that target and headers had. */
  ask(): Promise<{ readonly status: number; readonly versions: readonly (string | undefined)[] }>
}

export interface ReloadSubject {
  readonly name: string
  /** A node that serves this maximum as version 1. */
  make(max: number): Promise<ReloadUnderTest>
}

type ReloadStep =
  | { readonly kind: 'ask'; readonly requests: number }
  /** `during`: requests that are sent while the reload is under way. */
  | { readonly kind: 'reload'; readonly max: number | undefined; readonly during: number }

interface ReloadCase {
  readonly max: number
  readonly steps: readonly ReloadStep[]
}

const step: fc.Arbitrary<ReloadStep> = fc.oneof(
  fc.record({ kind: fc.constant('ask' as const), requests: fc.integer({ min: 1, max: 6 }) }),
  fc.record({
    kind: fc.constant('reload' as const),
    max: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
    during: fc.constantFrom(0, 0, 1, 3),
  }),
)

export const oneNodeReloadProperty = makeProperty<ReloadSubject, ReloadCase>({
  number: 14,
  name: 'reload on one node',
  statement:
    'A reload that changes no limit is invisible in decisions; a changed limit governs every request that starts after it was acknowledged; each request sees one configuration.',
  cases: fc.record({
    max: fc.integer({ min: 1, max: 12 }),
    steps: fc.array(step, { minLength: 1, maxLength: 10 }),
  }),
  requestsOf: ({ steps }) => steps.reduce((sum, one) => sum + (one.kind === 'ask' ? one.requests : one.during), 0),
  show: ({ max, steps }) =>
    [
      `  at most ${max}`,
      ...steps.map((one) =>
        one.kind === 'ask'
          ? `  ${one.requests} at once`
          : `  reload${one.max === undefined ? '' : ` with at most ${one.max}`}, ${one.during} requests meanwhile`,
      ),
    ].join('\n'),
  async check(subject, { max: first, steps }) {
    const underTest = await subject.make(first)
    let max = first
    let used = 0
    let version = 1
    for (const [index, one] of steps.entries()) {
      const before = max
      const requests = one.kind === 'ask' ? one.requests : one.during
      let reloaded: Promise<void> | undefined
      if (one.kind === 'reload') {
        version += 1
        max = one.max ?? max
        reloaded = underTest.reload(max, version)
      }
      const answers = await Promise.all(Array.from({ length: requests }, () => underTest.ask()))
      await reloaded
      const mixed = answers.find(({ status, versions }) => status === 200 && new Set(versions).size > 1)
      if (mixed !== undefined) return `in step ${index} a request meets versions ${mixed.versions.join(' and ')}`
      const admitted = answers.filter(({ status }) => status === 200).length
      // Of two limits either may govern what was sent while one took the other's place.
      const right = [before, max].map((most) => Math.max(0, Math.min(requests, most - used)))
      const [least, most] = [Math.min(...right), Math.max(...right)]
      if (admitted < least || admitted > most)
        return `in step ${index} ${admitted} of ${requests} are admitted, with ${used} used of ${max}`
      used += requests
    }
    return undefined
  },
})

export interface EngineReloadsOptions {
  readonly open?: OpenStore
  /** What else happens at a reload; for faults. */
  readonly onReload?: (store: Store) => Promise<void>
}

/** The engine: a key whose quota comes from a policy. */
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
      let asked = 0
      return {
        async reload(newMax, version) {
          await serve([definitionOf(version)], policiesOf(newMax))
          await onReload?.(store)
        },
        async ask() {
          asked += 1
          const mark = `r${asked}`
          const request = makeInjectedRequest({
            url: '/law-14/x',
            headers: { authorization: 'reloadkey', 'x-mark': mark },
          })
          const { status } = await engine.handle(request)
          const seen = upstream.asked.find(({ headers }) => headers.includes(mark))
          if (seen === undefined) return { status, versions: [] }
          const at = seen.headers.indexOf('x-version')
          return { status, versions: [/^\/(v\d+)\//.exec(seen.path)?.[1], seen.headers[at + 1]] }
        },
      }
    },
  }
}

function definitionOf(version: number) {
  return {
    name: 'law-14',
    api_id: 'law-14',
    org_id: 'org1',
    active: true,
    auth: { auth_header_name: 'Authorization' },
    version_data: {
      not_versioned: true,
      versions: { Default: { name: 'Default', global_headers: { 'x-version': `v${version}` } } },
    },
    proxy: { listen_path: '/law-14/', target_url: `http://upstream.test/v${version}`, strip_listen_path: true },
  }
}

function policiesOf(max: number) {
  const rights = { 'law-14': { api_id: 'law-14', versions: ['Default'] } }
  const limits = { rate: 0, per: 0, quota_max: max, quota_renewal_rate: 3600 }
  return { gold: { id: 'gold', org_id: 'org1', active: true, access_rights: rights, ...limits } }
}
