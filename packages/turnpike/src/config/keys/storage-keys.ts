/**
 * Keys of storage, definitions, policies and reload.
 * Source: docs/reference/configuration.md#storage-keys, docs/reference/configuration.md#definitions-and-reload-keys.
 */
import {
  boolean,
  field,
  integer,
  list,
  map,
  type ObjectOf,
  object,
  oneOf,
  type Shape,
  text,
  withDefault,
} from '@turnpike/core'

/** Stores of keys and counters. The default is the embedded store (LMDB). */
const storageTypes = ['lmdb', 'memory', 'redis'] as const

const connection = {
  host: withDefault(text, 'localhost'),
  port: withDefault(integer, 6379),
  hosts: field(map(text), { description: 'Ports by host; in place of host and port.' }),
  addrs: field(list(text), { description: 'Addresses host:port; in place of host and port.' }),
  masterName: text,
  sentinelPassword: text,
  username: text,
  password: text,
  database: integer,
  timeout: field(withDefault(integer, 5), { description: 'Seconds.' }),
  optimisationMaxIdle: withDefault(integer, 100),
  optimisationMaxActive: withDefault(integer, 500),
  enableCluster: boolean,
  useSsl: boolean,
  sslInsecureSkipVerify: boolean,
  caFile: text,
  certFile: text,
  keyFile: text,
  tlsMinVersion: withDefault(text, '1.2'),
  tlsMaxVersion: withDefault(text, '1.3'),
}

const storageFields = { type: oneOf(storageTypes, 'lmdb'), ...connection }
const storageShape: Shape<ObjectOf<typeof storageFields>> = object(storageFields)

/** Only names of sessions and counters depend on the layout, so the other two stores do not have it. */
const mainStorageFields = {
  ...storageFields,
  layout: field(oneOf(['recorded', 'tagged'], 'recorded'), {
    description:
      'Names in Redis: those of the original gateway, or with hash tags, with which all limiters work in a Redis Cluster.',
  }),
}
const mainStorageShape: Shape<ObjectOf<typeof mainStorageFields>> = object(mainStorageFields)

export const storageKeys = {
  storage: mainStorageShape,
  enableSeparateAnalyticsStore: boolean,
  analyticsStorage: storageShape,
  enableSeparateCacheStore: boolean,
  cacheStorage: storageShape,
  dataPath: field(withDefault(text, '.turnpike'), { description: 'Folder of the embedded store.' }),
  storageOutage: field(oneOf(['refuse', 'allow'], 'refuse'), {
    description: 'How the gateway handles keyed requests while the store is unavailable.',
  }),

  appPath: field(withDefault(text, 'apps/'), { description: 'Folder of API definitions.' }),
  templatePath: field(withDefault(text, 'templates'), {
    description: 'Folder of error templates; built-in ones are used for missing files.',
  }),
  middlewarePath: withDefault(text, 'middleware'),
  useDbAppConfigs: boolean,
  policies: object({
    policySource: text,
    policyRecordName: field(text, { description: 'File of all policies: an object of id and policy.' }),
    policyPath: field(text, { description: 'Folder of one file a policy; wins over policy_record_name.' }),
    policyConnectionString: text,
    allowExplicitPolicyId: boolean,
  }),
  allowUnsafePolicyIds: boolean,
  reloadInterval: field(withDefault(integer, 1), {
    description: 'No effect: a reload begins at once.',
  }),
  suppressRedisSignalReload: boolean,
  resourceSync: object({ retryAttempts: integer, interval: integer }),
}
