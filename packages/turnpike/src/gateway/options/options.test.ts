// Wrong options of createGateway and defineApi are rejected with the option's name, the value and the fix.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigError } from '../config-error.ts'
import { createGateway } from '../create-gateway.ts'
import { defineApi } from '../define-api.ts'
import type { GatewayOptions } from '../gateway-options.ts'
import { OptionError } from './option-error.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnpike-options-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'a-file.json')
writeFileSync(file, '{}')

const orders = defineApi({ id: 'orders', target: 'http://orders.test/', open: true })

const wrong: readonly [name: string, options: unknown, option: string, message: RegExp][] = [
  [
    'a misspelt option',
    { definition: [orders] },
    'definition',
    /"definition" is not an option; did you mean "definitions"\?/,
  ],
  ['an unknown option', { colour: 'red' }, 'colour', /"colour" is not an option; the options are config, definitions/],
  ['options that are no object', 'gateway.json', 'options', /the options must be an object, given: "gateway\.json"/],
  [
    'no such store',
    { store: 'mysql' },
    'store',
    /"store" must be "memory", "lmdb", "redis" or a store .*; given: "mysql"/,
  ],
  ['a store without counters', { store: { sessions: {} } }, 'store', /missing: organisations, counters/],
  ['a clock that is a number', { clock: 0 }, 'clock', /"clock" must be a clock with now, after, breathe; given: 0/],
  ['a logger without error', { log: { debug() {}, info() {}, warn() {} } }, 'log', /missing: error/],
  ['an upstream that is a URL', { upstream: 'http://a:pw@x/' }, 'upstream', /given: "http:\/\/\[secret\]@x\/"/],
  [
    'an endpoint without make',
    { endpoints: [{ paths: () => [] }] },
    'endpoints',
    /a list of endpoints with paths and make/,
  ],
  ['an empty vendor word', { vendor: '' }, 'vendor', /must be a text that is not empty; given: ""/],
  ['a word for a boolean', { observeRequests: 'yes' }, 'observeRequests', /must be true or false; given: "yes"/],
  ['a number in the environment', { environment: { A: 1 } }, 'environment', /an object of texts/],
  ['a missing folder', { definitions: join(folder, 'apis') }, 'definitions', /apis", which does not exist; create it/],
  ['a file as folder', { policies: file }, 'policies', /a-file\.json", which is not a folder/],
  ['a missing configuration', { config: join(folder, 'gatway.json') }, 'config', /gatway\.json", which does not exist/],
  [
    'an unknown configuration key',
    { config: { listen_prot: 1 } },
    'config.listen_prot',
    /did you mean "listen_port"\?/,
  ],
  ['an empty list', { definitions: [] }, 'definitions', /is an empty list, so no API would be served/],
  [
    'an empty definition',
    { definitions: [orders, {}] },
    'definitions[1]',
    /must be a definition.*given: an empty object/,
  ],
  [
    'an id that names the document of another API',
    { definitions: [{ ...orders, api_id: 'orders-oas' }] },
    'definitions[0].api_id',
    /no ending -oas or -mcp; given: "orders-oas"/,
  ],
  ['a definition without id', { definitions: [{ proxy: {} }] }, 'definitions[0].api_id', /given: undefined/],
  [
    'one id twice',
    { definitions: [orders, orders] },
    'definitions[1].api_id',
    /has the api_id "orders" of definitions\[0\]/,
  ],
  [
    'a function that returns no list',
    { definitions: () => orders },
    'definitions()',
    /must be a list of definitions; given: an object/,
  ],
  [
    'a definition with a wrong type',
    { definitions: [orders, { ...orders, api_id: 'b', proxy: { listen_path: 5 } }] },
    'definitions[1]',
    /definitions\[1\] \("b"\): proxy\.listen_path: must be a text, is the number 5/,
  ],
  [
    'a policy with a wrong type',
    { policies: { gold: { rate: 'much' } } },
    'policies',
    /gold\.json: rate must be a number/,
  ],
]

describe('createGateway', () => {
  it.each(wrong)('rejects %s', async (_name, options, option, message) => {
    const failed = await createGateway(options as GatewayOptions).then(
      async (gateway) => gateway.close(0),
      (cause: unknown) => cause,
    )
    expect(failed).toBeInstanceOf(OptionError)
    expect(failed).toMatchObject({ option })
    expect(String(failed)).toMatch(message)
    expect(String(failed)).toMatch(/createGateway: /)
  })

  it('accepts options that are undefined, and no options', async () => {
    await (await createGateway({ store: undefined, definitions: undefined } as unknown as GatewayOptions)).close(0)
    await (await createGateway()).close(0)
  })

  it('serves the other APIs of a function or a folder in which one is broken', async () => {
    const definitions = () => [orders, { ...orders, api_id: 'b', proxy: null } as never]
    const gateway = await createGateway({ definitions, log: 'silent' })
    expect(gateway.apis().map(({ id }) => id)).toEqual(['orders'])
    await gateway.close(0)
  })

  it('rejects a reload whose function returns one id twice, and keeps serving', async () => {
    let list = [orders]
    const gateway = await createGateway({ definitions: () => list, log: 'silent' })
    list = [orders, orders]
    await expect(gateway.reload()).rejects.toThrow('definitions()[1] has the api_id "orders" of definitions()[0]')
    expect(gateway.apis().map(({ id }) => id)).toEqual(['orders'])
    await gateway.close(0)
  })

  it('rejects a configuration file whose folder of definitions is missing, and writes nothing', async () => {
    const own = join(folder, 'own')
    mkdirSync(own)
    const config = join(own, 'gateway.json')
    writeFileSync(config, JSON.stringify({ app_path: 'apps', storage: { type: 'memory' } }))
    await expect(createGateway({ config })).rejects.toThrow(/apps does not exist/)
    expect(readdirSync(own)).toEqual(['gateway.json'])
    expect(existsSync(join(folder, 'gatway.json'))).toBe(false)
  })

  it('still reports wrong values of a configuration with their findings', async () => {
    await expect(createGateway({ config: { listen_port: 'x' as never } })).rejects.toBeInstanceOf(ConfigError)
  })
})

describe('defineApi', () => {
  const id = 'a'
  const target = 'http://a.test/'
  it.each<readonly [name: string, options: unknown, option: string, message: RegExp]>([
    ['nothing', undefined, 'options', /defineApi: the options must be an object, given: undefined/],
    ['no options', {}, 'id', /"id" is missing; it must be a text that can be a file name/],
    ['no target', { id }, 'target', /"target" is missing; it must be the URL of the upstream/],
    ['an unknown option', { id, target, listen_path: '/a/' }, 'listen_path', /did you mean "listenPath"\?/],
    ['an id that is a path', { id: '../a', target }, 'id', /given: "\.\.\/a"/],
    ['a target without scheme', { id, target: '127.0.0.1:3000' }, 'target', /given: "127\.0\.0\.1:3000"/],
    [
      'a relative listen path',
      { id, target, listenPath: 'a' },
      'listenPath',
      /a path that starts with a slash; given: "a"/,
    ],
    ['a word for open', { id, target, open: 'yes' }, 'open', /must be true or false/],
    ['a list of further fields', { id, target, more: [] }, 'more', /an object with further fields/],
  ])('rejects %s', (_name, options, option, message) => {
    let failed: unknown
    try {
      defineApi(options as Parameters<typeof defineApi>[0])
    } catch (cause) {
      failed = cause
    }
    expect(failed).toBeInstanceOf(OptionError)
    expect(failed).toMatchObject({ option, message: expect.stringMatching(message) })
  })
})
