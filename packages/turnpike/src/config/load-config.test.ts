import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { formatFinding } from './finding.ts'
import { loadConfig } from './load-config.ts'
import { toSettings } from './to-settings.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-config-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function load(document: unknown, environment: Record<string, string> = {}, flags = {}) {
  const file = join(folder, 'gateway.json')
  writeFileSync(file, typeof document === 'string' ? document : JSON.stringify(document, null, 2))
  return loadConfig({ file, environment, flags, cwd: folder })
}

const tell = (loaded: ReturnType<typeof load>) =>
  loaded.findings
    .filter((finding) => finding.severity !== 'note')
    .map((finding) => formatFinding(finding).replace(folder, ''))

describe('defaults', () => {
  it('apply to keys that the file does not set', () => {
    const { config, usable } = load({ listen_address: '127.0.0.1' })
    expect(usable).toBe(true)
    expect(config).toMatchObject({
      listenPort: 8080,
      healthCheckEndpointName: 'hello',
      gracefulShutdownTimeoutDuration: 30,
      minTokenLength: 3,
      oauthTokenExpire: 3600,
      storage: { type: 'lmdb', host: 'localhost', port: 6379, timeout: 5 },
      batch: { maxItems: 1000, maxConcurrency: 64 },
      docs: { enabled: false },
    })
  })

  it('are not used for a YAML file with several documents', () => {
    const file = join(folder, 'gateway.yaml')
    writeFileSync(file, 'listen_port: 1\n---\nlisten_port: 2\n')
    const loaded = loadConfig({ file, environment: {}, cwd: folder })
    expect(loaded.usable).toBe(false)
    expect(tell(loaded).join()).toContain('has 2 YAML documents; a configuration is one')
  })

  it('keep a written 0 and an empty text', () => {
    const { config } = load({ listen_port: 0, secret: '' })
    expect(config.listenPort).toBe(0)
    expect(config.secret).toBe('')
  })

  it('reach the engine as settings', () => {
    const settings = toSettings(load({ listen_address: '127.0.0.1', proxy_default_timeout: 0 }).config)
    expect(settings).toMatchObject({
      vendor: 'svc',
      keys: { hashKeys: false, hashFunction: '', minTokenLength: 3, actionsByUsername: true },
      limits: { algorithm: 'local', enforceOrgQuotas: false },
      headers: { recorded: 'quotas', ietf: false },
      upstream: { timeoutMs: 30_000 },
      undeclaredResponseProcessors: 'skip',
      storageOutage: 'refuse',
    })
  })

  it('let the first rate limiter that is on win: fixed window, sentinel, rolling', () => {
    const algorithm = (document: unknown) => toSettings(load(document).config).limits.algorithm
    expect(algorithm({ enable_redis_rolling_limiter: true })).toBe('rolling')
    expect(algorithm({ enable_redis_rolling_limiter: true, enable_sentinel_rate_limiter: true })).toBe('sentinel')
    expect(algorithm({ enable_fixed_window_rate_limiter: true, enable_sentinel_rate_limiter: true })).toBe('fixed')
  })
})

describe('a file that cannot be used', () => {
  it.each([
    [
      '{\n  "listen_port": 8080,\n}',
      '/gateway.json:3:1  error  is not JSON: where a name in double quotes should be, there is "}" [config-unreadable]',
    ],
    [
      '{\n  "listen_port" 8080\n}',
      '/gateway.json:2:17  error  is not JSON: where ":" should be, there is "8" [config-unreadable]',
    ],
    [
      '{\n  // here\n  "listen_port": 1\n}',
      '/gateway.json:2:3  error  is not JSON: where a name in double quotes should be, there is "/" [config-unreadable]',
    ],
    [
      '{ "listen_port": 8080',
      '/gateway.json:1:22  error  is not JSON: where "," or "}" should be, the text ends [config-unreadable]',
    ],
    ['', '/gateway.json:1:1  error  is not JSON: where a value should be, the text ends [config-unreadable]'],
    ['[1]', '/gateway.json:1:1  error  must be one JSON object [config-unreadable]'],
  ])('reports where %j is incomplete', (text, message) => {
    const loaded = load(text)
    expect(loaded.usable).toBe(false)
    expect(tell(loaded)).toContain(message)
  })

  it('reports a wrong type with file, line, column, key and reason', () => {
    const loaded = load('{\n  "http_server_options": {\n    "xff_depth": "two"\n  }\n}')
    expect(loaded.usable).toBe(false)
    expect(tell(loaded)).toContain(
      '/gateway.json:3:18  error  http_server_options.xff_depth: must be a whole number, is a text [config-wrong-type]',
    )
  })

  it('reports every wrong key at once', () => {
    const loaded = load({ listen_port: true, storage: { type: 'mongo' }, hash_keys: 'yes' })
    expect(loaded.findings.filter((finding) => finding.severity === 'error').map((finding) => finding.field)).toEqual([
      'listen_port',
      'storage.type',
      'hash_keys',
    ])
  })

  it('names a folder in place of a file', () => {
    const loaded = loadConfig({ file: folder, environment: {}, cwd: folder })
    expect(loaded.usable).toBe(false)
    expect(loaded.findings[0]?.reason).toContain('cannot be read')
  })
})

