/** What must not compile. The functions are never called: the compiler is the test, this file its witness. */
import { expect, it } from 'vitest'
import type { Stage } from '../index.ts'
import { createGateway } from './create-gateway.ts'
import { defineApi } from './define-api.ts'
import type { AccessRightDocument, DefinitionDocument, PolicyDocument, VersionDocument } from './document-types.ts'
import type { Gateway } from './gateway.ts'

const base = { api_id: 'a', proxy: {} } satisfies DefinitionDocument

export const rejected = [
  // @ts-expect-error: no such store
  () => createGateway({ store: 'mysql' }),
  // @ts-expect-error: a misspelt option
  () => createGateway({ definition: [] }),
  // @ts-expect-error: a definition needs to know where to
  () => createGateway({ definitions: [{ api_id: 'a' }] }),
  // @ts-expect-error: a clock is more than a number
  () => createGateway({ clock: 0 }),
  // @ts-expect-error: the target is missing
  () => defineApi({ id: 'a' }),
  // @ts-expect-error: a misspelt option
  () => defineApi({ id: 'a', target: 'http://a.test/', listenpath: '/a/' }),
  // @ts-expect-error: a misspelt position
  (): Stage => ({ name: 'own', phase: '3-admit', after: 'key-acess', make: () => null }),
  // @ts-expect-error: records are no phase of custom stages
  (): Stage => ({ name: 'own', phase: '7-record', make: () => null }),
  // @ts-expect-error: a misspelt member of the configuration
  (): Stage<{ header: string }> => ({ name: 'own', phase: '3-admit', make: ({ config }) => config.heder && null }),
  // @ts-expect-error: the default configuration has another type
  (): Stage<{ header: string }> => ({ name: 'own', phase: '3-admit', defaultConfig: { header: 1 }, make: () => null }),
  // @ts-expect-error: a reply needs a status
  (): Stage => ({ name: 'own', phase: '3-admit', make: () => ({ request: () => ({ body: 'x' }) }) }),
  // @ts-expect-error: no such handler
  (): Stage => ({ name: 'own', phase: '3-admit', make: () => ({ run: () => undefined }) }),
  // @ts-expect-error: the configuration of a stage is an object or false
  () => defineApi({ id: 'a', target: 'http://a.test/', stages: { own: 5 } }),
  // @ts-expect-error: fetch takes a Request
  (gateway: Gateway) => gateway.fetch('http://a.test/'),
  // @ts-expect-error: a request needs a URL
  (gateway: Gateway) => gateway.explain({ dry: true }),
  // @ts-expect-error: dry is true or false
  (gateway: Gateway) => gateway.explain({ url: '/', dry: 'yes' }),
  // @ts-expect-error: limits are numbers
  (gateway: Gateway) => gateway.keys.create({ rate: '5' }),
  // @ts-expect-error: a policy needs an id
  (gateway: Gateway) => gateway.policies.put({ rate: 5 }),
  // @ts-expect-error: no such execution mode
  (): DefinitionDocument => ({ ...base, graphql: { enabled: true, execution_mode: 'proxy' } }),
  // @ts-expect-error: a misspelt member of the settings of GraphQL
  (): DefinitionDocument => ({ ...base, graphql: { proxy: { request_header: {} } } }),
  // @ts-expect-error: no such handler of events
  (): DefinitionDocument => ({ ...base, event_handlers: { events: { HostDown: [{ handler_name: 'web_hook' }] } } }),
  // @ts-expect-error: a misspelt member of a web hook
  (): DefinitionDocument => ({ ...base, event_handlers: { events: { HostDown: [{ handler_meta: { target: '' } }] } } }),
  // @ts-expect-error: an entry has a URL, not a host
  (): DefinitionDocument => ({ ...base, uptime_tests: { check_list: [{ host: 'a.test' }] } }),
  // @ts-expect-error: the variables are an object
  (): VersionDocument => ({ extended_paths: { persist_graphql: [{ path: '/a', variables: [1] }] } }),
  // @ts-expect-error: a misspelt member of a web hook in the configuration
  () => createGateway({ config: { monitor: { configuration: { target: 'http://a.test' } } } }),
  // @ts-expect-error: fields of a type are a list
  (): AccessRightDocument => ({ restricted_types: [{ name: 'A', fields: 'b' }] }),
  // @ts-expect-error: a depth is a number
  (): AccessRightDocument => ({ field_access_rights: [{ type_name: 'Query', limits: { max_query_depth: '1' } }] }),
  // @ts-expect-error: no such kind of primitive
  (): PolicyDocument => ({ access_rights: { a: { mcp_primitives: [{ type: 'tools', name: 'x' }] } } }),
  // @ts-expect-error: a misspelt kind of primitives
  (): AccessRightDocument => ({ mcp_access_rights: { tool: { allowed: ['x'] } } }),
  // @ts-expect-error: the limit of a method is an object
  (): AccessRightDocument => ({ json_rpc_methods: [{ name: 'tools/list', limit: 5 }] }),
  // @ts-expect-error: names are a list
  (): AccessRightDocument => ({ json_rpc_methods_access_rights: { blocked: 'ping' } }),
]

/** The same documents without a mistake. */
export const documents = (gateway: Gateway) => {
  const definition: DefinitionDocument = {
    ...base,
    graphql: { enabled: true, execution_mode: 'proxyOnly', version: '2', proxy: { request_headers: { 'X-A': '1' } } },
    event_handlers: {
      events: {
        HostDown: [
          { handler_name: 'eh_web_hook_handler', handler_meta: { target_path: 'http://a.test', method: 'POST' } },
        ],
        HostUp: [{ handler_name: 'eh_log_handler', handler_meta: { prefix: 'up' } }],
      },
    },
    uptime_tests: { check_list: ['http://a.test', { url: 'http://b.test', timeout: 1_000_000 }] },
  }
  const right: AccessRightDocument = {
    restricted_types: [{ name: 'Query', fields: ['secret'] }],
    field_access_rights: [{ type_name: 'Query', field_name: 'ships', limits: { max_query_depth: 2 } }],
    mcp_primitives: [{ type: 'tool', name: 'weather', limit: { rate: 1, per: 1 } }],
    mcp_access_rights: { tools: { allowed: ['weather.*'] } },
  }
  return gateway.policies.put('p', { access_rights: { [definition.api_id]: right } })
}

/** Stages with configurations of several types are one list. */
export const accepted = () => {
  const text: Stage<{ header: string }> = {
    name: 'text',
    phase: '1-accept',
    make: ({ config: { header } }) => ({ request: ({ headers }) => void headers.get(header) }),
  }
  const untyped: Stage = {
    name: 'untyped',
    phase: '6-shape-response',
    before: 'cache-write',
    make: () => ({ response: async () => new Response('x') }),
  }
  return createGateway({ stages: [text, untyped] })
}

it('wrong options do not compile', () => expect(rejected).toHaveLength(31))
