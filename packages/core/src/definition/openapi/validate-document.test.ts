import { describe, expect, it } from 'vitest'
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
    [{ openapi: undefined, paths: {} }, undefined],
    [{ 'x-other': 1 }, undefined],
    [
      { 'x-svc-api-gateway': { ...extension, info: { name: 'a', state: { active: 'yes' } } } },
      'x-svc-api-gateway.info.state.active: Invalid type. Expected: boolean, given: string',
    ],
    [{ 'x-svc-api-gateway': { ...extension, server: {} } }, 'x-svc-api-gateway.server: listenPath is required'],
    [{ info: { title: 'A', version: '' } }, 'invalid info: value of version must be a non-empty string'],
  ])('%j is reported as %s', async (more, message) => {
    if ('openapi' in more) {
      const { openapi: _, paths: __, ...rest } = valid
      expect(await validateDocument(rest, 'svc')).toBe('(root): openapi is required\n(root): paths is required')
    } else expect(await reason(more)).toBe(message)
  })
})
