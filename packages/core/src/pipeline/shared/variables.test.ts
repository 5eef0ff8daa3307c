import { describe, expect, it } from 'vitest'
import { escapeForBody, escapeForPath, escapeForQuery, variableText } from '../../lib/template/escape-variable.ts'
import { compileVariableText } from '../../lib/template/variable-text.ts'
import { headerSafe } from '../../lib/text/field-values.ts'

const source = { contextText: (name: string) => `<${name}>`, metaText: (key: string) => `[${key}]` }

describe('texts with variables', () => {
  const words = { vendor: 'svc', secret: (from: string, name: string) => `${from}:${name}` }

  it('are parsed once and joined per request', () => {
    const text = compileVariableText('a $svc_context.headers_X-A.b/$svc_meta.plan $$', words)
    expect(text.constant).toBeUndefined()
    expect(text.resolve(source)).toBe('a <headers_X-A.b>/[plan] $$')
    expect(text.resolve(source, (value) => value.length.toString())).toBe('a 15/6 $$')
  })

  it('without variables of the request are constant and contain the secrets', () => {
    expect(compileVariableText('Bearer $secret_env.key-$secret_conf.k', words).constant).toBe(
      'Bearer env:SVC_SECRET_KEY-secrets:k',
    )
    expect(compileVariableText('$secret_env.K', { vendor: 'svc' }).constant).toBe('')
    expect(compileVariableText('$5 and $other_context.x', words).constant).toBe('$5 and $other_context.x')
  })

  it('use the vendor word', () => {
    expect(compileVariableText('$acme_meta.x $svc_meta.x', { vendor: 'acme' }).resolve(source)).toBe('[x] $svc_meta.x')
  })
})

describe('values of variables', () => {
  it('are texts for any metadata', () => {
    expect([1.5, true, null, undefined, ['a', 1], { a: 1 }].map(variableText)).toEqual([
      '1.5',
      'true',
      '',
      '',
      'a,1',
      '{"a":1}',
    ])
  })

  it('are escaped by their place, and kept to one line in headers', () => {
    expect(escapeForQuery("a b&c/é'")).toBe('a+b%26c%2F%C3%A9%27')
    expect(escapeForPath('a b/..')).toBe('a%20b%2F..')
    expect(escapeForBody('a"b')).toBe('a%22b')
    expect(escapeForBody(`http://x/y?a=1&b="},'<`)).toBe('http://x/y?a=1&b=%22%7D,%27%3C')
    expect(headerSafe('a\r\nb\0c\td')).toBe('a  b c\td')
  })
})
