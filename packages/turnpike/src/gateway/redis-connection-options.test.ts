import { describe, expect, it } from 'vitest'
import { loadConfig } from '../config/load-config.ts'
import { describeRedis, redisConnectionOptionsOf } from './redis-connection-options.ts'

const read = (storage: object, more: object = {}) =>
  loadConfig({ document: { storage: { type: 'redis', ...storage }, ...more }, environment: {}, cwd: '/' })
const connection = (storage: object) => redisConnectionOptionsOf(read(storage).config.storage, 'storage')
const errors = (storage: object, more: object = {}) =>
  read(storage, more)
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ field }) => field)

describe('storage of type redis', () => {
  it('is one server on this machine by default', () => {
    expect(connection({})).toEqual({
      addresses: [{ host: 'localhost', port: 6379 }],
      connectMs: 5000,
      cluster: false,
      database: 0,
    })
    expect(read({}).usable).toBe(true)
  })

  it('takes addresses from addrs, else hosts, else host and port', () => {
    const addresses = (storage: object) => connection(storage).addresses
    const hosts = { one: '7001', two: '7002' }
    expect(addresses({ host: 'h', port: 7 })).toEqual([{ host: 'h', port: 7 }])
    expect(addresses({ host: 'h', hosts })).toEqual([
      { host: 'one', port: 7001 },
      { host: 'two', port: 7002 },
    ])
    expect(addresses({ hosts, addrs: ['a:1', 'b', '[::1]:2', '[::1]', '::1'] })).toEqual([
      { host: 'a', port: 1 },
      { host: 'b', port: 6379 },
      { host: '::1', port: 2 },
      { host: '::1', port: 6379 },
      { host: '::1', port: 6379 },
    ])
  })

  it('hands on who we are, sentinels and TLS', () => {
    expect(
      connection({
        username: 'u',
        password: 'p',
        database: 3,
        master_name: 'm',
        sentinel_password: 's',
        use_ssl: true,
        ssl_insecure_skip_verify: true,
      }),
    ).toMatchObject({
      username: 'u',
      password: 'p',
      database: 3,
      sentinel: { master: 'm', password: 's' },
      tls: { insecure: true, minVersion: 'TLSv1.2', maxVersion: 'TLSv1.3' },
    })
  })

  it('an unreadable TLS file is reported with its configuration key', () => {
    expect(() => connection({ use_ssl: true, ca_file: '/none/ca.pem' })).toThrow(/storage\.ca_file.*cannot be read/)
  })

  it('its words for people hold no secret', () => {
    const words = describeRedis(connection({ host: 'h', username: 'u', password: 'p-secret', database: 2 }))
    expect(words).toBe('keys in Redis at h:6379, database 2')
  })

  it('a cluster needs hash tags for what uses two names at once, and has no databases', () => {
    const cluster = { enable_cluster: true, addrs: ['a:1'] }
    expect(errors(cluster)).toEqual([])
    expect(errors(cluster, { enable_sentinel_rate_limiter: true })).toEqual(['enable_sentinel_rate_limiter'])
    expect(errors(cluster, { enable_rate_limit_smoothing: true })).toEqual(['enable_rate_limit_smoothing'])
    const tagged = { ...cluster, layout: 'tagged' }
    expect(errors(tagged, { enable_sentinel_rate_limiter: true, enable_rate_limit_smoothing: true })).toEqual([])
    expect(errors({ ...cluster, database: 1, master_name: 'm' })).toEqual(['storage.database', 'storage.master_name'])
  })
})
