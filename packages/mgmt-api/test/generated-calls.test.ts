/**
 * Every documented operation under generated calls, good and bad: no fault that is not recorded, nothing answered that
 * is not documented. The operations come from the document that is served, so new ones are driven as they appear.
 */
import {
  type AnyDocument,
  checkResponse,
  type DocumentedOperation,
  documentedFailures,
  documentedMethods,
  documentedOperations,
  generatedCall,
} from '@turnpike/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keyedApi, makeTestGateway, sessionFor, type TestGateway } from './test-gateway.ts'

const runs = process.env.CI === undefined ? 1500 : 8000

interface Driven {
  readonly gateway: TestGateway
  readonly document: AnyDocument
  readonly operations: readonly DocumentedOperation[]
}

async function makeDriven(): Promise<Driven> {
  const explain = async () => ({ apiId: undefined, status: 404, headers: [], body: '', stages: [] })
  const gateway = await makeTestGateway({
    apis: [keyedApi('a'), keyedApi('open', { use_keyless: true }), keyedApi('auth', { use_oauth2: true })],
    policies: [{ id: 'p', org_id: 'org1', access_rights: { a: { api_id: 'a', versions: ['Default'] } } }],
    options: { docs: true, configInspection: true, healthChecks: true, hashedKeysListing: true, maxBodyBytes: 100_000 },
    management: { explain },
  })
  await gateway.call('POST', '/svc/keys/k', sessionFor('a'))
  const document = (await gateway.callOpen('GET', '/svc/docs/openapi.json')).json as AnyDocument
  return { gateway, document, operations: documentedOperations(document) }
}

const names = ['a', 'open', 'auth', 'p', 'k', 'org1k', 'org1', 'new']

describe('the management API', () => {
  it('responds to every generated call as documented', { timeout: 120_000 }, async () => {
    const { gateway, document, operations } = await makeDriven()
    const answered = new Map<string, Set<number>>()
    await fc.assert(
      fc.asyncProperty(generatedCall(operations, document, { names }), async (call) => {
        const { status, headers, text } = await gateway.call(call.method, call.target, call.body, call.headers)
        const { id } = call.operation
        answered.set(id, (answered.get(id) ?? new Set()).add(status))
        const given = { status, contentType: headers.get('content-type') ?? '', body: text }
        expect(checkResponse(call, given, document, documentedFailures)).toBeUndefined()
      }),
      // What an earlier call left behind counts too, so a shorter trace may not show it: it is reported at once.
      { numRuns: runs, endOnFailure: true },
    )
    // A generator that is rejected everywhere would prove nothing.
    const reached = [...answered.values()].filter((statuses) => [...statuses].some((status) => status < 400))
    expect(reached.length).toBeGreaterThan(operations.length / 4)
  })

  it('responds with 405 with Allow to every method that a path does not have, and 403 without the key', async () => {
    const { gateway, operations } = await makeDriven()
    for (const path of new Set(operations.map((one) => one.path.replaceAll(/\{\w+\}/g, 'x')))) {
      if (path === '/hello' || path === '/ready') continue
      const allowed = documentedMethods(operations, path)
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'QUERY']) {
        if (allowed.includes(method)) continue
        const said = await gateway.call(method, path)
        expect([method, path, said.status, said.headers.get('allow')]).toEqual([method, path, 405, allowed.join(', ')])
        expect((await gateway.callOpen(method, path)).status).toBe(403)
      }
    }
  })

  it('documents every route, and has a route for all that it documents', async () => {
    const { gateway, operations } = await makeDriven()
    const routes = (await gateway.api.routes()).map(({ method, path }) => `${method} ${path}`)
    const probes = ['GET /hello', 'GET /ready']
    expect(operations.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
      [...routes, ...probes].toSorted(),
    )
  })
})