describe('an unknown key', () => {
  it('is ignored with a warning that names the nearest known one', () => {
    const loaded = load('{\n  "listen_address": "127.0.0.1",\n  "listen_prot": 9000\n}')
    expect(loaded.usable).toBe(true)
    expect(loaded.config.listenPort).toBe(8080)
    expect(tell(loaded)).toContain(
      '/gateway.json:3:18  warning  listen_prot: is not a known key and is ignored (did you mean "listen_port"?) [unknown-key]',
    )
  })

  it('is no warning when original gateways know it; it is noted to have no effect', () => {
    const loaded = load({ listen_address: '127.0.0.1', slave_options: { use_rpc: false }, labs: { x: 1 } })
    expect(tell(loaded)).toEqual([])
    expect(loaded.findings).toMatchObject([
      { severity: 'note', field: 'slave_options' },
      { severity: 'note', field: 'labs' },
    ])
  })
})

describe('values that cannot work', () => {
  it.each([
    [{ listen_port: 70_000 }, 'listen_port'],
    [{ control_api_port: -1 }, 'control_api_port'],
    [{ vendor: 'a/b' }, 'vendor'],
    [{ workers: 2, storage: { type: 'memory' } }, 'workers'],
    [{ workers: 0 }, 'workers'],
    [{ health_check_endpoint_name: 'hel lo?' }, 'health_check_endpoint_name'],
    [{ http_server_options: { max_request_body_size: -1 } }, 'http_server_options.max_request_body_size'],
    [{ secret: 'env://TURNPIKE_NO_SUCH_SECRET' }, 'secret'],
  ])('%j is rejected', (document, field) => {
    const loaded = load(document)
    expect(loaded.usable).toBe(false)
    expect(loaded.findings.find((finding) => finding.severity === 'error')).toMatchObject({
      field,
      line: expect.any(Number),
    })
  })

  it.each([
    [{ secret: '' }, 'secret'],
    [{ listen_address: '0.0.0.0' }, 'secret'],
    [{ listen_address: '127.0.0.1', hash_keys: true }, 'hash_keys'],
    [{ listen_address: '127.0.0.1', hash_keys: true, hash_key_function: 'murmur64' }, 'hash_keys'],
    [{ listen_address: '127.0.0.1', hash_keys: true, hash_key_function: 'murmur128' }, 'hash_keys'],
    [{ listen_address: '127.0.0.1', detailed_credentials: 'recorded' }, 'detailed_credentials'],
    [{ listen_address: '127.0.0.1', hash_key_function: 'md5' }, 'hash_key_function'],
    [
      { listen_address: '127.0.0.1', enable_fixed_window_rate_limiter: true, enable_redis_rolling_limiter: true },
      'enable_redis_rolling_limiter',
    ],
  ])('%j is warned about', (document, field) => {
    const loaded = load(document)
    expect(loaded.usable).toBe(true)
    expect(loaded.findings).toMatchObject([{ severity: 'warning', field }])
  })

  it('a hash without collisions and a key of its own are not', () => {
    expect(tell(load({ secret: 'own', hash_keys: true, hash_key_function: 'sha256' }))).toEqual([])
  })
})

