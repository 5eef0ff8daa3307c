/** `upstream`: the target and the connection to it. Source: docs/reference/openapi-extension.md#upstream-fields. */
import { anything, boolean, camelObject as group, integer, list, map, number, text } from '../../../lib/shape/shape.ts'
import { described, enabled, rateShape, switchShape } from './shared-members.ts'

const grant = {
  enabled,
  clientId: text,
  clientSecret: text,
  tokenUrl: text,
  scopes: list(text),
  header: group({ enabled, name: text }),
  extraMetadata: list(text),
}

const upstreamAuthenticationShape = group({
  enabled,
  basicAuth: group({ enabled, username: text, password: text, header: group({ enabled, name: text }) }),
  oauth: group({
    enabled,
    allowedAuthorizeTypes: described('One grant: clientCredentials or password.', list(text)),
    clientCredentials: group(grant),
    password: group({ ...grant, username: text, password: text }),
  }),
  requestSigning: described(
    'Signs requests to the upstream.',
    group({
      enabled,
      secret: text,
      keyId: text,
      algorithm: text,
      headers: list(text),
      certificateId: text,
      signatureHeader: text,
    }),
  ),
})

const discoveryShape = group({
  enabled,
  queryEndpoint: described('URL that the gateway requests with GET.', text),
  dataPath: described('Path of the host in an entry.', text),
  portDataPath: described('Path of the port in an entry.', text),
  targetPath: described('Text that is appended to each target.', text),
  useNestedQuery: described('The value at parentDataPath is a text that holds JSON.', boolean),
  parentDataPath: text,
  endpointReturnsList: described('The whole response is a list.', boolean),
  useTargetList: described('All entries are targets, not only the first.', boolean),
  cache: group({ enabled, timeout: described('Seconds.', integer) }),
  cacheTimeout: described('Seconds; older form of cache.', integer),
})

const uptimeTestsShape = group({
  enabled,
  tests: list(
    group({
      url: text,
      method: text,
      headers: map(text),
      body: text,
      timeout: described('A duration such as 2s.', text),
      commands: list(anything),
      enableProxyProtocol: boolean,
    }),
  ),
  hostDownRetestPeriod: described('A duration such as 10s.', text),
  logRetentionPeriod: described('A duration such as 10m.', text),
})

const tlsVersion = (which: string) => described(`${which} version of TLS: 1.0, 1.1, 1.2 or 1.3.`, text)

export const upstreamShape = group({
  url: described('URL of the upstream.', text),
  loadBalancing: described(
    'Several targets by weight.',
    group({
      enabled,
      skipUnavailableHosts: described('Uptime tests decide which targets are used.', boolean),
      targets: list(group({ url: text, weight: number })),
    }),
  ),
  rateLimit: described('Rate over all callers.', rateShape),
  preserveHostHeader: described('The upstream receives the host of the request.', switchShape),
  preserveTrailingSlash: described('Keeps the slash at the end of the path.', switchShape),
  uptimeTests: described('Health checks of the targets.', uptimeTestsShape),
  serviceDiscovery: described('Targets come from an HTTP service.', discoveryShape),
  mutualTLS: described(
    'Client certificates for the upstream.',
    group({ enabled, domainToCertificateMapping: list(group({ domain: text, certificate: text })) }),
  ),
  certificatePinning: described(
    'Public keys that upstreams must have.',
    group({ enabled, domainToPublicKeysMapping: list(group({ domain: text, publicKeys: list(text) })) }),
  ),
  authentication: described('Credentials of the gateway for the upstream.', upstreamAuthenticationShape),
  tlsTransport: described(
    'TLS to the upstream.',
    group({
      insecureSkipVerify: described('The certificate of the upstream is not verified.', boolean),
      ciphers: list(text),
      minVersion: tlsVersion('Lowest'),
      maxVersion: tlsVersion('Highest'),
      forceCommonNameCheck: boolean,
    }),
  ),
  proxy: described('An HTTP proxy on the way to the upstream.', group({ enabled, url: text })),
})
