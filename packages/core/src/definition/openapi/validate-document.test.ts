import { describe, expect, it } from 'vitest'
import type { Json } from '../../lib/json.ts'
import { validateDocument } from './validate-document.ts'

const extension = {
  info: { name: 'a', state: { active: true } },
  server: { listenPath: { value: '/a/' } },
  upstream: { url: 'http://upstream.test' },
}
const valid = { openapi: '3.0.3', info: { title: 'A', version: '1' }, paths: {}, 'x-svc-api-gateway': extension }
const reason = (more: object) => validateDocument({ ...valid, ...more }, 'svc')

describe('a document', () => {
  it.each(['3.0.0', '3.0.3', '3.1.0'])('of OpenAPI %s passes', async (openapi) => {
    expect(await reason({ openapi })).toBeUndefined()
  })

  it('must contain the extension of the vendor', async () => {
    expect(await validateDocument({}, 'acme')).toBe('the payload should contain x-acme-api-gateway')
  })

  it.each(['2.0', '3.2.0', '4.0'])('of version %s has no schema', async (openapi) => {
    expect(await reason({ openapi })).toBe(`Schema not found for version "${openapi}"`)
  })

  it('with an invalid version is rejected', async () => {
    expect(await reason({ openapi: 'abc' })).toBe('malformed version: abc')
    expect(await reason({ openapi: '' })).toContain('openapi: Does not match pattern')
  })

  it.each([
    [{ foo: 1 }, '(root): Additional property foo is not allowed'],
    [{ 'x-other': 1 }, undefined],
    [{ $schema: './node_modules/turnpike/schemas/openapi-extension.json' }, undefined],
    [
      { 'x-svc-api-gateway': { ...extension, info: { name: 'a', state: { active: 'yes' } } } },
      'x-svc-api-gateway.info.state.active: Invalid type. Expected: boolean, given: string',
    ],
    [{ 'x-svc-api-gateway': { ...extension, server: {} } }, 'x-svc-api-gateway.server: listenPath is required'],
    [{ info: { title: 'A', version: '' } }, 'invalid info: value of version must be a non-empty string'],
    [{ info: { title: 'A' } }, 'invalid info: value of version must be a non-empty string'],
    [{ info: { version: '1' } }, 'invalid info: value of title must be a non-empty string'],
    [{ info: {} }, 'invalid info: value of version must be a non-empty string'],
    [{ info: { title: 'A', version: '1', author: 'me' } }, 'info: Additional property author is not allowed'],
    [{ info: { title: 'A', version: '1', 'x-author': 'me', license: {} } }, undefined],
    [{ info: { title: 'A', version: '1', summary: 's' } }, 'info: Additional property summary is not allowed'],
    [{ openapi: '3.1.0', info: { title: 'A', version: '1', summary: 's' } }, undefined],
    [{ paths: { '/a': { get: {} } } }, 'paths./a.get.responses: Invalid type. Expected: object, given: null'],
    [{ openapi: '3.1.0', paths: { '/a': { get: {} } } }, undefined],
  ])('%j is reported as %s', async (more, message) => {
    expect(await reason(more)).toBe(message)
  })

  it.each([
    ['openapi', "openapi: Does not match pattern '^3\\.0\\.\\d(-.+)?$'"],
    ['info', 'info: Invalid type. Expected: object, given: null'],
    ['paths', 'paths: Invalid type. Expected: object, given: null'],
  ])('without %s is reported as %s', async (name, message) => {
    const { [name]: _, ...rest } = valid as Json
    expect(await validateDocument(rest, 'svc')).toBe(message)
  })

  it('must need each enabled method in a group', async () => {
    const withModes = (authentication: object) => ({
      security: [{ key: [] }],
      'x-svc-api-gateway': { ...extension, server: { ...extension.server, authentication } },
    })
    const on = { enabled: true }
    const compliant = { enabled: true, securityProcessingMode: 'compliant', hmac: on }
    expect(await reason(withModes({ ...compliant, custom: on }))).toBe(
      'invalid multi-auth configuration: hmac and custom auth methods enabled but not configured in a security requirement',
    )
    expect(await reason(withModes({ ...compliant, security: [['hmac', 'key']] }))).toBeUndefined()
    expect(await reason(withModes({ ...compliant, securityProcessingMode: 'legacy' }))).toBeUndefined()
    expect(await reason(withModes({ ...compliant, securityProcessingMode: 'loose' }))).toContain(
      '"legacy", "compliant"',
    )
  })
})
