import { describe, expect, it } from 'vitest'
import type { LintOptions } from './lint/lint.ts'
import { lintDefinition } from './lint-definition.ts'

const good = {
  name: 'orders',
  api_id: 'orders',
  active: true,
  proxy: { listen_path: '/orders/', target_url: 'http://127.0.0.1:1/' },
  version_data: { not_versioned: true, versions: { Default: { name: 'Default', use_extended_paths: true } } },
}

function findings(document: unknown, options: LintOptions = {}) {
  const text = typeof document === 'string' ? document : JSON.stringify(document, null, 2)
  return lintDefinition(text, options).map((one) => ({ ...one, at: `${one.severity} ${one.field || '(document)'}` }))
}
const places = (document: unknown, options: LintOptions = {}) => findings(document, options).map((one) => one.at)
const inDefault = (fields: object) => ({
  ...good,
  version_data: {
    not_versioned: true,
    versions: { Default: { name: 'Default', use_extended_paths: true, ...fields } },
  },
})
const signed = (signature: object) => ({
  auth: {
    validate_signature: true,
    signature: { algorithm: 'MasheryMD5', header: 'X-Signature', secret: 's', ...signature },
  },
})
const outside = (...providers: object[]) => ({ external_oauth: { enabled: true, providers } })
const version = 'version_data.versions.Default'

