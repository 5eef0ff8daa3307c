import { describe, expect, it } from 'vitest'
import { type DocumentEngineOptions, documentOf, makeDocumentEngine } from '../../../test/support/document-engine.ts'
import { collectResponse } from '../../engine/inject.ts'
import type { Json } from '../../lib/json.ts'

const security = [{ key: [] }]
const components = {
  securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' }, login: { type: 'http', scheme: 'basic' } },
}
const key = { enabled: true, header: { enabled: true, name: 'X-Key' } }

async function makeEngine(metadata: Json | undefined, options: DocumentEngineOptions = {}, more: Json = {}) {
  const authentication = {
    enabled: true,
    securitySchemes: { key, login: { enabled: true } },
    ...(metadata === undefined ? {} : { protectedResourceMetadata: metadata }),
  }
  const test = await makeDocumentEngine(
    documentOf(
      { security, components, ...more },
      { server: { authentication }, middleware: { global: { contextVariables: { enabled: true } } } },
    ),
    options,
  )
  return async (method: string, path: string, headers: Record<string, string> = {}) => {
    const response = await collectResponse(await test.send(method, path, { Host: 'api.test', ...headers }))
    return { status: response.status, text: response.text(), hint: response.headers['www-authenticate'] }
  }
}

const path = '/d/.well-known/oauth-protected-resource'
const hintOf = (url: string) => `Bearer realm="svc", resource_metadata="${url}"`

describe('metadata of a document', () => {
  it('are returned without a key, with variables replaced and empty lists left out', async () => {
    const send = await makeEngine({ enabled: true, resource: 'https://$svc_context.headers_Tenant/d' })
    const { status, text } = await send('GET', path, { Tenant: 'north' })
    expect([status, JSON.parse(text)]).toEqual([200, { resource: 'https://north/d' }])
  })

  it.each([
    ['POST', path],
    ['HEAD', path],
    ['GET', `${path}/`],
    ['GET', `${path}/x`],
  ])('are not at %s %s', async (method, at) => {
    const send = await makeEngine({ enabled: true, resource: 'r' })
    expect((await send(method, at)).status).toBe(401)
  })

  it('are at another path, whose outer slashes do not count', async () => {
    const send = await makeEngine({ enabled: true, resource: 'r', wellKnownPath: '/about/me/' })
    expect((await send('GET', '/d/about/me')).status).toBe(200)
    expect((await send('GET', path)).hint).toBe(hintOf('http://api.test/d/about/me'))
  })

  it.each([undefined, { enabled: false, resource: 'r' }, { resource: 'r' }])('are absent with %j', async (metadata) => {
    const send = await makeEngine(metadata)
    const { status, hint } = await send('GET', path)
    expect([status, hint]).toEqual([401, undefined])
  })
})

describe('the hint', () => {
  const metadata = { enabled: true, resource: 'r' }

  it('has the scheme that a proxy reports and the host of the request', async () => {
    const send = await makeEngine(metadata)
    expect((await send('GET', '/d/x')).hint).toBe(hintOf(`http://api.test${path}`))
    expect((await send('GET', '/d/x', { 'X-Key': 'unknown-key' })).hint).toBe(hintOf(`http://api.test${path}`))
    const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'else.test' }
    expect((await send('GET', '/d/x', headers)).hint).toBe(hintOf(`https://api.test${path}`))
  })

  it('is missing if scheme or host are not safe to repeat', async () => {
    const send = await makeEngine(metadata)
    expect((await send('GET', '/d/x', { 'X-Forwarded-Proto': 'a"b' })).hint).toBe(hintOf(`http://api.test${path}`))
    expect((await send('GET', '/d/x', { Host: 'a"b' })).hint).toBeUndefined()
  })

  it('leaves the challenge of basic authentication alone', async () => {
    const send = await makeEngine(metadata, {}, { security: [{ login: [] }] })
    expect((await send('GET', '/d/x')).hint).toBe('Basic realm="d"')
  })
})

describe('an MCP proxy', () => {
  const mcp: DocumentEngineOptions = { kind: 'mcp' }

  it('has its own metadata only if they name a resource or a server', async () => {
    const send = await makeEngine({ enabled: true, resource: 'r', authorizationServers: ['s'] }, mcp)
    const { text } = await send('GET', path)
    expect(JSON.parse(text)).toEqual({ resource: 'r', authorization_servers: ['s'] })
    expect((await send('GET', '/.well-known/oauth-protected-resource/d')).status).toBe(200)
  })

  it('gives a hint without settings, and none if they are off', async () => {
    const mirrored = await makeEngine(undefined, mcp)
    expect((await mirrored('GET', '/d/x')).hint).toBe(hintOf(`http://api.test${path}`))
    const off = await makeEngine({ enabled: false }, mcp)
    expect((await off('GET', '/d/x')).hint).toBeUndefined()
    expect((await off('GET', '/.well-known/oauth-protected-resource/d')).status).toBe(404)
  })
})
