/**
 * The extension as it is shown: what the definition file beside the document says wins over what the document says,
 * because it is what is served. Source: spec/oas-and-mcp.md 1.
 */

import { type Json, memberOf, objectOf } from '../../lib/json.ts'
import type { ClassicDefinition } from '../classic.ts'

/** The extension with name, ids, state, versions, listen path and target of the classic form. */
export function fillExtension(extension: Json, classic: Readonly<ClassicDefinition>): Json {
  const info = objectOf(extension['info'])
  const server = objectOf(extension['server'])
  const upstream = objectOf(extension['upstream'])
  const { proxy, definition } = classic
  return {
    ...extension,
    info: {
      ...info,
      id: classic.apiId,
      name: classic.name,
      ...said('orgId', classic.orgId),
      ...said('expiration', classic.expiration),
      state: {
        ...objectOf(info['state']),
        active: classic.active,
        ...(classic.internal || memberOf(info, 'state', 'internal') !== undefined
          ? { internal: classic.internal }
          : {}),
      },
      ...(definition.enabled || info['versioning'] !== undefined ? { versioning: versioningOf(classic) } : {}),
    },
    server: {
      ...server,
      listenPath: {
        ...objectOf(server['listenPath']),
        value: proxy.listenPath,
        ...(proxy.stripListenPath ? { strip: true } : {}),
      },
      ...(classic.listenPort !== 0 || server['port'] !== undefined ? { port: classic.listenPort } : {}),
      ...said('protocol', classic.protocol),
    },
    upstream: { ...upstream, ...said('url', proxy.targetUrl) },
  }
}

function said(name: string, value: string): Json {
  return value === '' ? {} : { [name]: value }
}

function versioningOf({ definition }: Readonly<ClassicDefinition>): Json {
  const { enabled, name, location, key, stripVersioningData, urlVersioningPattern, fallbackToDefault } = definition
  return {
    enabled,
    name,
    default: definition.default,
    location,
    key,
    versions: Object.entries(definition.versions ?? {}).map(([versionName, id]) => ({ name: versionName, id })),
    ...(stripVersioningData ? { stripVersioningData } : {}),
    ...said('urlVersioningPattern', urlVersioningPattern),
    ...(fallbackToDefault ? { fallbackToDefault } : {}),
  }
}
