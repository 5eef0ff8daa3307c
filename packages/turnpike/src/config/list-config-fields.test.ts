import { readShape } from '@turnpike/core/lib'
import { describe, expect, it } from 'vitest'
import { configShape } from './config-shape.ts'
import { listConfigFields } from './list-config-fields.ts'

const fieldsOf = (document: object) => {
  const fields = listConfigFields(readShape(configShape, document).value, 'SVC_GW_')
  return (name: string) => fields.find((field) => field.name === name)
}

describe('the fields of a configuration', () => {
  it('have texts as values, and variables by the rule without exceptions', () => {
    const field = fieldsOf({ hash_key_function_fallback: ['a', 'b'], storage: { optimisation_max_idle: 7 } })
    expect(field('hash_keys')).toEqual({ name: 'hash_keys', env: 'SVC_GW_HASHKEYS', value: 'false' })
    expect(field('hash_key_function_fallback')?.value).toBe('[a b]')
    expect(field('storage.optimisation_max_idle')).toMatchObject({
      env: 'SVC_GW_STORAGE_OPTIMISATIONMAXIDLE',
      value: '7',
    })
    expect(field('version_header')?.value).toBe('')
  })

  it.each([
    [10_000_000_000, '10s'],
    [90_000_000_000, '1m30s'],
    [3_600_000_000_000, '1h0m0s'],
    [250_000_000, '250ms'],
  ])('have durations with their units: %d', (nanoseconds, text) => {
    expect(fieldsOf({ liveness_check: { check_duration: nanoseconds } })('liveness_check.check_duration')?.value).toBe(
      text,
    )
  })

  it('do not contain groups and maps, but secrets of groups that have no effect', () => {
    const field = fieldsOf({ secrets: { pilot: 'p' }, slave_options: { api_key: 'k' } })
    for (const name of ['secrets', 'secrets.pilot', 'http_server_options', 'slave_options'])
      expect(field(name)).toBeUndefined()
    expect(field('slave_options.api_key')?.value).toBe('k')
    expect(field('sentry_code')?.value).toBe('')
  })
})
