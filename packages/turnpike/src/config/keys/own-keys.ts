/** Keys that only Turnpike has. Source: docs/reference/turnpike-keys.md. */
import { boolean, field, integer, list, map, object, oneOf, text, withDefault } from '@turnpike/core'

const permissionsShape = map(text)

/** Source: docs/reference/dashboard-sso.md#dashboard-configuration. */
const dashboardShape = object({
  enabled: field(boolean, { description: 'Single sign-on and the dashboard page.' }),
  listenAddress: field(text, { description: "Default: the gateway's." }),
  listenPort: field(withDefault(integer, 3000), { description: "The gateway's own port, or 0: both share it." }),
  adminSecret: field(text, { description: 'Wanted in Admin-Auth; empty refuses every admin call.' }),
  organisations: list(object({ id: text, ownerName: text })),
  users: list(
    object({
      id: text,
      emailAddress: text,
      orgId: text,
      active: withDefault(boolean, true),
      groupId: text,
      userPermissions: permissionsShape,
    }),
  ),
  userGroups: list(object({ id: text, orgId: text, name: text, userPermissions: permissionsShape })),
  homePath: field(withDefault(text, '/'), { description: 'Where the page is, and where a login leads.' }),
  portalHomePath: withDefault(text, '/portal/'),
  dashboardSessionLifetime: field(withDefault(integer, 3600), { description: 'Seconds.' }),
  portalSessionLifetime: field(withDefault(integer, 3600), { description: 'Seconds.' }),
  ssoPermissionDefaults: field(permissionsShape, { description: 'Of users without a group; none: administrators.' }),
  ssoDefaultGroupId: text,
  ssoEnableUserLookup: field(boolean, { description: 'Uses the registered user of the same address.' }),
  ssoCustomLoginErrorUrl: field(text, { description: 'Where failed logins are sent.' }),
  secureCookie: field(oneOf(['auto', 'always', 'never'], 'auto'), {
    description: 'Attribute Secure of session cookies; "auto": where the browser uses HTTPS.',
  }),
  ssoNonceLifetime: field(withDefault(integer, 60), { description: 'Seconds; may only be lowered.' }),
})

export const ownKeys = {
  vendor: field(withDefault(text, 'svc'), { description: 'Vendor word in paths, headers and extension names.' }),
  frontEnd: field(oneOf(['auto', 'uws', 'node'], 'auto'), {
    description: 'HTTP server; "auto" takes uWebSockets.js where it loads.',
  }),
  upstreamClient: field(oneOf(['auto', 'undici'], 'auto'), {
    description: 'HTTP client towards plain upstreams; "auto" takes our own, "undici" the one that TLS uses too.',
  }),
  workers: field(withDefault(integer, 1), { description: 'Processes that share the port; more than 1 needs Redis.' }),
  batch: object({
    maxItems: field(withDefault(integer, 1000), { description: 'Most requests of one batch, nested ones counted.' }),
    maxConcurrency: field(withDefault(integer, 64), { description: 'Most of them under way at once.' }),
    maxBodyBytes: field(withDefault(integer, 4_194_304), {
      description: 'Longest body of a batch call; 0: no own limit.',
    }),
    maxResponseBytes: field(withDefault(integer, 16_777_216), { description: 'Most bytes of all answers together.' }),
  }),
  cache: object({
    maxBytes: field(withDefault(integer, 64 * 1024 * 1024), { description: 'Memory for cached answers; 0: no cache.' }),
    maxBodyBytes: field(withDefault(integer, 4 * 1024 * 1024), { description: 'Longest body that is cached.' }),
  }),
  mcpCountEachStage: field(boolean, {
    description: 'Rate and quota count each stage of a call through an MCP proxy, not the call.',
  }),
  undeclaredResponseProcessors: field(oneOf(['skip', 'fire'], 'skip'), {
    description: '"fire" runs header rules and body transforms that no response processor declares.',
  }),
  honourActive: field(boolean, { description: 'Definitions with "active": false are not served.' }),
  metrics: object({
    enabled: field(boolean, { description: 'Metrics in the format of Prometheus.' }),
    path: field(text, { description: 'Default: /metrics.' }),
    listenPort: field(integer, { description: 'Port of their own; 0: where the management API is.' }),
  }),
  records: object({
    memory: field(withDefault(integer, 1000), { description: 'Analytics records kept in memory; 0: none.' }),
    file: object({
      path: field(text, { description: 'File of analytics records, one JSON object a line; empty: none.' }),
      maxBytes: field(withDefault(integer, 64 * 1024 * 1024), { description: 'Bytes after which a new file begins.' }),
      maxFiles: field(withDefault(integer, 5), { description: 'Files that are kept.' }),
    }),
    mongodb: object({
      url: field(text, { description: 'MongoDB that takes analytics records; needs the package mongodb.' }),
      database: text,
      collection: withDefault(text, 'analytics'),
    }),
  }),
  docs: object({ enabled: field(boolean, { description: 'The API documentation at /svc/docs.' }) }),
  bodyStallTimeout: field(withDefault(integer, 60), { description: 'Seconds that a body may stand still.' }),
  streamIdleTimeout: field(withDefault(integer, 600), {
    description: 'Seconds in which nothing passes before a connection of tcp or tls is ended; 0: never.',
  }),
  echo: field(object({ enabled: boolean, listenPort: withDefault(integer, 8081) }), {
    description: 'A built-in upstream that answers with the request it got.',
  }),
  seed: field(text, {
    description: 'File of keys and organisations that are made at the start where they are missing.',
  }),
  scripts: object({
    maxWorkers: field(withDefault(integer, 2), { description: 'Threads for the scripts of one API.' }),
    memoryMb: field(withDefault(integer, 64), { description: 'Memory that the scripts of one API may use, in MiB.' }),
    stackKb: field(withDefault(integer, 512), { description: 'Stack that a script may use, in KiB.' }),
  }),
  noopStages: field(boolean, { description: 'Puts stages that do nothing between all stages; proves the pipeline.' }),
  dashboard: dashboardShape,
}
