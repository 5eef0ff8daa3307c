/**
 * Configures the analytics of one gateway and their sinks. Without `enable_analytics`, no API has the analytics stage.
 * Source: docs/reference/analytics.md#analytics.
 */
import {
  type AnalyticsSettings,
  type AnalyticsSink,
  makeAnalytics,
  makeNormalisePath,
  makeRecordRing,
  type RunningAnalytics,
  readIgnoredAddresses,
} from '@turnpike/core/observability'
import type { AnalyticsRecord, Clock, Log } from '@turnpike/core/ports'
import type { GatewayConfig } from '../config/config-shape.ts'
import { configError } from './config-error.ts'

/** Bytes of each body that a detailed record contains at most. */
const detailBytes = 64 * 1024

export interface WiredRecords {
  readonly analytics: RunningAnalytics | undefined
  /** Flushes pending records, then returns the last ones, oldest first. */
  list(): Promise<readonly AnalyticsRecord[]>
  /** Writes pending records. */
  close(): Promise<void>
}

/** Rejects with `ConfigError` if a sink cannot be used. `storeSinks` are the sinks that the store provides. */
export async function wireRecords(
  config: GatewayConfig,
  clock: Clock,
  log: Log,
  storeSinks: readonly AnalyticsSink[] = [],
): Promise<WiredRecords> {
  if (!config.enableAnalytics) {
    return { analytics: undefined, list: () => Promise.resolve([]), close: () => Promise.resolve() }
  }
  const ring = makeRecordRing(Math.max(1, config.records.memory))
  const sinks: AnalyticsSink[] = config.records.memory > 0 ? [ring] : []
  sinks.push(...storeSinks, ...(await sinksOutside(config)))
  const analytics = makeAnalytics({
    settings: settingsOf(config, log),
    sinks,
    clock,
    log,
    batch: config.analyticsConfig.recordsBufferSize,
  })
  return {
    analytics,
    async list() {
      await analytics.flush()
      return ring.list()
    },
    close: () => analytics.close(),
  }
}

function settingsOf(config: GatewayConfig, log: Log): AnalyticsSettings {
  const { ignoredIps, normaliseUrls, enableDetailedRecording } = config.analyticsConfig
  const badPattern = (pattern: string, reason: string) =>
    log.error('a pattern of analytics_config.normalise_urls is left out', { pattern, reason })
  const badAddress = (address: string) =>
    log.error('an entry of analytics_config.ignored_ips is left out: it is not an address', { address })
  return {
    detailed: enableDetailedRecording || config.enableDetailedRecording,
    ignoredAddresses: readIgnoredAddresses(ignoredIps ?? [], badAddress),
    normalisePath: normaliseUrls.enabled
      ? makeNormalisePath(
          {
            uuids: normaliseUrls.normaliseUuids,
            ulids: normaliseUrls.normaliseUlids,
            numbers: normaliseUrls.normaliseNumbers,
            custom: normaliseUrls.customPatterns ?? [],
          },
          badPattern,
        )
      : undefined,
    tagHeaders: (config.tagHeaders ?? []).map((name) => name.toLowerCase()),
    orgDataAge: config.enforceOrgDataAge,
    orgDetail: config.enforceOrgDataDetailLogging,
    detailBytes,
  }
}

/** Creates the file and MongoDB sinks. Their modules are loaded only if they are configured. */
async function sinksOutside({ records }: GatewayConfig): Promise<AnalyticsSink[]> {
  const sinks: AnalyticsSink[] = []
  const { file, mongodb } = records
  if (file.path !== '') {
    const { makeJsonLinesSink } = await import('@turnpike/adapters/records-jsonl')
    sinks.push(makeJsonLinesSink(file))
  }
  if (mongodb.url !== '') {
    const { loadMongoDriver, makeMongoSink } = await import('@turnpike/adapters/records-mongodb')
    try {
      sinks.push(makeMongoSink(mongodb, await loadMongoDriver()))
    } catch (cause) {
      const problem = cause instanceof Error ? cause.message : String(cause)
      throw configError('records.mongodb.url', problem)
    }
  }
  return sinks
}