describe('the environment', () => {
  it('wins over the file, and flags win over both', () => {
    expect(load({ listen_port: 1 }, { SVC_GW_LISTENPORT: '2' }).config.listenPort).toBe(2)
    expect(load({ listen_port: 1 }, { SVC_GW_LISTENPORT: '2' }, { port: 3 }).config.listenPort).toBe(3)
    expect(load({}, { SVC_GW_LOGLEVEL: 'warn' }, { debug: true }).config.logLevel).toBe('debug')
  })

  it('reaches every level and type', () => {
    const { config } = load(
      {},
      {
        SVC_GW_HTTPSERVEROPTIONS_MAXREQUESTBODYSIZE: '1024',
        SVC_GW_HASHKEYS: 'true',
        SVC_GW_STORAGE_ADDRS: 'a:1,b:2',
        SVC_GW_SECRETS: 'one:1,two:2:3',
        SVC_GW_SECURITY_PINNEDPUBLICKEYS: 'example.org:id1',
        SVC_GW_PORTWHITELIST: '{"http":{"ports":[9000]}}',
        SVC_GW_HASHKEYFUNCTIONFALLBACK: 'murmur64,sha256',
      },
    )
    expect(config.httpServerOptions.maxRequestBodySize).toBe(1024)
    expect(config.hashKeys).toBe(true)
    expect(config.storage.addrs).toEqual(['a:1', 'b:2'])
    expect({ ...config.secrets }).toEqual({ one: '1', two: '2:3' })
    expect({ ...config.security.pinnedPublicKeys }).toEqual({ 'example.org': 'id1' })
    expect(config.portsWhitelist?.http?.ports).toEqual([9000])
    expect(config.hashKeyFunctionFallback).toEqual(['murmur64', 'sha256'])
  })

  it.each([
    ['SVC_GW_STORAGE_MAXIDLE', '7', (c: ReturnType<typeof load>['config']) => c.storage.optimisationMaxIdle],
    ['SVC_GW_OAUTHREFRESHEXPIRE', '8', (c: ReturnType<typeof load>['config']) => c.oauthRefreshTokenExpire],
    ['SVC_GW_MAXIDLECONNSPERHOST', '9', (c: ReturnType<typeof load>['config']) => c.maxIdleConnectionsPerHost],
    [
      'SVC_GW_HEALTHCHECK_HEALTHCHECKVALUETIMEOUT',
      '6',
      (c: ReturnType<typeof load>['config']) => c.healthCheck.healthCheckValueTimeouts,
    ],
  ])('knows the odd name %s', (name, text, read) => {
    expect(read(load({}, { [name]: text }).config)).toBe(Number(text))
  })

  it('follows the vendor word', () => {
    expect(load({ vendor: 'tyk' }, { TYK_GW_LISTENPORT: '5' }).config.listenPort).toBe(5)
    expect(load({ vendor: 'tyk' }, { SVC_GW_LISTENPORT: '5' }).config.listenPort).toBe(8080)
    const { config } = load({}, { SVC_GW_VENDOR: 'tyk', TYK_GW_LISTENPORT: '5' })
    expect([config.vendor, config.listenPort]).toEqual(['tyk', 5])
  })

  it('alone counts with OMITCONFIGFILE, and then even the sample key is dropped', () => {
    const { config } = load({ listen_port: 1 }, { SVC_GW_OMITCONFIGFILE: 'true', SVC_GW_HOSTNAME: 'h' })
    expect(config).toMatchObject({ listenPort: 8080, hostname: 'h', secret: '' })
  })

  it('reports a value of the wrong type and a name that nobody reads', () => {
    const loaded = load({ listen_address: '127.0.0.1' }, { SVC_GW_LISTENPORT: 'many', SVC_GW_HASHKEY: 'true' })
    expect(loaded.usable).toBe(false)
    expect(tell(loaded)).toEqual([
      'environment  warning  SVC_GW_HASHKEY: is not a known variable and is ignored (did you mean SVC_GW_HASHKEYS?) [unknown-variable]',
      'environment  error  SVC_GW_LISTENPORT: must be a whole number, is "many" [invalid-variable]',
    ])
  })

  it('gives values for env:// and secrets://', () => {
    const document = { secret: 'env://MANAGEMENT', node_secret: 'secrets://node', secrets: { node: 'n' } }
    const { config } = load(document, { SVC_SECRET_MANAGEMENT: 'm', MANAGEMENT: 'other' })
    expect([config.secret, config.nodeSecret]).toEqual(['m', 'n'])
  })

  it('gives the value of a variable with the vendor word, in any case of the reference', () => {
    const { config } = load({ vendor: 'acme', secret: 'env://management-Key' }, { 'ACME_SECRET_MANAGEMENT-KEY': 'm' })
    expect(config.secret).toBe('m')
  })

  it('gives values for the secret of private keys, for policies and for storages', () => {
    const loaded = load(
      {
        security: { private_certificate_encoding_secret: 'env://A' },
        policies: { policy_connection_string: 'env://B' },
        storage: { password: 'env://C' },
      },
      { SVC_SECRET_A: 'a', SVC_SECRET_B: 'b', SVC_SECRET_C: 'c' },
    )
    const { security, policies, storage } = loaded.config
    const values = [security.privateCertificateEncodingSecret, policies.policyConnectionString, storage.password]
    expect(values).toEqual(['a', 'b', 'c'])
  })

  it('gives an empty text for a missing variable, and no value for a missing entry of the map', () => {
    const missing = load({ listen_address: '127.0.0.1', node_secret: 'env://NONE' })
    expect([missing.usable, missing.config.nodeSecret]).toEqual([true, ''])
    expect(tell(missing)[0]).toContain('SVC_SECRET_NONE')
    expect(load({ node_secret: 'secrets://none', secrets: {} }).usable).toBe(false)
    expect(load({ secret: 'env://EMPTY' }, { SVC_SECRET_EMPTY: '' }).usable).toBe(false)
  })
})

