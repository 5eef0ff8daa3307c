import { parseDefinition, printDefinition, toClassic, toMcpClassic } from '@turnpike/core/definition'
import type { Json } from '@turnpike/core/lib'
import { describe, expect, it } from 'vitest'
import { formatFinding } from '../config/finding.ts'
import { checkDocument } from './check-sidecar.ts'

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
  return (await checkDocument(file, undefined, 'svc')).map(formatFinding)
}

describe('the document of an MCP proxy', () => {
  it('without a mistake says nothing', async () => {
    expect(await check(documentOf({ mcpTools: { t: { block: { enabled: true } } } }))).toEqual([])
  })

  it('is reported if a field has a wrong type', async () => {
    expect(await check(documentOf({ mcpTools: { t: { block: { enabled: 'yes' } } } }))).toEqual([
      'm-mcp.json:27:18  error  x-svc-api-gateway.middleware.mcpTools.t.block.enabled: Invalid type. Expected: boolean, given: string [invalid-mcp-document]',
    ])
  })

  it('is reported for fields without effect', async () => {
    const told = await check(
      documentOf({ mcpTools: { t: { urlRewrite: {} } } }, { batchProcessing: { enabled: true } }),
    )
    expect(told.map((line) => line.replace(/^\S+ +/, ''))).toEqual([
      'warning  x-svc-api-gateway.server.batchProcessing: has no effect on an MCP proxy (remove it) [mcp-member-without-effect]',
      'warning  x-svc-api-gateway.middleware.mcpTools.t.urlRewrite: has no effect on a tool, resource or prompt (remove it) [mcp-member-without-effect]',
    ])
  })

  it.each(['{', '[]', 'null', '{}', '{"openapi": 5}', '{"openapi":"3.0.3","x-svc-api-gateway":[]}'])(
    '%s is reported',
    async (text) => {
      const findings = await checkDocument({ file: 'm-mcp.json', text, problem: undefined }, undefined, 'svc')
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
      const findings = await checkDocument(file, { file: 'm.json', text, definition }, 'svc')
      return findings.map(({ reason }) => reason)
    }
    expect(await reported(document)).toEqual([])
    expect(await reported(withRules({ call: { block: on } }, {}))).toEqual([])
    expect(await reported(withRules({ call: { allow: on } }, { block: on }))).toEqual([
      'says other things than m.json, which is what is served (whiteList, blackList)',
    ])
  })
})

describe('the definition of an MCP proxy', () => {
  it('is reported with rules of tools that the document lacks', async () => {
    const document: Json = documentOf({ mcpTools: { t: { block: { enabled: true } } } })
    const classic = toMcpClassic(document, document['x-svc-api-gateway'] as Json)
    if (classic.problem !== undefined) throw new Error(classic.problem)
    const rule = (name: string) => ({ path: `/mcp-tool:${name}`, method: 'POST' })
    const extended_paths = { black_list: [rule('t'), rule('danger'), { ...rule('off'), disabled: true }] }
    const text = JSON.stringify({
      ...(JSON.parse(printDefinition({ ...classic.value, isOas: false })) as object),
      version_data: { not_versioned: true, versions: { Default: { use_extended_paths: true, extended_paths } } },
    })
    const { definition } = parseDefinition(text, 'm.json', '', { secret: () => '' })
    if (definition === undefined) throw new Error('the definition cannot be read')
    const file = { file: 'm-mcp.json', text: JSON.stringify(document), problem: undefined }
    const findings = await checkDocument(file, { file: 'm.json', text, definition }, 'svc')
    expect(findings.map(({ source, reason }) => `${source}: ${reason}`)).toEqual([
      'm.json: has rules without effect, because the document lacks them: blackList /mcp-tool:danger',
    ])
  })
})

describe('the document of an API', () => {
  const operation = { get: { operationId: 'list', responses: { 200: { description: '' } } } }
  const whole = (middleware: object, more: object = {}): Json => ({
    ...documentOf(middleware, more),
    paths: { '/pets': operation },
  })
  const reported = async (document: Json, served: Json = document) => {
    const classic = toClassic(served, served['x-svc-api-gateway'] as Json)
    if (classic.problem !== undefined) throw new Error(classic.problem)
    const text = printDefinition({ ...classic.value, isOas: false })
    const { definition } = parseDefinition(text, 'm.json', '', { secret: () => '' })
    if (definition === undefined) throw new Error('the definition cannot be read')
    const file = { file: 'm-oas.json', text: JSON.stringify(document), problem: undefined }
    const findings = await checkDocument(file, { file: 'm.json', text, definition }, 'svc')
    return findings.map(({ field, reason }) => `${field.replace('x-svc-api-gateway.', '')}: ${reason}`)
  }
  const on = { enabled: true }

  it('is reported with nothing if both files agree', async () => {
    expect(await reported(whole({ operations: { list: { block: on, validateRequest: on } } }))).toEqual([])
  })

  it('is reported with guards that the definition file lacks', async () => {
    const guarded = whole({ operations: { list: { block: on } } }, { authentication: { ...on } })
    expect(await reported(guarded, whole({}))).toEqual([
      ': says other things than m.json, which is what is served (authentication, blackList)',
    ])
    const off = whole({ operations: { list: { block: { enabled: false } } } })
    expect(await reported(off, whole({}))).toEqual([])
  })

  it('is reported with rules of no operation and what the management API rejects', async () => {
    const document = whole({ operations: { lst: { block: on } } })
    expect(await reported({ ...document, extra: 1 })).toEqual(
      expect.arrayContaining([
        'middleware.operations.lst: has no effect: no operation of the document has this operationId',
        ': is served, but the management API would reject it: (root): Additional property extra is not allowed',
      ]),
    )
  })

  it('is closed by OpenID Connect in either notation', async () => {
    const derived = toClassic(
      whole({}),
      whole({}, { authentication: { ...on, oidc: on } })['x-svc-api-gateway'] as Json,
    )
    expect(derived.problem === undefined && derived.value.useOpenid).toBe(true)
  })
})
