/**
 * Records as plain objects with the compatible names, for JSON and for documents of a database. The msgpack
 * form is in `record-to-msgpack.ts`. Source: docs/reference/analytics.md#analytics.
 */

import { encodeBase64 } from '../../lib/text/base64.ts'
import { calendarHour, type Millis } from '../../lib/text/time.ts'
import type { AnalyticsRecord } from '../../ports/analytics-record.ts'

/** Minutes that local time is ahead of UTC at a moment; the engine itself knows no time zone. */
export type UtcOffset = (at: Millis) => number

/** `time` writes moments: as a text for JSON, as a date for a database. */
export function toWireRecord(
  record: AnalyticsRecord,
  time: (at: Millis) => unknown,
  utcOffset: UtcOffset = () => 0,
): Record<string, unknown> {
  const { day, month, year, hour } = calendarHour(record.at + utcOffset(record.at) * 60_000)
  return {
    Method: record.method,
    Host: record.host,
    Path: record.path,
    RawPath: record.rawPath,
    ContentLength: record.contentLength,
    UserAgent: record.userAgent,
    Day: day,
    Month: month,
    Year: year,
    Hour: hour,
    ResponseCode: record.responseCode,
    APIKey: record.apiKey,
    TimeStamp: time(record.at),
    APIVersion: record.apiVersion,
    APIName: record.apiName,
    APIID: record.apiId,
    OrgID: record.orgId,
    OauthID: record.oauthId,
    RequestTime: record.totalMs,
    RawRequest: encodeBase64(record.rawRequest),
    RawResponse: encodeBase64(record.rawResponse),
    IPAddress: record.ipAddress,
    Geo: {
      Country: { ISOCode: '' },
      City: { GeoNameID: 0, Names: null },
      Location: { Latitude: 0, Longitude: 0, TimeZone: '' },
    },
    Network: { OpenConnections: 0, ClosedConnection: 0, BytesIn: 0, BytesOut: 0 },
    Latency: latencyOf(record),
    Tags: record.tags,
    Alias: record.alias,
    TrackPath: record.trackPath,
    ExpireAt: time(record.expireAt),
    ApiSchema: '',
    GraphQLStats: {
      Variables: '',
      RootFields: null,
      Types: null,
      Errors: null,
      OperationType: 0,
      HasErrors: false,
      IsGraphQL: false,
    },
    MCPStats: {
      IsMCP: record.mcp !== undefined,
      JSONRPCMethod: record.mcp?.method ?? '',
      PrimitiveType: record.mcp?.primitiveType ?? '',
      PrimitiveName: record.mcp?.primitiveName ?? '',
    },
    CollectionName: '',
  }
}

function latencyOf({ totalMs, upstreamMs }: AnalyticsRecord) {
  return { Total: totalMs, Upstream: upstreamMs, Gateway: Math.max(0, totalMs - upstreamMs) }
}
