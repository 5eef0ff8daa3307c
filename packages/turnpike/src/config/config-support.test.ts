import { findUnsupported } from '@turnpike/core/definition'
import { describe, expect, it } from 'vitest'
import { configKeys } from '../../test/support/config-keys.ts'
import { configSupport, unsupportedInConfig } from './config-support.ts'

describe('the support table of the configuration', () => {
  it('names only keys of the shape', () => {
    expect([...configSupport.keys()].filter((path) => !configKeys.has(path))).toEqual([])
  })

  it('finds keys without effect that a file sets', () => {
    const found = findUnsupported(unsupportedInConfig, {
      newrelic: {},
      hash_keys: true,
    })
    expect(found.map(({ path }) => path.join('.'))).toEqual(['newrelic'])
  })
})
