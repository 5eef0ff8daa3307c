import { describe, expect, it } from 'vitest'
import { printProblem } from './definition-problem.ts'
import { parseDefinition } from './parse-definition.ts'

const good = {
  name: 'orders',
  api_id: 'orders',
  proxy: { listen_path: '/orders/', target_url: 'http://127.0.0.1:1/' },
  version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
}

function parse(document: unknown, secrets: Record<string, string> = {}) {
  const text = typeof document === 'string' ? document : JSON.stringify(document, null, 2)
  return parseDefinition(text, 'orders.json', 'h1', { secret: (from, name) => secrets[`${from}:${name}`] })
}

function problemOf(document: unknown): string | undefined {
  const { problem } = parse(document)
  return problem && printProblem('orders.json', problem)
}

describe('parsing a definition', () => {
  it('returns a frozen definition', () => {
    const { definition } = parse(good)
    expect(definition).toMatchObject({ id: 'orders', source: 'orders.json', hash: 'h1', listenPath: '/orders/' })
    expect(Object.isFrozen(definition)).toBe(true)
    expect(Object.isFrozen(definition?.document.proxy)).toBe(true)
    expect(Object.isFrozen(definition?.versions.get('Default')?.paths.ignored)).toBe(true)
  })

  it('ignores unknown fields', () => {
    expect(parse({ ...good, something_new: { a: 1 } }).definition?.id).toBe('orders')
  })

  it('accepts a byte order mark', () => {
    expect(parse(`\ufeff${JSON.stringify(good)}`).definition?.id).toBe('orders')
  })

  it('reports where the text stops being JSON', () => {
    expect(problemOf('{\n  "name": "a",\n}')).toBe(
      'orders.json:3:1: (document) is not JSON: where a name in double quotes should be, there is "}"',
    )
    expect(problemOf('')).toContain('orders.json:1:1: (document) is not JSON')
  })

  it.each(['[]', '"x"', 'null', '7'])('requires an object, not %s', (text) => {
    expect(problemOf(text)).toContain('must be an object')
  })

  it('reports the field of a wrong type and its place', () => {
    expect(problemOf('{\n "use_keyless": "yes"}')).toBe(
      'orders.json:2:17: use_keyless must be true or false, is a text',
    )
  })

  it.each([
    [{ listen_path: '' }, 'proxy.listen_path must not be empty'],
    [{ listen_path: '/a b/' }, 'proxy.listen_path must not contain white space'],
    [{ listen_path: '/a/{id/' }, 'proxy.listen_path has a variable without a closing brace'],
    [{ listen_path: '/a/{id:(}/' }, 'proxy.listen_path has a variable with an invalid pattern'],
    [{ target_url: 'http://host:port/' }, 'proxy.target_url is not a URL'],
    [{ target_url: 'http://a b/' }, 'proxy.target_url is not a URL'],
    [{ target_url: '10.0.0.1:80' }, 'proxy.target_url is not a URL'],
    [{ target_url: 'http://h/%zz' }, 'proxy.target_url is not a URL'],
    [{ enable_load_balancing: true, target_list: ['http://a', '://b'] }, 'proxy.target_list[1] is not a URL'],
  ])('rejects definitions that are invalid for serving: %j', (change, message) => {
    expect(problemOf({ ...good, proxy: { ...good.proxy, ...change } })).toContain(message)
  })

  it('accepts unusual targets', () => {
    for (const target_url of ['', 'http://[::1]:80/x?k=v', 'https://user@host/%20', 'h2c://h', 'localhost:80']) {
      expect(problemOf({ ...good, proxy: { ...good.proxy, target_url } })).toBeUndefined()
    }
  })

  it('resolves echo:// to a path on the echo upstream, which is not secret', () => {
    const document = { ...good, proxy: { ...good.proxy, target_url: 'echo://orders/x' } }
    const { definition } = parse(document, { 'echo:': 'http://127.0.0.1:7000' })
    expect(definition?.document.proxy.targetUrl).toBe('http://127.0.0.1:7000/orders/x')
    expect(definition?.secrets?.document.proxy.targetUrl).toBe('echo://orders/x')
    expect(definition?.secrets?.values).toEqual([])
    expect(parse(document).definition?.document.proxy.targetUrl).toBe('echo://orders/x')
  })

  it('resolves secrets, and changes the hash if they change', () => {
    const document = {
      ...good,
      jwt_source: 'secrets://jwt',
      proxy: { ...good.proxy, target_url: 'http://env://HOST' },
    }
    const before = parse(document, { 'secrets:jwt': 'one', 'env:HOST': 'h:80' })
    expect(before.usesSecrets).toBe(true)
    expect(before.definition?.document.jwtSource).toBe('one')
    expect(before.definition?.document.proxy.targetUrl).toBe('http://h:80')
    const after = parse(document, { 'secrets:jwt': 'two', 'env:HOST': 'h:80' })
    expect(after.definition?.hash).not.toBe(before.definition?.hash)
    expect(parse(good).usesSecrets).toBe(false)
  })

  it('keeps a reference without a value, and the text around a reference', () => {
    const textOf = (jwt_source: string, secrets: Record<string, string> = {}) =>
      parse({ ...good, jwt_source }, secrets).definition?.document.jwtSource
    const secrets = { 'secrets:a.b': 'x', 'secrets:empty': '', 'env:E': 'secrets://a.b', 'env:NONE': '' }
    expect(textOf('before secrets://a.b after secrets://a.b.', secrets)).toBe('before x after x.')
    expect(textOf('secrets://A.B secrets://empty|', secrets)).toBe('secrets://A.B |')
    expect(textOf('secrets://a.b env://E', secrets)).toBe('x secrets://a.b')
    for (const missing of ['env://NONE', 'env://E after', 'secrets://jwt']) {
      expect(textOf(missing, secrets)).toBe(missing)
    }
  })

  it('does not reveal secrets in a problem', () => {
    const document = { ...good, proxy: { ...good.proxy, target_url: 'env://T' } }
    expect(JSON.stringify(parse(document, { 'env:T': 'http://:s3cret:x/' }).problem)).not.toContain('s3cret')
  })

  it('withstands deep nesting and names of prototypes', () => {
    expect(problemOf('['.repeat(100_000))).toContain('is not JSON')
    expect(problemOf(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toContain('must be an object')
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    const wrapped = (name: string) => JSON.stringify(good).replace('{', `{"${name}":${deep},`)
    expect(problemOf(wrapped('config_data'))).toContain('must not nest deeper')
    expect(problemOf(wrapped('unknown'))).toBeUndefined()
    expect(problemOf(wrapped('__proto__'))).toBeUndefined()
    // With a reference to a secret, the whole document is searched.
    expect(problemOf(wrapped('unknown').replace('"api_id"', '"name2":"env://NONE","api_id"'))).toBeUndefined()
    const evil = JSON.stringify(good).replace(
      '"Default":{',
      '"__proto__":{"name":"x"},"Default":{"__proto__":{"expires":"x"},',
    )
    expect([...(parse(evil).definition?.versions.keys() ?? [])]).toEqual(['Default'])
  })
})
