import { describe, expect, test } from 'vitest'
import { type LogFormat, type LogLevel, makePinoLog } from './log-pino.ts'

const at = Date.UTC(2024, 10, 21, 10, 25, 22, 7)

function lines(format: LogFormat, level: LogLevel = 'info') {
  const written: string[] = []
  const log = makePinoLog({ format, level, clock: { now: () => at }, write: (line) => written.push(line) })
  return { log, written }
}

describe('the standard format', () => {
  test('writes time, level, message and the fields sorted by name', () => {
    const { log, written } = lines('standard')
    log.info('Gateway started', { port: 8080, host: 'localhost' })
    const local = new Date(at)
    const clockText = [local.getHours(), local.getMinutes(), local.getSeconds()].map((n) => String(n).padStart(2, '0'))
    expect(written).toEqual([
      `time="Nov ${local.getDate()} ${clockText.join(':')}" level=info msg="Gateway started" host=localhost port=8080 prefix=main\n`,
    ])
  })

  test('writes warn as warning and keeps the prefix of a line', () => {
    const { log, written } = lines('standard')
    log.warn('slow', { prefix: 'access-log' })
    expect(written[0]).toMatch(/level=warning msg="slow" prefix=access-log\n$/)
  })

  test('quotes texts, so that they cannot forge lines or fields', () => {
    const { log, written } = lines('standard')
    log.info('a"\nlevel=error msg="b', { path: '/x y=1\n' })
    expect(written).toHaveLength(1)
    expect(written[0]?.match(/\n/g)).toHaveLength(1)
    expect(written[0]).toContain('path="/x y=1\\n"')
  })
})

describe('colours', () => {
  test('mark the level of warnings and errors, and nothing else', () => {
    const written: string[] = []
    const log = makePinoLog({ colour: true, clock: { now: () => at }, write: (line) => written.push(line) })
    log.error('no level=error', { a: 1 })
    log.info('fine')
    expect(written[0]).toContain('"\u001b[31m level=error\u001b[39m msg="no level=error" a=1')
    expect(written[1]).not.toContain('\u001b')
  })
})

describe('the JSON format', () => {
  test('writes level, message, prefix and an RFC 3339 time', () => {
    const { log, written } = lines('json')
    log.error('no', { api_id: 'a1', nested: { n: 1 } })
    expect(JSON.parse(written[0] ?? '')).toEqual({
      level: 'error',
      msg: 'no',
      prefix: 'main',
      time: '2024-11-21T10:25:22.007Z',
      api_id: 'a1',
      nested: { n: 1 },
    })
  })

  test('renames fields that collide with keys of the line', () => {
    const { log, written } = lines('json')
    log.info('real', { msg: 'forged', level: 'debug', time: 'never' })
    expect(JSON.parse(written[0] ?? '')).toMatchObject({ msg: 'real', level: 'info', time: '2024-11-21T10:25:22.007Z' })
  })
})

describe('the level', () => {
  test('filters lines below it', () => {
    const { log, written } = lines('json', 'warn')
    log.debug('d')
    log.info('i')
    log.warn('w')
    log.error('e')
    expect(written.map((line) => JSON.parse(line).msg)).toEqual(['w', 'e'])
  })

  test('can be changed at any time', () => {
    const { log, written } = lines('standard')
    log.debug('before')
    log.level = 'debug'
    log.debug('after')
    expect(log.level).toBe('debug')
    expect(written.join('')).toContain('after')
    expect(written.join('')).not.toContain('before')
  })
})

describe('credentials', () => {
  const secret = 'S3cr3tValueNobodyMaySee'
  const cases: [string, string, Record<string, unknown>][] = [
    ['a header by its name', 'x', { Authorization: secret }],
    ['a nested header', 'x', { headers: { 'x-svc-authorization': secret, cookie: secret } }],
    ['a password in a list', 'x', { users: [{ name: 'a', password: secret }] }],
    ['a client secret', 'x', { client_secret: secret, nodeSecret: secret }],
    ['a scheme in the message', `rejected Bearer ${secret}`, {}],
    ['a query in a path', 'x', { path: `/cb?state=1&access_token=${secret}&x=2` }],
    ['a form body', `grant_type=password&password=${secret}`, {}],
    ['JSON in a text', `{"refresh_token":"${secret}"}`, {}],
    ['a password in a URL', `cannot reach redis://user:${secret}@host:6379`, {}],
    ['an error and its cause', 'x', { error: new Error('a', { cause: new Error(`secret=${secret}`) }) }],
  ]
  for (const [name, message, fields] of cases) {
    for (const format of ['standard', 'json'] as const) {
      test(`${name} is never printed (${format})`, () => {
        const { log, written } = lines(format, 'debug')
        log.debug(message, fields)
        expect(written).toHaveLength(1)
        expect(written[0]).not.toContain(secret)
        expect(written[0]).toContain('[redacted]')
      })
    }
  }

  test('other values are not redacted', () => {
    const { log, written } = lines('standard')
    log.info('GET /orders?page=2', { key: 'a1b2c3d4', api_key: '****abcd', error: new Error('refused: port 1') })
    expect(written[0]).toContain('api_key="****abcd"')
    expect(written[0]).toContain('key=a1b2c3d4')
    expect(written[0]).toContain('msg="GET /orders?page=2"')
    expect(written[0]).toContain('error="refused: port 1"')
  })
})
