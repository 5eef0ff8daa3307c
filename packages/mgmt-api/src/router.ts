/**
 * Finds the operation of a management call. The order of checks is part of the API's contract: the management key first;
 * then the path (404); then the method (405). `routes.ts` lists the operations.
 */
import { vendorForms } from '@turnpike/core/lib'
import { type Context, Hono } from 'hono'
import { failure, toResponse, unknownPath } from './http/reply.ts'
import { keyHeaderOf, makeKeyCheck } from './http/secret.ts'
import type { Management } from './management.ts'
import type { Route } from './operation.ts'
import { operations } from './routes.ts'

export interface Router {
  /** Responds to a call. `address`: of the client. */
  respond(request: Request, address: string): Promise<Response>
  readonly routes: readonly Route[]
}

/** `roots`: paths outside of `/svc/`. They are exact, so that they hide no path of an API. */
export function makeRouter(management: Management, roots: ReadonlySet<string>): Router {
  const { settings, options, clock } = management
  const vendor = vendorForms(settings.vendor)
  const keyHeader = keyHeaderOf(settings.vendor)
  const checkKey = makeKeyCheck(options.secret, clock)
  const routes = operations
    .filter((operation) => operation.enabled?.(management) ?? true)
    .map(
      (operation): Route => ({ method: operation.method, path: withVendor(operation.path, vendor.lower), operation }),
    )
  const app = makeApp(routes, management)
  const patterns = routes.map(({ method, path, operation }) => ({ method, pattern: patternOf(path), operation }))
  const at = (path: string) => patterns.filter(({ pattern }) => pattern.test(path))

  return {
    routes,
    async respond(request, address) {
      const path = pathOf(request.url)
      const there = roots.has(path) && path !== new URL(request.url).pathname ? [] : at(path)
      const matching = there.find(({ method, operation }) => operation.anyMethod ?? method === request.method)
      const isOpen = matching?.operation.open ?? false
      const rejection = isOpen ? undefined : await checkKey(request.headers.get(keyHeader), address)
      if (rejection !== undefined) return toResponse(rejection)
      if (there.length === 0) return toResponse(unknownPath)
      if (matching === undefined) {
        const allow = [...new Set(there.map(({ method }) => method))].sort().join(', ')
        return toResponse(failure(405, 'Method not supported', { allow }))
      }
      return app.fetch(request)
    },
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
      const call = { management, request, params: context.req.param(), query, routes }
      return toResponse(operation.reject?.(call) ?? (await operation.handle(call)))
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
