/** Keys of listening and management. Source: docs/reference/configuration.md#listening-and-management-keys. */
import {
  boolean,
  eventHandlersShape,
  field,
  integer,
  list,
  map,
  number,
  object,
  optional,
  text,
  webHookDocument,
  withDefault,
} from '@turnpike/core'

/** The management key that sample configurations of original gateways contain. It is public knowledge. */
export const sampleSecret = '352d20ee67be67f6340b4c0605b044b7'

const portRange = object({ from: integer, to: integer })
const portsShape = object({ ranges: list(portRange), ports: list(integer) })

const certificateFileShape = object({ domainName: text, certFile: text, keyFile: text })

const httpServerShape = object({
  useSsl: boolean,
  sslCertificates: list(text),
  certificates: list(certificateFileShape),
  serverName: text,
  minVersion: field(integer, { description: '771 is TLS 1.2, 772 is TLS 1.3; 0 is 1.2.' }),
  maxVersion: integer,
  sslCiphers: list(text),
  enableHttp2: boolean,
  readTimeout: field(integer, { description: 'No effect: clients have 120 s to send a request.' }),
  writeTimeout: field(integer, { description: 'No effect: responses have no time limit of their own.' }),
  flushInterval: integer,
  enableWebsockets: field(optional(boolean), {
    description: 'Default: true. Off: an Upgrade is ignored. GraphQL APIs accept one only if it is written as true.',
  }),
  skipUrlCleaning: boolean,
  skipTargetPathEscaping: field(boolean, { description: 'Paths are not percent-encoded for the upstream.' }),
  enableStrictRoutes: boolean,
  enablePathPrefixMatching: boolean,
  enablePathSuffixMatching: boolean,
  skipClientCaAnnouncement: boolean,
  xffDepth: field(integer, {
    description: 'Which X-Forwarded-For entry is the client: 0 the first, n the nth from the right.',
  }),
  maxRequestBodySize: field(integer, { description: 'Bytes; 0 is no limit.' }),
  maxResponseBodySize: field(integer, { description: 'Bytes, looked at where bodies are transformed; 0 is no limit.' }),
})

export const serverKeys = {
  listenAddress: field(text, { description: 'Address to listen on; empty is every address.' }),
  listenPort: field(withDefault(integer, 8080), { description: 'Port to listen on.' }),
  hostname: field(text, { description: 'APIs answer under this host name only; empty is any.' }),
  controlApiPort: field(integer, {
    description: 'Port of its own for the management API and the probes; 0 is the same.',
  }),
  controlApiHostname: field(text, { description: 'Host of /config, /env and profiles; empty is any.' }),
  secret: field(withDefault(text, sampleSecret), {
    description: 'Management key; empty refuses every management call.',
  }),
  nodeSecret: field(text, { description: 'Signs the messages between the nodes of a group.' }),
  enableHttpProfiler: field(boolean, { description: 'Profiles at /debug/pprof/, without a key.' }),
  enableConfigInspection: field(boolean, { description: 'GET /config and GET /env with the management key.' }),
  enableCustomDomains: field(boolean, { description: 'The `domain` of definitions counts.' }),
  allowInsecureConfigs: boolean,
  publicKeyPath: field(text, {
    description: 'PEM; verifies bundles, and messages that nodes sign with a private key.',
  }),
  privateKeyPath: field(text, { description: 'PEM; signs the messages of this node, instead of node_secret.' }),
  portsWhitelist: field(map(portsShape), {
    description: 'Ports that the `listen_port` of an API may name, by protocol: http, https, h2c, tcp, tls.',
  }),
  disablePortsWhitelist: field(boolean, { description: 'APIs may name any port.' }),
  pidFileLocation: field(text, { description: 'Where the process writes its id; empty is nowhere.' }),
  hideGeneratorHeader: boolean,
  gracefulShutdownTimeoutDuration: field(withDefault(integer, 30), {
    description: 'Seconds that open requests have at a stop.',
  }),
  healthCheckEndpointName: field(withDefault(text, 'hello'), {
    description: 'Path of the liveness probe, without slash.',
  }),
  readinessCheckEndpointName: field(withDefault(text, 'ready'), { description: 'Path of the readiness probe.' }),
  livenessCheck: object({
    checkDuration: field(withDefault(integer, 10_000_000_000), { description: 'Nanoseconds between two checks.' }),
  }),
  healthCheck: object({
    enableHealthChecks: boolean,
    healthCheckValueTimeouts: field(integer, { description: 'Seconds looked back; 0 is 60.' }),
  }),
  httpServerOptions: httpServerShape,
  secrets: field(map(text), {
    description: 'Values behind secrets://NAME. env_prefix restricts env://NAME in definitions.',
  }),
  eventHandlers: eventHandlersShape,
  monitor: object({
    enableTriggerMonitors: boolean,
    configuration: webHookDocument,
    globalTriggerLimit: number,
    monitorUserKeys: boolean,
    monitorOrgKeys: boolean,
  }),
}
