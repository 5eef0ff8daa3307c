/**
 * Converts the Redis connection of the configuration to options of ioredis. Source:
 * docs/reference/configuration.md#storage-keys.
 */
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { type ServiceTls, tlsOptions } from '../service-connection/service-connection.ts'
import { followFailovers } from './follow-failovers.ts'

export interface RedisConnectionOptions {
  /** One server, seed nodes of a cluster, or sentinels. */
  readonly addresses: readonly { readonly host: string; readonly port: number }[]
  readonly username?: string
  /** Secret: never logged. */
  readonly password?: string
  /** Database number. Default: 0, the only one of a cluster. */
  readonly database?: number
  /** Redis Cluster. Default: false. */
  readonly cluster?: boolean
  /** If set, `addresses` are sentinels, which provide the address of the master with this name. */
  readonly sentinel?: { readonly master: string; readonly password?: string }
  /** Absent: no TLS. */
  readonly tls?: ServiceTls
  /** Timeout for connecting in ms; at most 1000 with a cluster or sentinels. Default: 5000. */
  readonly connectMs?: number
}

/** A client of one Redis, or of a cluster. */
export type RedisClient = Redis | Cluster

/** Maximum pause between two attempts to connect. */
const maxPauseMs = 1000

/** Time for the server to close its side of a connection, before it is cut, in ms. */
const closingMs = 200
/** Maximum time for connecting to a server that can be replaced. It may be gone, and clients must find its successor soon. */
const maxReplicatedConnectMs = 1000
/** How often the client reads the slots of the servers of a cluster, and how long a server may take to reply, in ms. */
const slotsMs = 500

const pauseBefore = (attempt: number) => Math.min(50 * attempt, maxPauseMs)

/**
 * Makes a client that connects and reconnects by itself. It does not queue commands without a connection. After a lost
 * connection it does not resend commands, because the server may have executed them; in a cluster ioredis does, because
 * it closes connections itself when the slots change.
 */
export function makeRedisClient(connection: RedisConnectionOptions, role: 'data' | 'signals'): RedisClient {
  const { addresses, cluster = false, database = 0 } = connection
  const common = commonOptions(connection, role)
  if (cluster) {
    return new Cluster([...addresses], {
      enableAutoPipelining: true,
      enableOfflineQueue: false,
      clusterRetryStrategy: pauseBefore,
      slotsRefreshTimeout: Math.min(slotsMs, connection.connectMs ?? slotsMs),
      slotsRefreshInterval: slotsMs,
      redisOptions: common,
    })
  }
  const single = { ...common, db: database, enableOfflineQueue: role === 'signals', retryStrategy: pauseBefore }
  const { sentinel } = connection
  if (sentinel === undefined) return new Redis({ ...single, ...(addresses[0] ?? { host: 'localhost', port: 6379 }) })
  const client = new Redis({
    ...single,
    name: sentinel.master,
    sentinels: [...addresses],
    sentinelRetryStrategy: pauseBefore,
    ...(sentinel.password === undefined ? {} : { sentinelPassword: sentinel.password }),
    ...(common.tls === undefined ? {} : { sentinelTLS: common.tls, enableTLSForSentinelMode: true }),
  })
  const subscribers = addresses.map((address) => new Redis({ ...address, ...subscriberOptions(common, sentinel) }))
  followFailovers(client, sentinel.master, subscribers)
  return client
}

function commonOptions(connection: RedisConnectionOptions, role: 'data' | 'signals') {
  const { username, password, tls, connectMs = 5000, cluster = false, sentinel } = connection
  const isReplicated = cluster || sentinel !== undefined
  return {
    connectTimeout: isReplicated ? Math.min(connectMs, maxReplicatedConnectMs) : connectMs,
    // A suspended server does not close its side of a connection.
    disconnectTimeout: closingMs,
    connectionName: `turnpike-${role}`,
    // RESP2, which all servers and proxies support.
    protocol: 2,
    autoResendUnfulfilledCommands: false,
    // subscription.ts subscribes again. The library would do it without handling a failure, which ends the process if the
    // connection is lost again at that moment.
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: role === 'data',
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { tls: tlsOptions(tls) }),
  } satisfies RedisOptions
}

/** Connections to sentinels that only receive their messages. Keep-alive probes find one that is silent. */
function subscriberOptions(
  { connectTimeout, protocol, autoResubscribe, tls }: ReturnType<typeof commonOptions>,
  { password }: NonNullable<RedisConnectionOptions['sentinel']>,
) {
  return {
    connectTimeout,
    protocol,
    autoResubscribe,
    connectionName: 'turnpike-sentinel',
    retryStrategy: pauseBefore,
    enableReadyCheck: false,
    keepAlive: 1000,
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { tls }),
  } satisfies RedisOptions
}
