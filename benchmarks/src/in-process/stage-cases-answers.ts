/** Cases of stages that produce, change or record a response, and of MCP. */
import type { Analytics, Events } from '@turnpike/core/observability'
import { keyed, paths, template } from '../subjects/definition.ts'
import { roomySession } from '../subjects/roomy-session.ts'
import { json, rule, type StageCase } from './stage-case.ts'

const processor = (name: string, options: object) => ({ response_processors: [{ name, options }] })
const cached = { cache_options: { enable_cache: true, cache_timeout: 3600, cache_all_safe_requests: true } }

const openApi = (operation: object, middleware: object) => ({
  openapi: '3.0.3',
  info: { title: 'bench', version: '1' },
  paths: { '/x': { get: { operationId: 'x', responses: { 200: { description: 'ok' } }, ...operation } } },
  'x-svc-api-gateway': { middleware: { operations: { x: middleware } } },
})

const analytics: Analytics = {
  settings: {
    detailed: true,
    ignoredAddresses: new Set(),
    normalisePath: undefined,
    tagHeaders: [],
    orgDataAge: false,
    orgDetail: false,
    detailBytes: 1_000_000,
  },
  write() {},
}

const events: Events = {
  hasHandler: () => true,
  fire() {},
  monitor: { userKeys: true, orgKeys: false, globalLimit: 80 },
}

const mcp = {
  fields: { application_protocol: 'mcp' },
  message: (method: string, params: object = {}) => ({
    method: 'POST',
    path: '/',
    headers: json,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  }),
}

const rewritten = processor('header_transform', {
  rev_proxy_header_cleanup: { headers: ['Location'], target_host: 'http://gateway.test' },
})

export const answerCases: readonly StageCase[] = [
  {
    name: 'request against an OpenAPI document',
    fields: { is_oas: true },
    engine: {
      documents: {
        case: openApi(
          { parameters: [{ name: 'page', in: 'query', schema: { type: 'integer' } }] },
          { validateRequest: { enabled: true } },
        ),
      },
    },
  },
  {
    name: 'mock of an OpenAPI document',
    fields: { is_oas: true },
    engine: {
      documents: { case: openApi({}, { mockResponse: { enabled: true, code: 200, body: '{}' } }) },
    },
  },
  { name: 'from the cache', fields: cached },
  { name: 'into the cache', fields: cached, request: { freshPaths: true } },
  { name: 'from the cache, RFC 9111', fields: { ...cached, cache_mode: 'rfc9111' } },
  { name: 'hard timeout', fields: paths({ hard_timeouts: [{ ...rule, timeout: 5 }] }) },
  {
    name: 'circuit breaker',
    fields: paths({
      circuit_breakers: [{ ...rule, threshold_percent: 0.5, samples: 10, return_to_service_after: 5 }],
    }),
  },
  {
    name: 'loop to another API',
    fields: paths({ url_rewrites: [{ ...rule, match_pattern: '.*', rewrite_to: 'svc://other/x' }] }),
    beside: { other: { internal: true } },
  },
  {
    name: 'response body template',
    fields: {
      ...processor('response_body_transform', {}),
      ...paths({ transform_response: [{ ...rule, template_data: template('{"n":{{.n}}}') }] }),
    },
    engine: { answer: { type: 'application/json', body: '{"n":1}' } },
  },
  { name: 'response header injector', fields: processor('header_injector', { add_headers: { 'X-Out': '1' } }) },
  { name: 'response headers rewritten', fields: rewritten },
  {
    name: 'overrides of upstream errors, for a response without an error',
    fields: { error_overrides: { 500: [{ response: { status_code: 503, message: 'try later' } }] } },
  },
  {
    name: 'line for sinks of records',
    fields: {},
    engine: { parts: { records: [{ record() {} }] } },
  },
  { name: 'line of the access log', fields: {}, engine: { parts: { accessLog: { write() {} } } } },
  { name: 'analytics record in detail', fields: {}, engine: { parts: { analytics } } },
  {
    name: 'events and the monitor of quotas',
    fields: keyed,
    engine: { parts: { events } },
    prepare: ({ putKey }, id) => putKey('benchkey', roomySession(id)),
    request: { headers: ['authorization', 'benchkey'] },
  },
  {
    name: 'MCP message',
    fields: mcp.fields,
    request: mcp.message('tools/call', { name: 'search' }),
  },
  {
    name: 'MCP list, with what is hidden left out',
    fields: { ...mcp.fields, ...paths({ black_list: [{ path: '/mcp-tools/hidden', method: 'POST' }] }) },
    engine: {
      answer: {
        type: 'application/json',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'search' }, { name: 'hidden' }] } }),
      },
    },
    request: mcp.message('tools/list'),
  },
]
