/**
 * Completes the extension for responses of the management API. Values of the definition file replace those of the
 * document, because the gateway serves the definition file. Source: docs/reference/openapi-documents.md#document-files.
 */

import { isJson, type Json, memberOf, objectOf } from '../../lib/json.ts'
import type { ClassicDefinition } from '../classic.ts'
import { withCurrentCache } from './to-classic/service-discovery.ts'

/** The extension with name, ids, state, versions, listen path and target of the classic definition. */
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
      ...unlessEmpty('orgId', classic.orgId),
      ...unlessEmpty('expiration', classic.expiration),
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
      ...unlessEmpty('protocol', classic.protocol),
    },
    upstream: { ...withCurrentDiscovery(upstream), ...unlessEmpty('url', proxy.targetUrl) },
  }
}

function withCurrentDiscovery(upstream: Json): Json {
  const discovery = upstream['serviceDiscovery']
  return isJson(discovery) ? { ...upstream, serviceDiscovery: withCurrentCache(discovery) } : upstream
}

function unlessEmpty(name: string, value: string): Json {
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
    ...unlessEmpty('urlVersioningPattern', urlVersioningPattern),
    ...(fallbackToDefault ? { fallbackToDefault } : {}),
  }
}
