import { describe, expect, it } from 'vitest'
import { lintDefinition } from '../lint-definition.ts'

function findingsOf(rule: object) {
  const extended = { validate_json: [{ path: '/x', method: 'POST', ...rule }] }
  const text = JSON.stringify({
    name: 'a',
    active: true,
    api_id: 'a',
    use_keyless: true,
    version_data: {
      not_versioned: true,
      versions: { Default: { name: 'Default', use_extended_paths: true, extended_paths: extended } },
    },
    proxy: { listen_path: '/a/', target_url: 'http://up.test' },
  })
  return lintDefinition(text).map(({ field, reason }) => `${field.split('.').at(-1)} ${reason}`)
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('schemas of bodies', () => {
  it('are accepted if they are valid', () => {
    expect(findingsOf({ schema: { type: 'object', required: ['a'] } })).toEqual([])
    expect(findingsOf({ schema_b64: base64('{"type":"object"}') })).toEqual([])
  })

  it('have a status that a response can have', () => {
    const schema = { type: 'string' }
    expect(findingsOf({ schema, error_response_code: -1 })).toEqual([
      'error_response_code -1 is not a status of a response, so 422 is used',
    ])
    expect(findingsOf({ schema, error_response_code: 400 })).toEqual([])
  })

  it('are reported if they are invalid', () => {
    expect(findingsOf({ schema: 7 })).toEqual([expect.stringMatching(/^schema is not a JSON schema/)])
    expect(findingsOf({ schema: { type: 'nonsense' } })).toEqual([
      expect.stringMatching(/^schema is not a JSON schema/),
    ])
    expect(findingsOf({ schema_b64: base64('{') })).toEqual([expect.stringMatching(/^schema_b64 is not a JSON schema/)])
    expect(findingsOf({ schema: 7, disabled: true })).toEqual([])
  })
})
