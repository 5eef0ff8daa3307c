/** Makes a plain analytics record for tests, with some values replaced. */
import type { AnalyticsRecord } from '../../../src/ports/analytics-record.ts'

const noBytes = new Uint8Array(0)

export function recordWith(change: Partial<AnalyticsRecord> = {}): AnalyticsRecord {
  return {
    method: 'GET',
    host: 'upstream.test',
    path: '/x',
    rawPath: '/x',
    contentLength: 0,
    userAgent: '',
    responseCode: 200,
    apiKey: '',
    at: 0,
    apiVersion: 'Non Versioned',
    apiName: 'a1',
    apiId: 'a1',
    orgId: 'org1',
    oauthId: '',
    totalMs: 1,
    upstreamMs: 1,
    rawRequest: noBytes,
    rawResponse: noBytes,
    ipAddress: '192.0.2.1',
    tags: ['org-org1', 'api-a1'],
    alias: '',
    trackPath: false,
    expireAt: 0,
    mcp: undefined,
    ...change,
  }
}
