/**
 * Converts `storage`, `cache_storage` or `analytics_storage` to Redis connection options. Certificate files are read
 * here, once. Source: docs/reference/configuration.md#storage-keys.
 */
import type { RedisConnectionOptions, RedisTls } from '@turnpike/adapters/store-redis'
import type { GatewayConfig } from '../config/config-shape.ts'
import { readPem } from './read-pem.ts'

type StorageKeys = GatewayConfig['cacheStorage']

const defaultPort = 6379

/** Throws `ConfigError` if a TLS file cannot be read. `section` is the configuration key, for messages. */
export function redisConnectionOptionsOf(keys: StorageKeys, section: string): RedisConnectionOptions {
  return {
    addresses: addressesOf(keys),
    connectMs: (keys.timeout > 0 ? keys.timeout : 5) * 1000,
    cluster: keys.enableCluster,
    database: keys.database,
    ...(keys.username === '' ? {} : { username: keys.username }),
    ...(keys.password === '' ? {} : { password: keys.password }),
    ...(keys.masterName === ''
      ? {}
      : {
          sentinel: {
            master: keys.masterName,
            ...(keys.sentinelPassword === '' ? {} : { password: keys.sentinelPassword }),
          },
        }),
    ...(keys.useSsl ? { tls: tlsOf(keys, section) } : {}),
  }
}

/** Returns hosts, ports and database as text, without credentials. */
export function describeRedis({ addresses, database = 0, cluster, sentinel }: RedisConnectionOptions): string {
  const places = addresses.map(({ host, port }) => `${host}:${port}`).join(', ')
  const kind = cluster ? 'Redis Cluster' : sentinel === undefined ? 'Redis' : `Redis ${sentinel.master} behind Sentinel`
  return `keys in ${kind} at ${places}${database === 0 ? '' : `, database ${database}`}`
}

function addressesOf({ addrs, hosts, host, port }: StorageKeys): RedisConnectionOptions['addresses'] {
  if (addrs !== null && addrs.length > 0) return addrs.map(parseAddress)
  const named = Object.entries(hosts ?? {})
  if (named.length > 0) return named.map(([name, at]) => ({ host: name, port: Number(at) || defaultPort }))
  return [{ host: host === '' ? 'localhost' : host, port: port > 0 ? port : defaultPort }]
}

/** `host`, `host:port` or `[address]:port`. */
function parseAddress(text: string): { host: string; port: number } {
  const [, bracketed, plain, port] = /^(?:\[(.+)\]|([^:]*))(?::(\d+))?$/.exec(text) ?? []
  // Without a match, `text` is an IPv6 address without brackets.
  return { host: bracketed ?? plain ?? text, port: port === undefined ? defaultPort : Number(port) }
}

function tlsOf(keys: StorageKeys, section: string): RedisTls {
  const minVersion = versionOf(keys.tlsMinVersion)
  const maxVersion = versionOf(keys.tlsMaxVersion)
  return {
    insecure: keys.sslInsecureSkipVerify,
    ...(keys.caFile === '' ? {} : { ca: readPem(keys.caFile, `${section}.ca_file`) }),
    ...(keys.certFile === '' ? {} : { cert: readPem(keys.certFile, `${section}.cert_file`) }),
    ...(keys.keyFile === '' ? {} : { key: readPem(keys.keyFile, `${section}.key_file`) }),
    ...(minVersion === undefined ? {} : { minVersion }),
    ...(maxVersion === undefined ? {} : { maxVersion }),
  }
}

const versions: Readonly<Record<string, NonNullable<RedisTls['minVersion']>>> = {
  '1.0': 'TLSv1',
  '1.1': 'TLSv1.1',
  '1.2': 'TLSv1.2',
  '1.3': 'TLSv1.3',
}

function versionOf(text: string): RedisTls['minVersion'] {
  return Object.hasOwn(versions, text) ? versions[text] : undefined
}
