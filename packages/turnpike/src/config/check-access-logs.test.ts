import { readShape } from '@turnpike/core/lib'
import { describe, expect, it } from 'vitest'
import { checkConfig } from './check-config.ts'
import { configShape } from './config-shape.ts'

const notesOf = (template: readonly string[] | undefined) =>
  checkConfig(readShape(configShape, { access_logs: { enabled: true, template } }).value).filter(
    ({ path }) => path[0] === 'access_logs',
  )

describe('the template of the access log', () => {
  it('may name every field of a line', () => {
    expect(notesOf(undefined)).toEqual([])
    expect(notesOf(['api_id', 'status', 'response_flag', 'mcp_method', 'time'])).toEqual([])
  })

  it('is reported where it names no field', () => {
    expect(notesOf(['status', 'upstream_adr', 'colour-of-the-sky'])).toMatchObject([
      {
        severity: 'warning',
        path: ['access_logs', 'template', 1],
        reason: '"upstream_adr" is not a field of the access log',
        fix: 'did you mean "upstream_addr"?',
      },
      { path: ['access_logs', 'template', 2], fix: expect.stringContaining('use api_id, ') },
    ])
  })
})
