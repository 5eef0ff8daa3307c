import { describe, expect, it } from 'vitest'
import { readShape } from '../lib/shape/shape.ts'
import { accessRightShape } from '../ports/session.ts'
import { makeMcpRights } from './mcp-rights.ts'

const rightsOf = (wire: object) =>
  makeMcpRights(readShape(accessRightShape, wire).value, ({ rate }) => (rate > 0 ? rate : undefined))
const tools = (access: unknown) => {
  const rights = rightsOf({ mcp_access_rights: { tools: access } })
  return (name: string) => rights?.allows({ kind: 'tool', name })
}

describe('rights of a key on an MCP proxy', () => {
  it('allow everything if the session does not mention MCP', () => {
    expect(rightsOf({})).toBeUndefined()
    expect(rightsOf({ mcp_access_rights: null })).toBeUndefined()
  })

  it('match whole names', () => {
    const allows = tools({ allowed: ['get', 'list_.*', 'a|b'] })
    expect(['get', 'list_x', 'a', 'b'].map(allows)).toEqual([true, true, true, true])
    expect(['getter', 'forget', 'xlist_', 'ab', ''].map(allows)).toEqual([false, false, false, false, false])
  })

  it('block names that are both blocked and allowed', () => {
    const allows = tools({ allowed: ['.*'], blocked: ['drop.*'] })
    expect(['get', 'drop', 'drop\nall'].map(allows)).toEqual([true, false, false])
  })

  it('allow everything with empty lists', () => {
    expect(tools({ allowed: [], blocked: [] })('x')).toBe(true)
    expect(tools({})('x')).toBe(true)
  })

  it('compare an invalid pattern as a literal name', () => {
    const allows = tools({ blocked: ['a)|(b', '['] })
    expect(['a)|(b', '[', 'a', 'b'].map(allows)).toEqual([false, false, true, true])
  })

  it.each([['a text'], [7], [['x']], [{ allowed: 7 }], [{ allowed: [7] }], [{ allowed: {} }], [true]])(
    'block everything with the invalid value %j',
    (access) => {
      expect(tools(access)('x')).toBe(false)
    },
  )

  it('block everything if a group is invalid', () => {
    expect(rightsOf({ mcp_access_rights: 'all' })?.allows({ kind: 'prompt', name: 'x' })).toBe(false)
  })

  it('are separate for each kind', () => {
    const rights = rightsOf({ mcp_access_rights: { resources: { allowed: ['file:///a'] } } })
    expect(rights?.allows({ kind: 'tool', name: 'x' })).toBe(true)
    expect(rights?.allows({ kind: 'resource', name: 'x' })).toBe(false)
    expect(rights?.allowsMethod('tools/call')).toBe(true)
  })

  it('compare resources in all notations', () => {
    const limit = { rate: 5, per: 60 }
    const rights = rightsOf({
      mcp_access_rights: { resources: { blocked: ['FILE:///private/.*'] } },
      mcp_primitives: [{ type: 'resource', name: 'file:///a', limit }],
    })
    const isAllowed = (name: string) => rights?.allows({ kind: 'resource', name })
    const names = ['file:///private/a', 'file://LOCALHOST/pr%69vate/a', 'file:///public']
    expect(names.map(isAllowed)).toEqual([false, false, true])
    expect(rights?.primitiveRate({ kind: 'resource', name: 'File:/%61' })).toBe(5)
  })

  it('apply to methods in the same way', () => {
    const rights = rightsOf({ json_rpc_methods_access_rights: { allowed: ['tools/.*'], blocked: ['tools/call'] } })
    expect(['tools/list', 'tools/call', 'ping'].map((method) => rights?.allowsMethod(method))).toEqual([
      true,
      false,
      false,
    ])
  })

  it('have rates by name: the first one of a name applies, and invalid ones are ignored', () => {
    const limit = (rate: unknown) => ({ rate, per: 60 })
    const rights = rightsOf({
      json_rpc_methods: [
        { name: 'ping', limit: limit(3) },
        { name: 'ping', limit: limit(9) },
        'x',
        { limit: limit(1) },
      ],
      mcp_primitives: [
        { type: 'tool', name: 'a', limit: limit(2) },
        { type: 'other', name: 'b', limit: limit(2) },
        { type: 'prompt', name: 'c', limit: limit('2') },
      ],
    })
    expect(['ping', 'x', ''].map((method) => rights?.methodRate(method))).toEqual([3, undefined, undefined])
    expect(rights?.primitiveRate({ kind: 'tool', name: 'a' })).toBe(2)
    expect(rights?.primitiveRate({ kind: 'prompt', name: 'a' })).toBeUndefined()
    expect(rights?.primitiveRate({ kind: 'prompt', name: 'c' })).toBeUndefined()
  })
})
