import { type Json, parseDefinition, printDefinition, toMcpClassic } from '@turnpike/core'
import { describe, expect, it } from 'vitest'
import { formatFinding } from '../config/finding.ts'
import { checkMcpDocument } from './check-sidecar.ts'

const documentOf = (middleware: object, server: object = {}) => ({
  openapi: '3.0.3',
  info: { title: 'm', version: '1' },
  paths: {},
  'x-svc-api-gateway': {
    info: { name: 'm', state: { active: true } },
    server: { listenPath: { value: '/m/' }, ...server },
    upstream: { url: 'http://up.test' },
    middleware,
  },
})

const check = async (document: object) => {
  const file = { file: 'm-mcp.json', text: JSON.stringify(document, null, 1), problem: undefined }
  return (await checkMcpDocument(file, undefined, 'svc')).map(formatFinding)
}

describe('the document of an MCP proxy', () => {
  it('without a fault says nothing', async () => {
    expect(await check(documentOf({ mcpTools: { t: { block: { enabled: true } } } }))).toEqual([])
  })

  it('is reported if a field has a wrong type', async () => {
    expect(await check(documentOf({ mcpTools: { t: { block: { enabled: 'yes' } } } }))).toEqual([
      'm-mcp.json:27:18  error  x-svc-api-gateway.middleware.mcpTools.t.block.enabled: Invalid type. Expected: boolean, given: string',
    ])
  })

  it('is reported for fields without effect', async () => {
    const told = await check(
      documentOf({ mcpTools: { t: { blok: {}, urlRewrite: {} } } }, { batchProcessing: { enabled: true } }),
    )
    expect(told.map((line) => line.replace(/^\S+ +/, ''))).toEqual([
      'warning  x-svc-api-gateway.server.batchProcessing: has no effect on an MCP proxy',
      'warning  x-svc-api-gateway.middleware.mcpTools.t.blok: is not a known field and is ignored (did you mean "block"?)',
      'warning  x-svc-api-gateway.middleware.mcpTools.t.urlRewrite: has no effect on a tool, resource or prompt',
    ])
  })

  it.each(['{', '[]', 'null', '{}', '{"openapi": 5}', '{"openapi":"3.0.3","x-svc-api-gateway":[]}'])(
    '%s is reported',
    async (text) => {
      const findings = await checkMcpDocument({ file: 'm-mcp.json', text, problem: undefined }, undefined, 'svc')
      expect(findings.some(({ severity }) => severity === 'error')).toBe(true)
    },
  )

  it('reports rules of operations in which the definition differs, and no rules of tools', async () => {
    const on = { enabled: true }
    const post = { post: { operationId: 'call', responses: { 200: { description: '' } } } }
    const withRules = (operations: object, tool: object) => ({
      ...documentOf({ operations, mcpTools: { t: tool } }),
      paths: { '/tools/call': post },
    })
    const document: Json = withRules({ call: { block: on } }, { block: on })
    const classic = toMcpClassic(document, document['x-svc-api-gateway'] as Json)
    if (classic.problem !== undefined) throw new Error(classic.problem)
    const text = printDefinition({ ...classic.value, isOas: false })
    const { definition } = parseDefinition(text, 'm.json', '', { secret: () => '' })
    if (definition === undefined) throw new Error('the definition cannot be read')
    const reported = async (given: object) => {
      const file = { file: 'm-mcp.json', text: JSON.stringify(given), problem: undefined }
      const findings = await checkMcpDocument(file, { file: 'm.json', text, definition }, 'svc')
      return findings.map(({ reason }) => reason)
    }
    expect(await reported(document)).toEqual([])
    expect(await reported(withRules({ call: { block: on } }, {}))).toEqual([])
    expect(await reported(withRules({ call: { allow: on } }, { block: on }))).toEqual([
      'says other things than m.json, which is what is served (whiteList, blackList)',
    ])
  })
})
