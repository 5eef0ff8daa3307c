import { describe, expect, it } from 'vitest'
import { makeTestGateway } from '../../test/test-gateway.ts'
import type { OpenApiDocument } from './openapi.ts'

const options = { docs: true, configInspection: true }
const explain = async () => ({ apiId: undefined, status: 404, headers: [], body: '', stages: [] })

async function documented(): Promise<{ document: OpenApiDocument; routes: string[] }> {
  const gateway = await makeTestGateway({ options, management: { explain } })
  const { json } = await gateway.callOpen('GET', '/svc/docs/openapi.json')
  return {
    document: json as OpenApiDocument,
    routes: (await gateway.api.routes()).map(({ method, path }) => `${method} ${path}`),
  }
}

describe('the OpenAPI document', () => {
  it('holds the operations of the routes table and the probes, and no other', async () => {
    const { document, routes } = await documented()
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(operations.toSorted()).toEqual([...routes, 'GET /hello', 'GET /ready'].toSorted())
  })

  it('gives every operation an id of its own and names every segment of its path once', async () => {
    const { document } = await documented()
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, operation })),
    )
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { path, operation } of operations) {
      const segments = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const named = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
      expect(named, path).toEqual(segments)
    }
    const shapes = Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'))
    expect(new Set(shapes).size).toBe(shapes.length)
  })

  it('has no unresolved references', async () => {
    const { document } = await documented()
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name]) => name,
    )
    expect(new Set(references)).toEqual(new Set(Object.keys(document.components.schemas)))
  })

  it('names the header of the management key with the vendor word', async () => {
    const gateway = await makeTestGateway({ options, settings: { vendor: 'acme' } })
    const { json } = await gateway.callOpen('GET', '/acme/docs/openapi.json')
    expect(json).toMatchObject({ components: { securitySchemes: { managementKey: { name: 'x-acme-authorization' } } } })
  })
})

describe('the page', () => {
  it('needs no key and asks nobody else for anything', async () => {
    const gateway = await makeTestGateway({ options })
    const said = await gateway.callOpen('GET', '/svc/docs')
    expect(said.status).toBe(200)
    expect(said.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(said.text).not.toMatch(/(src|href)="(https?:)?\/\//)
    expect(said.text).not.toMatch(/@import|url\(/)
    expect(said.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(said.text.length).toBeLessThan(100_000)
  })

  it('shows every operation', async () => {
    const gateway = await makeTestGateway({ options })
    const { text } = await gateway.callOpen('GET', '/svc/docs')
    for (const { operation } of await gateway.api.routes()) expect(text).toContain(`id="${operation.id}"`)
  })

  it('is disabled by default', async () => {
    const gateway = await makeTestGateway()
    expect((await gateway.call('GET', '/svc/docs')).status).toBe(404)
    expect((await gateway.callOpen('GET', '/svc/docs')).status).toBe(403)
  })
})
