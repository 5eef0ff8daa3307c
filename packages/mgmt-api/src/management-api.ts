/**
 * The management API as one fetch function. Probes need no key and come first; `router.ts` responds to all other calls.
 * Source: docs/reference/management-api.md#status-messages.
 */
import { rejections } from '@turnpike/core/http'
import { vendorForms } from '@turnpike/core/lib'
import { StoreUnavailableError } from '@turnpike/core/ports'
import { inspectConfig, inspectEnvironment } from './debug/inspect-config.ts'
import { makeProfiling, profilingRoot } from './debug/profiling.ts'
import { makeProbes } from './health/probes.ts'
import { failure, toResponse } from './http/reply.ts'
import type { Management } from './management.ts'
import type { Route } from './operation.ts'
import type { Router } from './router.ts'

export interface ManagementApi {
  /**
   * Responds to a management call or a probe. The promise never rejects. `address`: of the client, for the pause after
   * wrong keys; default: this process.
   */
  fetch(request: Request, address?: string): Promise<Response>
  /** Returns true if a path (undecoded, without query) belongs to the management API. */
  owns(path: string): boolean
  /** All operations, with the vendor word in their paths. */
  routes(): Promise<readonly Route[]>
}

const broken = failure(500, 'Internal error')
/** An unavailable store fails calls in many places; the response must name the cause. The store logs its outages. */
const storeAway = failure(503, rejections.storeUnavailable.message)

/** The operations outside of `/svc/`. `owns` needs their paths before the others are loaded. */
const rootOperations = [inspectConfig, inspectEnvironment]

/** Most of the API is loaded with the first call that is not a probe, since a start must not wait for it. */
export function makeManagementApi(management: Management): ManagementApi {
  const { settings, log } = management
  const vendorRoot = `/${vendorForms(settings.vendor).lower}/`
  const probes = makeProbes(management)
  const enabled = rootOperations.filter((operation) => operation.enabled?.(management) ?? true)
  const roots = new Set(enabled.map(({ path }) => path))
  const profiling = makeProfiling(management)
  let loading: Promise<Router> | undefined

  function loadRouter(): Promise<Router> {
    loading ??= import('./router.ts').then(({ makeRouter }) => makeRouter(management, roots))
    return loading
  }

  async function response(request: Request, address: string): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const probe = probes.get(pathname)
    if (probe !== undefined) return toResponse(await probe(request.method))
    const profile = await profiling?.(pathname, searchParams)
    if (profile !== undefined) return toResponse(profile)
    const router = await loadRouter()
    return router.respond(request, address)
  }

  return {
    async fetch(request, address = '') {
      try {
        return await response(request, address)
      } catch (error) {
        if (error instanceof StoreUnavailableError) return toResponse(storeAway)
        log.error('a management call failed', { method: request.method, reason: String(error) })
        // The store may be available again now, but it was not during this call.
        const isReachable = await management.health.isStoreReachable().catch(() => false)
        return toResponse(isReachable ? broken : storeAway)
      }
    },
    owns(path) {
      const isProfilePath = (one: string) => profiling !== undefined && one.startsWith(profilingRoot)
      return path.startsWith(vendorRoot) || probes.has(path) || roots.has(path) || isProfilePath(path)
    },
    async routes() {
      const router = await loadRouter()
      return router.routes
    },
  }
}
