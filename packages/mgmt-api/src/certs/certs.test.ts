import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { makeTestGateway, sessionFor } from '../../test/test-gateway.ts'

/** The certificate that a recorded case uploads. */
const recorded = JSON.parse(
  readFileSync(new URL('../../../../fixtures/conformance/certs-store.json', import.meta.url), 'utf8'),
) as { cases: { name: string; steps: { call?: { body?: string } }[] }[] }
const uploadOf = (name: string) =>
  recorded.cases.find((one) => one.name === name)?.steps.find(({ call }) => call?.body)?.call?.body ?? ''
const plain = uploadOf('a certificate is added under org and fingerprint')
const withKey = uploadOf('a certificate with its private key is added under the fingerprint of the certificate')
const fingerprint = 'eaf4311aac0a6ba61c194478830a8e38295a88aa6b9c85503cf10bc93b07d801'

describe('certificates over the management API', () => {
  it('are described with subject, issuer and times, never with their private key', async () => {
    const gateway = await makeTestGateway()
    const { json } = await gateway.call('POST', '/svc/certs?org_id=org1', withKey)
    const { id } = json as { id: string }
    const told = await gateway.call('GET', `/svc/certs/${id}`)
    expect(told.json).toMatchObject({
      id,
      has_private: true,
      subject: { Country: ['GB'], Organization: ['Example two'], CommonName: 'two.example', Locality: null },
      not_before: '2026-11-21T10:12:32Z',
    })
    expect(told.text).not.toMatch(/PRIVATE|BEGIN/)
    expect(JSON.stringify(gateway.log)).not.toMatch(/PRIVATE/)
  })

  it('are rejected beyond the longest body', async () => {
    const gateway = await makeTestGateway({ options: { maxBodyBytes: 100 } })
    expect((await gateway.call('POST', '/svc/certs', plain)).status).toBe(413)
  })

  it('may be removed by a call that names another organisation, and leave no trace on a list', async () => {
    const gateway = await makeTestGateway()
    await gateway.call('POST', '/svc/certs?org_id=org1', plain)
    await gateway.call('DELETE', `/svc/certs/org1${fingerprint}?org_id=org2`)
    expect((await gateway.call('GET', '/svc/certs?org_id=org1')).json).toEqual({ certs: null })
  })

  it('may be bound to keys of their organisation, when they are stored', async () => {
    const gateway = await makeTestGateway({ apis: [] })
    const bound = { ...sessionFor('a'), mtls_static_certificate_bindings: [`org1${fingerprint}`] }
    const before = await gateway.call('POST', '/svc/keys/create', bound)
    expect([before.status, before.json]).toEqual([
      400,
      { status: 'error', message: `certificate not found: org1${fingerprint}` },
    ])
    await gateway.call('POST', '/svc/certs?org_id=org1', plain)
    expect((await gateway.call('POST', '/svc/keys/create', bound)).json).not.toMatchObject({
      message: `certificate not found: org1${fingerprint}`,
    })
  })
})
