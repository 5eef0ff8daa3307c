/** Keys of listening and management. Source: docs/reference/configuration.md#listening-and-management-keys. */
import { eventHandlersShape, webHookDocument } from '@turnpike/core/definition'
import { boolean, described, integer, list, map, number, object, optional, text, withDefault } from '@turnpike/core/lib'

/** The management key that sample configurations of original gateways contain. It is public knowledge. */
export const sampleSecret = '352d20ee67be67f6340b4c0605b044b7'

const portRange = object({
  from: described('First port of the range.', integer),
  to: described('Last port of the range.', integer),
})
const portsShape = object({
  ranges: described('Ranges of TCP ports that APIs of this protocol may use.', list(portRange)),
  ports: described('Single TCP ports that APIs of this protocol may use.', list(integer)),
})

const certificateFileShape = object({
  domainName: described('Host name that clients request.', text),
  certFile: described('PEM file of the certificate.', text),
  keyFile: described('PEM file of its key.', text),
})

const httpServerShape = object({
  useSsl: described('Serves TLS on the port of the gateway.', boolean),
  sslCertificates: described('Ids or PEM files of certificates.', list(text)),
  certificates: described('Certificates by host name.', list(certificateFileShape)),
  serverName: text,
  minVersion: described('771 is TLS 1.2, 772 is TLS 1.3; 0 is 1.2.', integer),
  maxVersion: described('Highest version of TLS: 771 is 1.2, 772 is 1.3. Default: 0, the highest.', integer),
  sslCiphers: described('Cipher suites. Default: those of Node.', list(text)),
  enableHttp2: described('Serves HTTP/2; without TLS by prior knowledge only.', boolean),
  readTimeout: described('No effect: clients have 120 s to send a request.', integer),
  writeTimeout: described('No effect: responses have no time limit of their own.', integer),
  flushInterval: integer,
  enableWebsockets: described(
    'Default: true. Off: an Upgrade is ignored. GraphQL APIs accept one only if it is written as true.',
    optional(boolean),
  ),
  skipUrlCleaning: described('Paths with repeated slashes and dot segments are not redirected.', boolean),
  skipTargetPathEscaping: described('Paths are not percent-encoded for the upstream.', boolean),
  enableStrictRoutes: described('A listen path matches whole segments only.', boolean),
  enablePathPrefixMatching: described('Patterns that begin with / must match from the start of the path.', boolean),
  enablePathSuffixMatching: described('Patterns must match up to the end of the path.', boolean),
  skipClientCaAnnouncement: boolean,
  xffDepth: described('Which X-Forwarded-For entry is the client: 0 the first, n the nth from the right.', integer),
  maxRequestBodySize: described('Bytes; 0 is no limit.', integer),
  maxResponseBodySize: described(
    'Bytes of a response body that a stage reads; 0 leaves max_read_response_size as the only limit.',
    integer,
  ),
})

export const serverKeys = {
  listenAddress: described('Address to listen on; empty is every address.', text),
  listenPort: described('Port to listen on.', withDefault(integer, 8080)),
  hostname: described('Host name of all APIs; empty: any.', text),
  controlApiPort: described('Port of its own for the management API and the probes; 0 is the same.', integer),
  controlApiHostname: described('Host of /config, /env and profiles; empty is any.', text),
  secret: described('Management key; empty rejects every management call.', withDefault(text, sampleSecret)),
  nodeSecret: described('Signs the messages between the nodes of a group.', text),
  enableHttpProfiler: described('Profiles at /debug/pprof/, without a key.', boolean),
  enableConfigInspection: described('GET /config and GET /env with the management key.', boolean),
  enableCustomDomains: described('The `domain` of definitions counts.', boolean),
  allowInsecureConfigs: described('Accepts cluster messages with a wrong or missing signature.', boolean),
  publicKeyPath: described('PEM; verifies bundles, and messages that nodes sign with a private key.', text),
  privateKeyPath: described('PEM; signs the messages of this node, instead of node_secret.', text),
  portsWhitelist: described(
    'Ports that the `listen_port` of an API may name, by protocol: http, https, h2c, tcp, tls.',
    map(portsShape),
  ),
  disablePortsWhitelist: described('APIs may name any port.', boolean),
  pidFileLocation: described('Where the process writes its id; empty is nowhere.', text),
  hideGeneratorHeader: described('Responses have no header X-Generator.', boolean),
  gracefulShutdownTimeoutDuration: described('Seconds that open requests have at a stop.', withDefault(integer, 30)),
  healthCheckEndpointName: described('Path of the liveness probe, without slash.', withDefault(text, 'hello')),
  readinessCheckEndpointName: described('Path of the readiness probe.', withDefault(text, 'ready')),
  livenessCheck: object({
    checkDuration: described('Nanoseconds between two checks.', withDefault(integer, 10_000_000_000)),
  }),
  healthCheck: object({
    enableHealthChecks: described('Serves the numbers of an API at /svc/health.', boolean),
    healthCheckValueTimeouts: described('Seconds looked back; 0 is 60.', integer),
  }),
  httpServerOptions: httpServerShape,
  secrets: described('Values behind secrets://NAME. env_prefix restricts env://NAME in definitions.', map(text)),
  eventHandlers: eventHandlersShape,
  monitor: object({
    enableTriggerMonitors: described('Fires an event when a key has used a share of its quota.', boolean),
    configuration: webHookDocument,
    globalTriggerLimit: described('Percentage of the quota for all keys; 0: only those of the session.', number),
    monitorUserKeys: described('Watches keys.', boolean),
    monitorOrgKeys: described('Watches organisations.', boolean),
  }),
}