describe('checking a definition', () => {
  it('finds nothing in a good one', () => {
    expect(findings(good)).toEqual([])
  })

  it('reports secret stores that are not supported, and withstands deep nesting', () => {
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    const document = { ...good, config_data: { list: ['x', 'vault://a/b'] }, tags: ['env://NONE'] }
    const text = JSON.stringify(document).replace('{', `{"unknown":${deep},`)
    const found = findings(text, { secret: () => undefined })
    expect(found.map(({ at }) => at)).toContain('warning config_data.list[1]')
  })

  it('reports text that is not JSON, or not a definition', () => {
    expect(findings('{')).toMatchObject([{ severity: 'error', line: 1, column: 2 }])
    expect(places('[]')).toEqual(['error (document)'])
    expect(places({ api_definition: good })).toEqual(['error api_definition'])
  })

  it('reports misspelt fields with a suggestion, and wrong types', () => {
    expect(findings({ ...good, use_keyles: true })).toMatchObject([
      { at: 'warning use_keyles', fix: 'did you mean "use_keyless"?', ineffective: true, line: 18, column: 17 },
    ])
    expect(places({ ...good, active: 'yes' })).toEqual(['error active'])
  })

  it('says what to do instead of a field without effect, and only notes a field that nobody needs', () => {
    expect(findings({ ...good, analytics_plugin: { enabled: true }, slug: 's' })).toMatchObject([
      { at: 'warning analytics_plugin', fix: 'change the records where they are read, and remove it' },
      { at: 'note slug', fix: 'remove it' },
    ])
    const strict = lintDefinition(JSON.stringify({ ...good, analytics_plugin: { enabled: true } }), { strict: true })
    expect(strict).toMatchObject([{ severity: 'error', field: 'analytics_plugin' }])
  })

  it.each([
    ['(a)(b)', '/x/$2', []],
    ['(a)(b)', '/x/$3', ['rewrite_to: uses $3, but match_pattern has 2 groups, so that "$3" stays in the URL']],
    ['a', '$1/$1', ['rewrite_to: uses $1, but match_pattern has no group, so that "$1" stays in the URL']],
    ['(?P<id>.*)|b', '/$0/$1', []],
    ['(a', '/$9', ['match_pattern: is not a regular expression in RE2 syntax']],
  ])('a rewrite of %s to %s', (matchPattern, rewriteTo, expected) => {
    const rule = { path: '/a', method: 'GET', match_pattern: matchPattern, rewrite_to: rewriteTo }
    const found = findings(inDefault({ extended_paths: { url_rewrites: [rule] } }))
    const texts = found.map(({ field, reason }) => `${field.split('.').at(-1)}: ${reason}`)
    expect(texts).toEqual(expected.map((text) => expect.stringContaining(text)))
  })

  it('the target of a trigger uses groups of the pattern too', () => {
    const trigger = { on: 'all', options: {}, rewrite_to: '/t/$2' }
    const rule = { path: '/a', method: 'GET', match_pattern: '(a)', rewrite_to: '/$1', triggers: [trigger] }
    const [found] = findings(inDefault({ extended_paths: { url_rewrites: [rule] } }))
    expect(found?.field).toMatch(/\[0\]\.triggers\[0\]\.rewrite_to$/)
  })

  it.each<[string, object, string]>([
    ['an empty listen path', { proxy: { ...good.proxy, listen_path: '' } }, 'error proxy.listen_path'],
    ['a listen path of the gateway', { proxy: { ...good.proxy, listen_path: '/svc/x/' } }, 'error proxy.listen_path'],
    ['an invalid target', { proxy: { ...good.proxy, target_url: 'http://a b' } }, 'error proxy.target_url'],
    ['a target without scheme', { proxy: { ...good.proxy, target_url: 'localhost/x' } }, 'error proxy.target_url'],
    ['an empty list of targets', { proxy: { ...good.proxy, enable_load_balancing: true } }, 'error (document)'],
    ['an API that is not active', { active: false }, 'warning active'],
    ['an id that leads to another folder', { api_id: '../x' }, 'error api_id'],
    ['a rate without seconds', { global_rate_limit: { rate: 5 } }, 'error global_rate_limit.per'],
    ['a negative limit', { global_rate_limit: { rate: -5, per: 1 } }, 'error global_rate_limit.rate'],
    ['an unknown auth config', { auth_configs: { authtoken: {} } }, 'warning auth_configs.authtoken'],
    ['a header that cannot be sent', { auth: { auth_header_name: 'My Key' } }, 'error auth.auth_header_name'],
    ['a key without a source', { auth: { disable_header: true } }, 'error auth'],
    ['a signature of an unknown algorithm', signed({ algorithm: 'SHA1' }), 'error auth.signature.algorithm'],
    ['a signature without secret', signed({ secret: '' }), 'error auth.signature.secret'],
    ['a signature without header', signed({ header: '' }), 'error auth.signature.header'],
    ['a large clock skew', signed({ allowed_clock_skew: 7200 }), 'warning auth.signature.allowed_clock_skew'],
    ['external OAuth without provider', outside(), 'error external_oauth.providers'],
    ['external OAuth without method', outside({}), 'error external_oauth.providers[0]'],
    ['a second provider', outside({ jwt: { enabled: true, source: 's' } }, {}), 'warning external_oauth.providers[1]'],
    ['a JWT without source', outside({ jwt: { enabled: true } }), 'error external_oauth.providers[0].jwt.source'],
    [
      'an introspection without URL',
      outside({ introspection: { enabled: true } }),
      'error external_oauth.providers[0].introspection.url',
    ],
    ['keyless with an auth mode', { use_keyless: true, use_basic_auth: true }, 'warning use_keyless'],
    ['an invalid address', { allowed_ips: ['10.0.0.1', '10'] }, 'error allowed_ips[1]'],
    [
      'an unknown processor',
      { response_processors: [{ name: 'header_inject' }] },
      'warning response_processors[0].name',
    ],
    [
      'an unknown event',
      { event_handlers: { events: { QuotaExceded: [] } } },
      'warning event_handlers.events.QuotaExceded',
    ],
    [
      'a cache that stores nothing',
      { cache_options: { enable_cache: true, cache_timeout: 0 } },
      'warning cache_options.cache_timeout',
    ],
    ['no versions', { version_data: { not_versioned: true } }, 'error version_data.versions'],
    ['an invalid date', { expiration: 'tomorrow' }, 'error expiration'],
  ])('reports %s', (_, change, place) => {
    expect(places({ ...good, ...change })).toEqual([place])
  })

  it.each<[string, object, string]>([
    [
      'an invalid pattern',
      { extended_paths: { ignored: [{ path: '/a(' }] } },
      `error ${version}.extended_paths.ignored[0].path`,
    ],
    [
      'a method in small letters',
      { extended_paths: { ignored: [{ path: '/a', method: 'get' }] } },
      `warning ${version}.extended_paths.ignored[0].method`,
    ],
    [
      'an invalid rewrite',
      { extended_paths: { url_rewrites: [{ path: '/a', match_pattern: '(?=x)' }] } },
      `error ${version}.extended_paths.url_rewrites[0].match_pattern`,
    ],
    [
      'a breaker in percent',
      { extended_paths: { circuit_breakers: [{ path: '/a', threshold_percent: 50, samples: 5 }] } },
      `error ${version}.extended_paths.circuit_breakers[0].threshold_percent`,
    ],
    [
      'an unknown method',
      { extended_paths: { method_transforms: [{ path: '/a', to_method: 'FETCH' }] } },
      `error ${version}.extended_paths.method_transforms[0].to_method`,
    ],
    [
      'rules that are not read',
      { use_extended_paths: false, extended_paths: { ignored: [{ path: '/a' }] } },
      `warning ${version}.extended_paths`,
    ],
    ['plain lists that are not read', { paths: { ignored: ['/a'] } }, `warning ${version}.paths`],
    [
      'response headers without processor',
      { global_response_headers: { a: 'b' } },
      `warning ${version}.global_response_headers`,
    ],
    [
      'a response body without processor',
      { extended_paths: { transform_response: [{ path: '/a' }] } },
      `warning ${version}.extended_paths.transform_response[0]`,
    ],
    ['a name that differs', { name: 'v1' }, `warning ${version}.name`],
    ['a target of the only version', { override_target: 'http://a.test' }, `warning ${version}.override_target`],
  ])('reports %s', (_, fields, place) => {
    expect(places(inDefault(fields))).toEqual([place])
  })

  it('reports an invalid target of a version of a versioned API', () => {
    const versions = { v1: { name: 'v1', override_target: 'host' } }
    const document = { ...good, version_data: { not_versioned: false, default_version: 'v1', versions } }
    expect(places(document)).toEqual(['error version_data.versions.v1.override_target'])
  })

  it('reports several versions that could be the only one', () => {
    const versions = { Default: { name: 'Default' }, '': { name: '' } }
    expect(places({ ...good, version_data: { not_versioned: true, versions } })).toEqual([
      'error version_data.versions',
    ])
  })

  it('accepts response rules that take effect', () => {
    const document = inDefault({ global_response_headers: { a: 'b' } })
    expect(places({ ...document, response_processors: [{ name: 'header_injector', options: {} }] })).toEqual([])
    expect(places(document, { undeclaredResponseProcessors: 'fire' })).toEqual([])
  })

  it('uses the configuration of the gateway', () => {
    expect(places({ ...good, domain: 'a.test' }, { customDomains: false })).toEqual(['warning domain'])
    expect(places({ ...good, active: false }, { honourActive: true })).toEqual([])
    expect(places({ ...good, expiration: '2001-01-01 10:00' }, { now: Date.UTC(2026, 0) })).toEqual([
      'warning expiration',
    ])
    const secret = { ...good, jwt_source: 'env://JWT' }
    expect(places(secret)).toEqual([])
    expect(places(secret, { secret: () => undefined })).toEqual(['error (document)'])
  })

  it('finds versions that no request can reach', () => {
    const data = (more: object) => ({ ...good, version_data: { versions: { v1: { name: 'v1' } }, ...more } })
    expect(places(data({ default_version: 'v2' }))).toEqual(['error version_data.default_version'])
    expect(places({ ...data({}), definition: { location: 'headers' } })).toEqual(['warning definition.location'])
    expect(places({ ...data({}), definition: { location: 'url-param' } })).toEqual(['error definition.key'])
    expect(places({ ...good, definition: { enabled: true, name: 'a', default: 'b' } })).toEqual([
      'error definition.default',
    ])
  })
})

