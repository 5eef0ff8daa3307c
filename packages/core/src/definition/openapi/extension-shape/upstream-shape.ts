/** `upstream`: the target and the connection to it. Source: docs/reference/openapi-extension.md#upstream-fields. */
import {
  anything,
  boolean,
  described,
  camelObject as group,
  integer,
  list,
  map,
  number,
  text,
} from '../../../lib/shape/shape.ts'
import { duration, enabled, rateShape, switchShape, words } from './shared-members.ts'

const grant = {
  enabled,
  clientId: described('Id of the client at the authorization server.', text),
  clientSecret: described('Secret of the client at the authorization server.', text),
  tokenUrl: described('URL of the token endpoint.', text),
  scopes: described('Scopes that the gateway requests.', list(text)),
  header: group({ enabled, name: described('Header with the credential. Default: Authorization.', text) }),
  extraMetadata: list(text),
}

const upstreamAuthenticationShape = group({
  enabled,
  basicAuth: group({
    enabled,
    username: described('User name; it must not contain a colon.', text),
    password: described('Password.', text),
    header: group({ enabled, name: described('Header with the credential. Default: Authorization.', text) }),
  }),
  oauth: group({
    enabled,
    allowedAuthorizeTypes: described('One grant: clientCredentials or password.', list(text)),
    clientCredentials: group(grant),
    password: group({
      ...grant,
      username: described('Name of the resource owner.', text),
      password: described('Password of the resource owner.', text),
    }),
  }),
  requestSigning: described(
    'Signs requests to the upstream.',
    group({
      enabled,
      secret: described('Secret of HMAC signatures.', text),
      keyId: described('Id of the key in the signature; required.', text),
      algorithm: described('hmac-sha1, hmac-sha256, hmac-sha384, hmac-sha512 or rsa-sha256; required.', text),
      headers: described('Headers that the signature covers. Default: (request-target) and all headers.', list(text)),
      certificateId: described('Stored certificate with the RSA private key, for rsa-sha256.', text),
      signatureHeader: described('Header with the signature. Default: Authorization.', text),
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
  parentDataPath: described('Path of the list of entries, or of the text with JSON.', text),
  endpointReturnsList: described('The whole response is a list.', boolean),
  useTargetList: described('All entries are targets, not only the first.', boolean),
  cache: group({ enabled, timeout: described('Seconds.', integer) }),
  cacheTimeout: described('Seconds; older form of cache.', integer),
})

const uptimeTestsShape = group({
  enabled,
  tests: described(
    'Hosts that are tested.',
    list(
      group({
        url: described('URL that is requested.', text),
        method: described('Method of the request. Default: GET.', text),
        headers: described('Headers of the request.', map(text)),
        body: described('Body of the request.', text),
        timeout: described('A duration such as 2s.', duration),
        commands: list(anything),
        enableProxyProtocol: boolean,
      }),
    ),
  ),
  hostDownRetestPeriod: described('A duration such as 10s.', duration),
  logRetentionPeriod: described('A duration such as 10m.', duration),
})

const tlsVersion = (which: string) =>
  described(`${which} version of TLS: 1.0, 1.1, 1.2 or 1.3.`, words('', '1.0', '1.1', '1.2', '1.3'))

export const upstreamShape = group({
  url: described('URL of the upstream.', text),
  loadBalancing: described(
    'Several targets by weight.',
    group({
      enabled,
      skipUnavailableHosts: described('Uptime tests decide which targets are used.', boolean),
      targets: described(
        'The targets. Empty: no balancing.',
        list(
          group({
            url: described('URL of the target.', text),
            weight: described('Share of the requests; 0: none.', number),
          }),
        ),
      ),
    }),
  ),
  rateLimit: described('Rate over all callers.', rateShape),
  preserveHostHeader: described('The upstream receives the host of the request.', switchShape),
  preserveTrailingSlash: described('Keeps the slash at the end of the path.', switchShape),
  uptimeTests: described('Health checks of the targets.', uptimeTestsShape),
  serviceDiscovery: described('Targets come from an HTTP service.', discoveryShape),
  mutualTLS: described(
    'Client certificates for the upstream.',
    group({
      enabled,
      domainToCertificateMapping: described(
        'Certificate by host.',
        list(
          group({
            domain: described('Host of the upstream.', text),
            certificate: described('Id of the certificate.', text),
          }),
        ),
      ),
    }),
  ),
  certificatePinning: described(
    'Public keys that upstreams must have.',
    group({
      enabled,
      domainToPublicKeysMapping: described(
        'Public keys by host.',
        list(
          group({
            domain: described('Host of the upstream.', text),
            publicKeys: described('Ids of the public keys.', list(text)),
          }),
        ),
      ),
    }),
  ),
  authentication: described('Credentials of the gateway for the upstream.', upstreamAuthenticationShape),
  tlsTransport: described(
    'TLS to the upstream.',
    group({
      insecureSkipVerify: described('The certificate of the upstream is not verified.', boolean),
      ciphers: described('Cipher suites. Default: those of the configuration.', list(text)),
      minVersion: tlsVersion('Lowest'),
      maxVersion: tlsVersion('Highest'),
      forceCommonNameCheck: described(
        'The certificate of the upstream must have the host as its common name.',
        boolean,
      ),
    }),
  ),
  proxy: described(
    'An HTTP proxy on the way to the upstream.',
    group({ enabled, url: described('URL of the proxy.', text) }),
  ),
})
