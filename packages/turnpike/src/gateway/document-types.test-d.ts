/** Definitions, policies, keys and configurations are fully typed: a misspelt field does not compile. */
import { expectTypeOf } from 'vitest'
import type {
  ConfigDocument,
  DefinitionDocument,
  ExtensionDocument,
  Gateway,
  PolicyDocument,
  SeedDocument,
  SessionDocument,
} from '../index.ts'
import { createGateway, defineApi, defineConfig } from '../index.ts'

const proxy = { listen_path: '/a/', target_url: 'http://u' }
const versions = (extended_paths: NonNullable<DefinitionDocument['version_data']>['versions']) => extended_paths

// What a program writes compiles.
expectTypeOf(createGateway).toBeCallableWith({
  config: defineConfig({ listen_port: 0, storage: { type: 'memory' }, secrets: { a: 'b' } }),
  definitions: [{ api_id: 'a', proxy, version_data: { not_versioned: true, versions: { v: { name: 'v' } } } }],
  policies: { gold: { rate: 5, per: 1, access_rights: { a: { versions: ['Default'] } } } },
})
defineApi({ id: 'a', target: 'http://u', more: { cache_options: { enable_cache: true, cache_timeout: 5 } } })
expectTypeOf<Gateway['keys']['create']>().toBeCallableWith({ apply_policies: ['gold'], meta_data: { a: 1 } })
expectTypeOf<DefinitionDocument['enable_jwt']>().toEqualTypeOf<boolean | undefined>()
expectTypeOf<ConfigDocument['front_end']>().toEqualTypeOf<'auto' | 'http1' | 'uws' | 'node' | undefined>()

// Options of createGateway and defineApi.
// @ts-expect-error a misspelt option
void createGateway({ definition: [] })
// @ts-expect-error a misspelt option
defineApi({ id: 'a', target: 'http://u', listen_path: '/a/' })
// @ts-expect-error a misspelt field of further fields
defineApi({ id: 'a', target: 'http://u', more: { cache_option: {} } })

// Configurations.
// @ts-expect-error a misspelt key
void createGateway({ config: { listen_prt: 8080 } })
// @ts-expect-error a misspelt key of a group
void createGateway({ config: { storage: { hots: 'h' } } })
// @ts-expect-error not one of the words
defineConfig({ front_end: 'nod' })
// @ts-expect-error ports are numbers
defineConfig({ listen_port: '8080' })

// Definitions.
// @ts-expect-error a misspelt field
void createGateway({ definitions: [{ api_id: 'a', proxy, use_keyles: true }] })
// @ts-expect-error a misspelt field of the proxy
void createGateway({ definitions: [{ api_id: 'a', proxy: { ...proxy, strip_listenpath: true } }] })
// @ts-expect-error a misspelt list of rules
versions({ v: { extended_paths: { black_lists: [] } } })
// @ts-expect-error a misspelt field of a rule
versions({ v: { extended_paths: { black_list: [{ path: '/a', methods: 'GET' }] } } })
// @ts-expect-error a misspelt field of a trigger
versions({ v: { extended_paths: { url_rewrites: [{ triggers: [{ options: { header_match: {} } }] }] } } })
// @ts-expect-error flags are true or false
void createGateway({ definitions: [{ api_id: 'a', proxy, active: 'yes' }] })
// @ts-expect-error a definition needs a proxy
void createGateway({ definitions: [{ api_id: 'a' }] })

// Policies.
// @ts-expect-error a misspelt field
void createGateway({ policies: { gold: { quotamax: 1 } } })
// @ts-expect-error a misspelt field of an access right
void ({ access_rights: { a: { allowed_url: [] } } } satisfies PolicyDocument)
// @ts-expect-error a misspelt partition
void ({ partitions: { rate: true } } satisfies PolicyDocument)

// Keys and seeds.
const key = (document: SessionDocument) => document
// @ts-expect-error a misspelt field
key({ aply_policies: [] })
// @ts-expect-error a misspelt limit
key({ access_rights: { a: { limit: { quota: 1 } } } })
// @ts-expect-error limits are numbers
key({ rate: '5' })
// @ts-expect-error a misspelt field of a key
void ({ keys: { k: { aply_policies: [] } } } satisfies SeedDocument)

// Extensions of OpenAPI documents.
void ({ server: { listenPath: { value: '/a/' } }, upstream: { url: 'http://u' } } satisfies ExtensionDocument)
// @ts-expect-error a misspelt member
void ({ server: { listenpath: { value: '/a/' } } } satisfies ExtensionDocument)
// @ts-expect-error a misspelt member of an operation
void ({ middleware: { operations: { get: { mockResponses: {} } } } } satisfies ExtensionDocument)
