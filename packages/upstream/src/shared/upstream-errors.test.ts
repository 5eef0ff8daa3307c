import { describe, expect, it } from 'vitest'
import { upstreamErrorOf } from './upstream-errors.ts'

const errorWith = (more: object) => Object.assign(new Error('failed'), more)

describe('errors of connections', () => {
  it.each([
    ['ECONNREFUSED', 'refused', undefined],
    ['EHOSTUNREACH', 'refused', 'unreachable'],
    ['ENETUNREACH', 'refused', 'unreachable'],
    ['ENOTFOUND', 'unknown-host', undefined],
    ['ETIMEDOUT', 'timeout', 'connect-timeout'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout', 'connect-timeout'],
    ['CERT_HAS_EXPIRED', 'broken', 'tls-expired'],
    ['CERT_NOT_YET_VALID', 'broken', 'tls-expired'],
    ['CERT_REVOKED', 'broken', 'tls-invalid'],
    ['INVALID_PURPOSE', 'broken', 'tls-invalid'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'broken', 'tls-name'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'broken', 'tls-authority'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'broken', 'tls-authority'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'broken', 'tls-handshake'],
    ['EPROTO', 'broken', 'tls-handshake'],
    ['UND_ERR_INVALID_ARG', 'broken', undefined],
  ])('%s: %s, %s', (code, reason, detail) => {
    const { cause, ...result } = upstreamErrorOf(errorWith({ code }))
    expect(cause).toMatchObject({ code })
    expect(result).toEqual({ kind: 'error', reason, ...(detail === undefined ? {} : { detail }) })
  })

  it('are resets only if the operating system reports one', () => {
    expect(upstreamErrorOf(errorWith({ code: 'ECONNRESET', syscall: 'read' }))).toMatchObject({ detail: 'reset' })
    expect(upstreamErrorOf(errorWith({ code: 'ECONNRESET' }))).not.toHaveProperty('detail')
  })
})
