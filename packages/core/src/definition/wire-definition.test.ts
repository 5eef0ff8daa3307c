import { expect, it } from 'vitest'
import { readShape } from '../lib/shape/shape.ts'
import { type ClassicDefinition, classicShape } from './classic.ts'
import { normaliseDefinition } from './normalise.ts'
import { printDefinition, toWireDefinition } from './wire-definition.ts'

const read = (document: object): ClassicDefinition => readShape(classicShape, document).value
const origin = { source: 'a.json', hash: '1' }

it('returns every field, set or not', () => {
  const shown = toWireDefinition(normaliseDefinition(read({ api_id: 'a', proxy: { listen_path: '/a/' } }), origin))
  expect(shown).toMatchObject({
    api_id: 'a',
    name: '',
    active: false,
    session_lifetime: 0,
    tags: null,
    auth_configs: null,
    CORS: { enable: false, allowed_origins: null },
    use_oauth2: false,
    proxy: { listen_path: '/a/', target_url: '', target_list: null },
    version_data: { not_versioned: false, versions: null },
  })
})

it('omits the fields that are omitted if empty', () => {
  const version_data = { versions: { v: { name: 'v' } } }
  const shown = toWireDefinition(normaliseDefinition(read({ version_data }), origin)) as Record<string, unknown>
  for (const name of [
    'id',
    'expiration',
    'is_oas',
    'application_protocol',
    'json_rpc_version',
    'tags_disabled',
    'domain_disabled',
  ]) {
    expect(shown).not.toHaveProperty(name)
  }
  expect(shown).toHaveProperty(['version_data', 'versions', 'v', 'extended_paths'], {
    persist_graphql: null,
    rate_limit: null,
  })
})

it('returns the listen path after conflicts were resolved', () => {
  const definition = normaliseDefinition(read({ api_id: 'a', proxy: { listen_path: '/x/' } }), origin)
  expect(toWireDefinition({ ...definition, listenPath: '/x/-a' })).toMatchObject({ proxy: { listen_path: '/x/-a' } })
})

it('returns the listen path as it is if it contains a reference without a value', () => {
  const definition = normaliseDefinition(read({ api_id: 'a', proxy: { listen_path: 'env://UNSET' } }), origin)
  expect(toWireDefinition(definition)).toMatchObject({ proxy: { listen_path: 'env://UNSET' } })
})

it('prints text that parses to the same document', () => {
  const document = read({
    api_id: 'a',
    auth_configs: { authToken: { use_param: true } },
    version_data: {
      versions: { v: { extended_paths: { ignored: [{ path: '/x' }], cache: ['/c'] }, global_headers: { a: 'b' } } },
    },
    config_data: { deep: [{ x: null }] },
  })
  const printed = printDefinition(document)
  expect(printed).toContain('\n  "api_id": "a",\n')
  expect(read(JSON.parse(printed) as object)).toEqual(document)
})