describe('checking where an API listens', () => {
  const ports = {
    own: 8080,
    control: 0,
    secure: false,
    whitelist: new Map([['http', { ranges: [], ports: [9001] }]]),
  }
  const of = (fields: object) => places({ ...good, ...fields }, { ports })

  it('reports ports that the gateway does not allow, with the fix', () => {
    expect(of({ listen_port: 9001 })).toEqual([])
    expect(findings({ ...good, listen_port: 9002 }, { ports })).toMatchObject([
      { at: 'error listen_port', line: 18, reason: expect.stringContaining('ports_whitelist.http') },
    ])
    expect(of({ listen_port: 70_000 })).toEqual(['error listen_port'])
    expect(of({ listen_port: '9001' })).toEqual(['error listen_port'])
  })

  it('reports unknown protocols and protocols without effect', () => {
    expect(of({ protocol: 'http' })).toEqual([])
    expect(of({ protocol: 'https' })).toEqual(['warning protocol'])
    expect(of({ protocol: 'htp' })).toEqual(['warning protocol'])
    expect(of({ protocol: 'htp', listen_port: 9001 })).toEqual(['error protocol'])
  })

  it('reports settings without effect on APIs that forward bytes', () => {
    const proxy = { target_url: 'tcp://db.test:5432' }
    const stream = { protocol: 'tcp', listen_port: 9001, proxy, use_keyless: true }
    const loose = { ports: { ...ports, whitelist: undefined } }
    expect(places({ ...good, ...stream }, loose)).toEqual([])
    expect(places({ ...good, ...stream, use_keyless: false }, loose)).toEqual(['warning protocol'])
    expect(places({ ...good, ...stream, proxy: good.proxy }, loose)).toEqual(['error proxy.target_url'])
    expect(places({ ...good, proxy: { ...good.proxy, ...proxy } }, loose)).toEqual(['error proxy.target_url'])
    expect(of({ ...stream, listen_port: 0 })).toEqual(['error protocol'])
  })

  it('allows paths of the gateway on another port', () => {
    const proxy = { ...good.proxy, listen_path: '/hello' }
    expect(of({ proxy })).toEqual(['error proxy.listen_path'])
    expect(of({ proxy, listen_port: 9001 })).toEqual([])
  })
})