describe('paths', () => {
  it('begin at the folder of the file, wherever the process was started', () => {
    const file = join(folder, 'gateway.json')
    writeFileSync(file, JSON.stringify({ app_path: 'my-apps', policies: { policy_path: '/abs' } }))
    const { config } = loadConfig({ file, environment: {}, cwd: '/' })
    expect(config.appPath).toBe(join(folder, 'my-apps'))
    expect(config.dataPath).toBe(join(folder, '.turnpike'))
    expect(config.policies.policyPath).toBe('/abs')
  })
})

describe('a named file that does not exist', () => {
  it('is an error, and nothing is written', () => {
    const file = join(folder, 'new', 'gateway.json')
    const loaded = loadConfig({ file, environment: {}, cwd: folder })
    expect(loaded).toMatchObject({ usable: false, origin: 'missing', file })
    expect(tell(loaded)[0]).toContain('does not exist (name another with --conf, or create one with: turnpike init)')
    expect(readdirSync(folder)).toEqual([])
  })

  it('suggests the file with a similar name', () => {
    writeFileSync(join(folder, 'gateway.json'), '{}')
    const loaded = loadConfig({ file: 'gatewya.json', environment: {}, cwd: folder })
    expect(tell(loaded)[0]).toContain('does not exist (did you mean gateway.json?)')
  })
})

describe('without a named file', () => {
  it('the configuration of the current folder is used, gateway.json first', () => {
    writeFileSync(join(folder, 'svc.conf'), '{ "listen_port": 1111 }')
    const first = loadConfig({ environment: {}, cwd: folder })
    expect([first.origin, first.config.listenPort]).toEqual(['file', 1111])
    writeFileSync(join(folder, 'gateway.json'), '{ "listen_port": 2222 }')
    expect(loadConfig({ environment: {}, cwd: folder }).config.listenPort).toBe(2222)
  })

  it('a folder without one has no configuration, unless OMITCONFIGFILE says that none is wanted', () => {
    expect(loadConfig({ environment: {}, cwd: folder }).origin).toBe('none')
    const omitted = loadConfig({ environment: { SVC_GW_OMITCONFIGFILE: 'true' }, cwd: folder })
    expect(omitted.origin).toBe('environment')
  })
})

describe('the echo upstream on a free port', () => {
  it('cannot be shared by several workers', () => {
    const loaded = load({ workers: 2, storage: { type: 'redis' }, echo: { enabled: true, listen_port: 0 } })
    expect(tell(loaded).join()).toContain('echo.listen_port: is 0, but all workers must know the port')
  })
})
