/**
 * What the page reads, and the reload: a table of calls below `/api/dashboard/`, each with the permission that it
 * needs. All need a session of the dashboard. Those that change something must come from the page itself.
 */
import { invertibleHashWarning, looksLikeMurmurHash } from '@turnpike/core/lib'
import type { DashboardServices } from '../dashboard-services.ts'
import type { Feeds } from '../feed/feeds.ts'
import type { History } from '../feed/last-hour.ts'
import { addNumbers, type MinuteNumbers, type Tally } from '../feed/tally.ts'
import { failure, notFound, ok } from '../http/reply.ts'
import { findOrganisation } from '../sso/people.ts'
import type { Area, Viewer } from '../sso/viewer.ts'
import type { KeyListCache } from './key-list-cache.ts'
import { makeReadMeters } from './meters.ts'
import { showApi } from './show-api.ts'
import { showKey } from './show-key.ts'
import { showPolicy } from './show-policy.ts'
import { showReload } from './show-reload.ts'

export interface ReadCall {
  readonly viewer: Viewer
  readonly request: Request
  /** The body was too long to be read. */
  readonly bodyTooLong: boolean
  /** What the path names. */
  readonly name: string
}

export interface ReadOperation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/api/dashboard`. */
  readonly path: string
  /** Absent: any session is enough. */
  readonly needs?: readonly [Area, 'read' | 'write']
  handle(call: ReadCall): Promise<Response> | Response
}

/** Numbers of the last minute for all that the viewer sees. */
export function makeNumbers({ gateway }: DashboardServices, tally: Tally): (viewer: Viewer) => MinuteNumbers {
  return (viewer) => addNumbers(apisOf(gateway, viewer).map(({ id }) => tally.of(id)))
}

/** Sources of numbers and live traffic. */
export interface Observed {
  readonly tally: Tally
  readonly history: History
  readonly feeds: Feeds
  readonly keyLists: KeyListCache
}

export function makeReadApi(parts: DashboardServices, observed: Observed): readonly ReadOperation[] {
  const { gateway, options } = parts
  const { tally, history, feeds } = observed
  const reportFor = (viewer: Viewer) => {
    const report = gateway.report()
    return report && showReload(report, viewer, gateway.definitions(), options)
  }

  return [
    { method: 'GET', path: '/status', handle: ({ viewer }) => showStatus(parts, viewer) },
    read('/apis', 'apis', ({ viewer }) => {
      const breakers = gateway.breakers()
      return ok('', { apis: apisOf(gateway, viewer).map((api) => showApi(api, breakers, tally.of(api.id))) })
    }),
    read('/policies', 'policies', ({ viewer }) => {
      const own = gateway.policies().policies.filter(({ orgId }) => viewer.sees(orgId))
      return ok('', { policies: own.map(showPolicy) })
    }),
    ...makeKeyOperations(parts, observed.keyLists),
    read('/reload', 'apis', ({ viewer }) => ok('', reportFor(viewer) ?? null)),
    {
      method: 'POST',
      path: '/reload',
      needs: ['apis', 'write'],
      async handle({ viewer }) {
        try {
          await gateway.reload()
        } catch (cause) {
          parts.log.error('a reload that the dashboard requested failed', { reason: String(cause) })
          return failure(500, 'The reload failed; the log contains the reason')
        }
        return ok('Reloaded', reportFor(viewer))
      },
    },
    read('/history', 'analytics', ({ viewer }) => ok('', { minutes: history.of(viewer.sees) })),
    read('/feed', 'analytics', ({ viewer, request }) => feeds.open(viewer, request.signal)),
  ]
}

function read(path: string, area: Area, handle: ReadOperation['handle']): ReadOperation {
  return { method: 'GET', path, needs: [area, 'read'], handle }
}

function apisOf(gateway: DashboardServices['gateway'], viewer: Viewer) {
  return gateway.definitions().filter(({ orgId }) => viewer.sees(orgId))
}

async function showStatus({ gateway, settings, options, store }: DashboardServices, viewer: Viewer): Promise<Response> {
  const { OrgID: id, EmailAddress, DisplayName } = viewer.user
  return ok('', {
    version: gateway.version,
    vendor: settings.vendor,
    organisation: { id, name: findOrganisation(options, id)?.ownerName || id },
    user: DisplayName === '' ? EmailAddress : DisplayName,
    may: {
      traffic: viewer.may('analytics', 'read'),
      apis: viewer.may('apis', 'read'),
      keys: viewer.may('keys', 'read'),
      policies: viewer.may('policies', 'read'),
      reload: viewer.may('apis', 'write'),
      edit: {
        apis: viewer.may('apis', 'write'),
        keys: viewer.may('keys', 'write'),
        policies: viewer.may('policies', 'write'),
      },
    },
    storeAvailable: (await store.check()).ok,
  })
}

function makeKeyOperations(
  { gateway, store, settings, clock }: DashboardServices,
  keyLists: KeyListCache,
): readonly ReadOperation[] {
  const readMeters = makeReadMeters(store.counters, settings)
  return [
    read('/keys', 'keys', async ({ viewer, request }) => {
      const search = new URL(request.url).searchParams.get('search') ?? ''
      const { keys, more } = await keyLists.list(viewer, search)
      const isInvertible = settings.keys.hashKeys && keys.some(({ hash }) => looksLikeMurmurHash(hash))
      const warning = isInvertible ? { warning: invertibleHashWarning } : {}
      return ok('', { keys: keys.map(showKey), more, ...warning })
    }),
    read('/keys/:name/meters', 'keys', async ({ viewer, name }) => {
      const key = await keyLists.find(viewer, name)
      if (key === undefined) return notFound()
      return ok('', { ...showKey(key), meters: await readMeters(key, apisOf(gateway, viewer)), now: clock.now() })
    }),
  ]
}
