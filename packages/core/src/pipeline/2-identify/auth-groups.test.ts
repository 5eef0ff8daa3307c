import { describe, expect, it } from 'vitest'
import { type DocumentEngineOptions, documentOf, makeDocumentEngine } from '../../../test/support/document-engine.ts'
import { collectResponse } from '../../engine/inject.ts'
import type { Json } from '../../lib/json.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'

const securitySchemes = {
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  login: { type: 'http', scheme: 'basic' },
  token: { type: 'http', scheme: 'bearer' },
  provider: { type: 'openIdConnect' },
}
const enabled = {
  key: { enabled: true, header: { enabled: true, name: 'X-Key' } },
  login: { enabled: true, header: { enabled: true, name: 'Authorization' } },
}

async function makeEngine(security: readonly Json[], authentication: Json = {}, options: DocumentEngineOptions = {}) {
  const server = {
    authentication: {
      enabled: true,
      securityProcessingMode: 'compliant',
      securitySchemes: enabled,
      ...authentication,
    },
  }
  const document = documentOf({ security, components: { securitySchemes } }, { server })
  const test = await makeDocumentEngine(document, options)
  const rights = { org_id: 'org1', access_rights: { d: { api_id: 'd', versions: ['Default'] } } }
  await test.putKey('a-long-key', { ...rights, meta_data: { who: 'key' } })
  await test.putKey('elsewhere', { org_id: 'org1', access_rights: { other: { api_id: 'other' } } })
  await test.putKey('robin', { ...rights, basic_auth_data: { password: 'pw' } })
  const sendRequest = async (headers: Record<string, string> = {}) => {
    const response = await collectResponse(await test.send('GET', '/d/x', headers))
    return { status: response.status, text: response.text(), headers: response.headers }
  }
  return { test, sendRequest }
}

const basic = (user: string, password: string) => `Basic ${encodeBase64(utf8Bytes(`${user}:${password}`))}`
const login = { Authorization: basic('robin', 'pw') }
const key = { 'X-Key': 'a-long-key' }

describe('groups of authentication methods', () => {
  it('accept a request with any of them', async () => {
    const { sendRequest } = await makeEngine([{ key: [] }, { login: [] }])
    expect((await sendRequest(key)).status).toBe(200)
    expect((await sendRequest(login)).status).toBe(200)
    expect((await sendRequest({ ...login, 'X-Key': 'unknown-key' })).status).toBe(200)
  })

  it('need all methods of one group', async () => {
    const { sendRequest } = await makeEngine([{ key: [], login: [] }, { token: [] }])
    expect((await sendRequest(key)).status).toBe(500)
    expect((await sendRequest(login)).status).toBe(500)
    expect((await sendRequest({ ...key, ...login })).status).toBe(200)
  })

  it('reject with the error of the last group, without a challenge', async () => {
    const { sendRequest } = await makeEngine([{ key: [] }, { login: [] }])
    const rejected = await sendRequest({ 'X-Key': 'unknown-key' })
    expect([rejected.status, JSON.parse(rejected.text)]).toEqual([401, { error: 'Authorization field missing' }])
    expect(rejected.headers).not.toHaveProperty('www-authenticate')
    const turned = await makeEngine([{ login: [] }, { key: [] }])
    expect((await turned.sendRequest({ 'X-Key': 'unknown-key' })).status).toBe(403)
  })

  it('do not try another group if the session lacks rights', async () => {
    const { sendRequest } = await makeEngine([{ key: [] }, { login: [] }])
    expect((await sendRequest({ ...login, 'X-Key': 'elsewhere' })).status).toBe(403)
  })

  it('fail with 500 if a scheme has no method', async () => {
    const { sendRequest } = await makeEngine([{ key: [] }, { token: [] }])
    const rejected = await sendRequest()
    expect([rejected.status, JSON.parse(rejected.text)]).toEqual([
      500,
      { error: 'security scheme token is not configured' },
    ])
  })

  it('never accept a request with a scheme that is not configured in full', async () => {
    const { sendRequest } = await makeEngine([{ provider: [] }, { key: [] }], {
      securitySchemes: { ...enabled, provider: { enabled: true } },
    })
    expect((await sendRequest({ Authorization: 'Bearer x' })).status).toBe(401)
    expect((await sendRequest(key)).status).toBe(200)
  })

  it('accept every request only with an empty entry in the document', async () => {
    const open = await makeEngine([{ key: [] }, {}])
    expect((await open.sendRequest()).status).toBe(200)
    const mistaken = await makeEngine([{ key: [] }, { login: [] }], { security: [[]] })
    expect((await mistaken.sendRequest()).status).toBe(401)
  })

  it('require a scheme that the extension lists together with a signature', async () => {
    const { sendRequest } = await makeEngine([{ key: [] }, { login: [] }], {
      security: [['hmac', 'key']],
      hmac: { enabled: true },
    })
    expect((await sendRequest(key)).status).toBe(400)
    expect((await sendRequest(login)).status).toBe(200)
  })

  it('come from the definition file; without them all methods are required', async () => {
    const without = await makeEngine(
      [{ key: [] }, { login: [] }],
      {},
      { classic: { security_requirements: undefined } },
    )
    expect((await without.sendRequest(key)).status).toBe(401)
    expect((await without.sendRequest({ ...key, ...login })).status).toBe(200)
  })

  it('do not exist in legacy mode: the first entry counts', async () => {
    const { sendRequest } = await makeEngine([{ key: [] }, { login: [] }], { securityProcessingMode: 'legacy' })
    expect((await sendRequest(key)).status).toBe(200)
    expect((await sendRequest(login)).status).toBe(401)
  })
})

describe('a sidecar document', () => {
  it('without the extension is not served, because its checks would be missing', async () => {
    const document = documentOf({ security: [{ key: [] }] })
    const test = await makeDocumentEngine(document, { settings: { vendor: 'other' } })
    expect(test.engine.report()?.failed[0]?.reason).toBe('d-oas.json must contain the object x-other-api-gateway')
  })
})
