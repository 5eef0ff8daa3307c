/**
 * Keys of storage, definitions, policies and reload.
 * Source: docs/reference/configuration.md#storage-keys, docs/reference/configuration.md#definitions-and-reload-keys.
 */
import {
  boolean,
  described,
  integer,
  list,
  map,
  type ObjectOf,
  object,
  oneOf,
  type Shape,
  text,
  withDefault,
} from '@turnpike/core/lib'

/** Stores of keys and counters. The default is the embedded store (LMDB). */
const storageTypes = ['lmdb', 'memory', 'redis'] as const

const connection = {
  host: described('Host of one Redis.', withDefault(text, 'localhost')),
  port: described('TCP port of one Redis.', withDefault(integer, 6379)),
  hosts: described('Ports by host; in place of host and port.', map(text)),
  addrs: described('Addresses host:port; in place of host and port.', list(text)),
  masterName: described('Name of the master that the Sentinels watch.', text),
  sentinelPassword: described('Password of the Sentinels.', text),
  username: described('User of Redis.', text),
  password: described('Password of Redis.', text),
  database: described('Number of the database in Redis.', integer),
  timeout: described('Seconds.', withDefault(integer, 5)),
  optimisationMaxIdle: withDefault(integer, 100),
  optimisationMaxActive: withDefault(integer, 500),
  enableCluster: described('The addresses are nodes of a Redis Cluster.', boolean),
  useSsl: described('Connects with TLS.', boolean),
  sslInsecureSkipVerify: described('The certificate of Redis is not verified.', boolean),
  caFile: described(
    'PEM file of the authorities that Redis certificates must have. Default: those of the system.',
    text,
  ),
  certFile: described('PEM file of the client certificate.', text),
  keyFile: described('PEM file of the key of the client certificate.', text),
  tlsMinVersion: described('Lowest version of TLS.', withDefault(text, '1.2')),
  tlsMaxVersion: described('Highest version of TLS.', withDefault(text, '1.3')),
}

const storageFields = {
  type: described(
    'lmdb: embedded, for one node, in `data_path`. memory: for one node, lost at a restart. redis: shared by nodes.',
    oneOf(storageTypes, 'lmdb'),
  ),
  ...connection,
}
const storageShape: Shape<ObjectOf<typeof storageFields>> = object(storageFields)

/** Only names of sessions and counters depend on the layout, so the other two stores do not have it. */
const mainStorageFields = {
  ...storageFields,
  layout: described(
    'Names in Redis: those of the original gateway, or with hash tags, with which all limiters work in a Redis Cluster.',
    oneOf(['recorded', 'tagged'], 'recorded'),
  ),
}
const mainStorageShape: Shape<ObjectOf<typeof mainStorageFields>> = object(mainStorageFields)

export const storageKeys = {
  storage: mainStorageShape,
  enableSeparateAnalyticsStore: described('Analytics records go to `analytics_storage`.', boolean),
  analyticsStorage: storageShape,
  enableSeparateCacheStore: described('Cached responses go to `cache_storage`.', boolean),
  cacheStorage: storageShape,
  dataPath: described('Folder of the embedded store.', withDefault(text, '.turnpike')),
  storageOutage: described(
    'How the gateway handles keyed requests while the store is unavailable.',
    oneOf(['refuse', 'allow'], 'refuse'),
  ),

  appPath: described('Folder of API definitions.', withDefault(text, 'apps/')),
  templatePath: described(
    'Folder of error templates; built-in ones are used for missing files.',
    withDefault(text, 'templates'),
  ),
  middlewarePath: described('Folder of the scripts of APIs.', withDefault(text, 'middleware')),
  useDbAppConfigs: described('Definitions belong to a dashboard: the management API rejects changes.', boolean),
  policies: object({
    policySource: described('file or empty: policies come from files.', text),
    policyRecordName: described('File of all policies: an object of id and policy.', text),
    policyPath: described('Folder of one file a policy; wins over policy_record_name.', text),
    policyConnectionString: text,
    allowExplicitPolicyId: boolean,
  }),
  allowUnsafePolicyIds: described('Policy ids may contain other characters than A-Z, a-z, 0-9 and . _ - ~.', boolean),
  reloadInterval: described('No effect: a reload begins at once.', withDefault(integer, 1)),
  suppressRedisSignalReload: described('The node ignores messages of other nodes.', boolean),
  resourceSync: object({ retryAttempts: integer, interval: integer }),
}