describe('the order of rules', () => {
  const orders = (list: string, ...rules: (object | string)[]) =>
    findings(inDefault({ extended_paths: { [list]: rules } })).map(({ id, field, reason }) => [
      id,
      field.replace(/^.*extended_paths\./, ''),
      /beginning of (\S+),/.exec(reason)?.[1],
    ])
  const get = (path: string, more: object = {}) => ({ path, method: 'GET', ...more })

  it('is noted if a rule never applies, because a rule before it matches its paths', () => {
    expect(orders('white_list', get('/orders'), get('/other'), get('/orders/{id}/lines'))).toEqual([
      ['rule-of-longer-paths', 'white_list[0].path', '/orders/{id}/lines'],
    ])
    expect(orders('cache', '/a', '/ab')).toEqual([['rule-of-longer-paths', 'cache[0]', '/ab']])
  })

  it('is right if the longer path comes first, or the shorter one ends', () => {
    expect(orders('white_list', get('/orders/{id}'), get('/orders'))).toEqual([])
    expect(orders('white_list', get('/orders$'), get('/orders/{id}'))).toEqual([])
    expect(orders('white_list', get('/orders'), get('/orders/'), get('/orders$'))).toEqual([])
  })

  it('does not count for other methods, and for disabled rules', () => {
    expect(orders('white_list', get('/orders'), get('/orders/{id}', { method: 'PUT' }))).toEqual([])
    expect(orders('white_list', get('/orders', { disabled: true }), get('/orders/{id}'))).toEqual([])
  })

  it('does not count if rules match whole paths', () => {
    const rules = { extended_paths: { white_list: [get('/a'), get('/a/b')] } }
    expect(findings(inDefault(rules), { exactPaths: true })).toEqual([])
    expect(findings(inDefault(rules))).toHaveLength(1)
  })

  it('is found fast in a list of thousands', () => {
    const rules = Array.from({ length: 20_000 }, () => get('/same'))
    const started = performance.now()
    expect(orders('white_list', ...rules)).toEqual([])
    expect(performance.now() - started).toBeLessThan(5000)
  })
})

