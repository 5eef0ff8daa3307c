/**
 * The management API as one fetch function. The order of checks is part of its contract: probes first, without a key; then
 * the management key; then the path (404); then the method (405). `routes.ts` lists the operations. Source: docs/reference/management-api.md#status-messages.
 */
import { rejections, StoreUnavailableError, vendorForms } from '@turnpike/core'
import { type Context, Hono } from 'hono'
import { makeProfiling, profilingRoot } from './debug/profiling.ts'
import { makeProbes } from './health/probes.ts'
import { failure, toResponse, unknownPath } from './http/reply.ts'
import { keyHeaderOf, makeKeyCheck } from './http/secret.ts'
import type { Management } from './management.ts'
import type { Route } from './operation.ts'
import { operations } from './routes.ts'

export interface ManagementApi {
  /**
   * Responds to a management call or a probe. The promise never rejects. `address`: of the client, for the pause after
   * wrong keys; default: this process.
   */
  fetch(request: Request, address?: string): Promise<Response>
  /** Returns true if a path (undecoded, without query) belongs to the management API. */
  owns(path: string): boolean
  /** All operations, with the vendor word in their paths. */
  readonly routes: readonly Route[]
}

const broken = failure(500, 'Internal error')
/** An unavailable store fails calls in many places; the response must name the cause. */
const storeAway = failure(503, rejections.storeUnavailable.message)

export function makeManagementApi(management: Management): ManagementApi {
  const { settings, options, log, clock } = management
  const vendor = vendorForms(settings.vendor)
  const keyHeader = keyHeaderOf(settings.vendor)
  const checkKey = makeKeyCheck(options.secret, clock)
  const probes = makeProbes(management)
  const routes = operations
    .filter((operation) => operation.enabled?.(management) ?? true)
    .map(
      (operation): Route => ({ method: operation.method, path: withVendor(operation.path, vendor.lower), operation }),
    )
  const app = makeApp(routes, management)
  const roots = new Set(routes.map(({ path }) => path).filter((path) => !path.startsWith(`/${vendor.lower}/`)))
  const patterns = routes.map(({ method, path, operation }) => ({ method, pattern: patternOf(path), operation }))
  const profiling = makeProfiling(management)
  const at = (path: string) => patterns.filter(({ pattern }) => pattern.test(path))

  async function response(request: Request, address: string): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const probe = probes.get(pathname)
    if (probe !== undefined) return toResponse(await probe(request.method))
    const profile = await profiling?.(pathname, searchParams)
    if (profile !== undefined) return toResponse(profile)
    const path = pathOf(request.url)
    // Paths at the root are exact, so that they hide no path of an API.
    const there = roots.has(path) && path !== pathname ? [] : at(path)
    const matching = there.find(({ method, operation }) => operation.anyMethod ?? method === request.method)
    const isOpen = matching?.operation.open ?? false
    const refusal = isOpen ? undefined : await checkKey(request.headers.get(keyHeader), address)
    if (refusal !== undefined) return toResponse(refusal)
    if (there.length === 0) return toResponse(unknownPath)
    if (matching === undefined) {
      const allow = [...new Set(there.map(({ method }) => method))].sort().join(', ')
      return toResponse(failure(405, 'Method not supported', { allow }))
    }
    return app.fetch(request)
  }

  return {
    async fetch(request, address = '') {
      try {
        return await response(request, address)
      } catch (error) {
        log.error('a management call failed', { method: request.method, reason: String(error) })
        // The store may be available again now, but it was not during this call.
        const away =
          error instanceof StoreUnavailableError || !(await management.health.isStoreReachable().catch(() => false))
        return toResponse(away ? storeAway : broken)
      }
    },
    owns(path) {
      const isProfilePath = (one: string) => profiling !== undefined && one.startsWith(profilingRoot)
      return path.startsWith(`/${vendor.lower}/`) || probes.has(path) || roots.has(path) || isProfilePath(path)
    },
    routes,
  }
}

/** Methods that a request to an operation with `anyMethod` can have. */
const anyMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

function makeApp(routes: readonly Route[], management: Management): Hono {
  const app = new Hono({ getPath: (request) => pathOf(request.url) })
  for (const { method, path, operation } of routes) {
    const methods = operation.anyMethod ? anyMethods : [method]
    app.on(methods, path.replaceAll(/\{(\w+)\}/g, ':$1'), async (context: Context) => {
      const request = context.req.raw
      const query = new URL(request.url).searchParams
      return toResponse(await operation.handle({ management, request, params: context.req.param(), query, routes }))
    })
  }
  app.onError((error) => {
    throw error
  })
  return app
}

function withVendor(path: string, vendor: string): string {
  return path.replace(/^\/svc(?=\/)/, `/${vendor}`)
}

/** Undecoded, so that an encoded slash stays within its segment. */
function pathOf(url: string): string {
  return withoutTrailingSlashes(new URL(url).pathname)
}

function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end--
  return path.slice(0, end)
}

function patternOf(path: string): RegExp {
  const source = path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${source}$`)
}