it.each([
  ['$tyk_context.headers_X_Host/orders', true],
  ['$svc_meta.host', false],
  ['$secret_env.HOST/x', true],
  ['http://up.test/$svc_context.path', false],
  ['$1/x', false],
])('a rewrite target %s begins with a variable: %s', (rewriteTo, isNoted) => {
  const rule = { path: '/a', method: 'GET', match_pattern: '/(.*)', rewrite_to: rewriteTo }
  const found = findings(inDefault({ extended_paths: { url_rewrites: [rule] } })).map(({ id }) => id)
  expect(found).toEqual(isNoted ? ['rewrite-begins-with-variable'] : [])
})

describe('fields that say nothing', () => {
  const ids = (document: object) => findings({ ...good, ...document }).map(({ id, field }) => `${id} ${field}`)

  it('are only counted, as what a dashboard writes into every definition', () => {
    expect(ids({ date_created: '2023-01-19', later: null, empty: { list: [], text: '' }, slug: 's' })).toEqual([
      'unused-field date_created',
      'unused-field later',
      'unused-field empty',
      'stored-field slug',
    ])
    const extractor = { extract_from: '', extract_with: '', extractor_config: {} }
    const discovery = { use_discovery_service: false, cache_timeout: 60 }
    const uptime = { check_list: [], config: { expire_utime_after: 0, recheck_wait: 0, service_discovery: discovery } }
    const cache = { cache_timeout: 60, enable_cache: true, cache_all_safe_requests: false }
    const graphql = { enabled: false, supergraph: { subgraphs: [{ api_id: '' }] } }
    expect(
      ids({
        custom_middleware: { id_extractor: extractor },
        uptime_tests: uptime,
        cache_options: cache,
        graphql,
      }),
    ).toEqual(['cache-without-use cache_options.enable_cache'])
  })

  it('are reported if they are used, or written by hand', () => {
    expect(ids({ uptime_tests: { config: { recheck_wait: 5 } } })).toEqual(['field-without-effect uptime_tests.config'])
    expect(ids({ cache_options: { enable_cache: true } })).toEqual(['cache-without-paths cache_options.enable_cache'])
  })

  it('do not hide a misspelt name', () => {
    expect(ids({ response_procesors: [] })).toEqual(['unknown-field response_procesors'])
  })
})

describe('what the original gateway knows', () => {
  it('is named as not supported, without a suggestion', () => {
    const jq = [{ path: '/a', method: 'GET', filter: '.' }]
    const handlers = { AuthFailure: [{ handler_name: 'cp_dynamic_handler', handler_meta: {} }] }
    const found = findings({
      ...inDefault({ extended_paths: { transform_jq: jq } }),
      event_handlers: { events: handlers },
    })
    expect(found.map(({ id, fix }) => [id, fix])).toEqual([
      ['feature-without-effect', 'write a template (transform, transform_response) or a script'],
      ['unsupported-event-handler', 'use eh_web_hook_handler, eh_log_handler or eh_dynamic_handler'],
    ])
  })

  it('is named as not supported if it is a processor of responses', () => {
    const document = { ...good, response_processors: [{ name: 'response_body_transform_jq', options: {} }] }
    expect(findings(document).map(({ id }) => id)).toEqual(['unsupported-response-processor'])
    const misspelt = { ...good, response_processors: [{ name: 'header_injektor', options: {} }] }
    expect(findings(misspelt)).toMatchObject([
      { id: 'unknown-response-processor', fix: expect.stringContaining('did you mean') },
    ])
  })

  it('is not reported for an empty list, and a field that exists is not suggested', () => {
    const found = findings(inDefault({ extended_paths: { transform_jq: [] } }))
    expect(found.map(({ id }) => id)).toEqual(['unused-field'])
    expect(findings({ ...good, use_keyless: true, use_keyles: true })).toMatchObject([{ fix: 'remove it' }])
  })

  it('that is not active is reported only where the definition says so', () => {
    const { active: _, ...without } = good
    expect(findings(without)).toEqual([])
    expect(places({ ...good, active: false })).toEqual(['warning active'])
  })
})
