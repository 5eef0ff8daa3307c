/** Keys that only Turnpike has. Source: docs/reference/turnpike-keys.md. */
import { boolean, field, integer, list, map, object, oneOf, text, withDefault } from '@turnpike/core'

const permissionsShape = map(text)

/** Source: docs/reference/dashboard-sso.md#dashboard-configuration. */
const dashboardShape = object({
  enabled: field(boolean, { description: 'Single sign-on and the dashboard page.' }),
  listenAddress: field(text, { description: "Default: the gateway's." }),
  listenPort: field(withDefault(integer, 3000), { description: "The gateway's own port, or 0: both share it." }),
  adminSecret: field(text, { description: 'Required in Admin-Auth; an empty one rejects every admin call.' }),
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
  homePath: field(withDefault(text, '/'), { description: 'Path of the page; a login redirects to it.' }),
  portalHomePath: withDefault(text, '/portal/'),
  dashboardSessionLifetime: field(withDefault(integer, 3600), { description: 'Seconds.' }),
  portalSessionLifetime: field(withDefault(integer, 3600), { description: 'Seconds.' }),
  ssoPermissionDefaults: field(permissionsShape, {
    description: 'Permissions of users without a group; if there are none, they are administrators.',
  }),
  ssoDefaultGroupId: text,
  ssoEnableUserLookup: field(boolean, { description: 'Uses the registered user of the same address.' }),
  ssoCustomLoginErrorUrl: field(text, { description: 'Where failed logins are sent.' }),
  secureCookie: field(oneOf(['auto', 'always', 'never'], 'auto'), {
    description: 'Attribute Secure of session cookies; "auto": where the browser uses HTTPS.',
  }),
  signInLink: field(oneOf(['terminal', 'always', 'never'], 'terminal'), {
    description: 'When the banner of start shows a link that signs in once; only on a loopback address.',
  }),
  ssoNonceLifetime: field(withDefault(integer, 60), { description: 'Seconds; may only be lowered.' }),
})

export const turnpikeKeys = {
  vendor: field(withDefault(text, 'svc'), { description: 'Vendor word in paths, headers and extension names.' }),
  frontEnd: field(oneOf(['auto', 'uws', 'node'], 'auto'), {
    description: 'HTTP server; "auto" uses uWebSockets.js if it is installed and loads.',
  }),
  upstreamClient: field(oneOf(['auto', 'undici'], 'auto'), {
    description: 'HTTP client for plain upstreams; "undici" uses the client that TLS uses too.',
  }),
  workers: field(withDefault(integer, 1), { description: 'Processes that share the port; more than 1 needs Redis.' }),
  batch: object({
    maxItems: field(withDefault(integer, 1000), {
      description: 'Maximum number of items of a batch, including those of nested batches.',
    }),
    maxConcurrency: field(withDefault(integer, 64), { description: 'Maximum number of items that run at once.' }),
    maxBodyBytes: field(withDefault(integer, 4_194_304), {
      description: 'Maximum length of the body of a batch call; 0: no limit of its own.',
    }),
    maxResponseBytes: field(withDefault(integer, 16_777_216), {
      description: 'Maximum number of bytes of all responses together.',
    }),
  }),
  cache: object({
    maxBytes: field(withDefault(integer, 64 * 1024 * 1024), {
      description: 'Bytes of memory for cached responses; 0: no cache.',
    }),
    maxBodyBytes: field(withDefault(integer, 4 * 1024 * 1024), {
      description: 'Maximum length of a cached body in bytes.',
    }),
  }),
  mcpCountEachStage: field(boolean, {
    description: 'Rate and quota count each stage of a call through an MCP proxy, not the call.',
  }),
  undeclaredResponseProcessors: field(oneOf(['skip', 'fire'], 'skip'), {
    description: '"fire" runs header rules and body transforms that no response processor declares.',
  }),
  strict: field(boolean, {
    description: 'APIs whose files have fields without effect, or unknown fields, are not loaded.',
  }),
  honourActive: field(boolean, { description: 'Definitions with "active": false are not served.' }),
  metrics: object({
    enabled: field(boolean, { description: 'Metrics in the format of Prometheus.' }),
    path: field(text, { description: 'Default: /metrics.' }),
    listenPort: field(integer, { description: 'A separate TCP port; 0: the port of the management API.' }),
  }),
  records: object({
    memory: field(withDefault(integer, 1000), { description: 'Analytics records kept in memory; 0: none.' }),
    file: object({
      path: field(text, { description: 'File of analytics records, one JSON object per line; empty: none.' }),
      maxBytes: field(withDefault(integer, 64 * 1024 * 1024), {
        description: 'Bytes after which the gateway starts a new file.',
      }),
      maxFiles: field(withDefault(integer, 5), { description: 'Files that are kept.' }),
    }),
    mongodb: object({
      url: field(text, { description: 'MongoDB for analytics records; needs the package mongodb.' }),
      database: text,
      collection: withDefault(text, 'analytics'),
    }),
  }),
  docs: object({
    enabled: field(boolean, { description: 'Serves the documentation of the management API at /svc/docs.' }),
  }),
  bodyStallTimeout: field(withDefault(integer, 60), {
    description: 'Seconds without progress after which the gateway ends a body.',
  }),
  streamIdleTimeout: field(withDefault(integer, 600), {
    description: 'Seconds without traffic after which the gateway ends a connection of tcp or tls; 0: never.',
  }),
  echo: field(object({ enabled: boolean, listenPort: withDefault(integer, 8081) }), {
    description: 'A built-in upstream that responds with the request it received.',
  }),
  seed: field(text, {
    description: 'File of keys and organisations that the gateway creates at the start if they are missing.',
  }),
  scripts: object({
    maxWorkers: field(withDefault(integer, 2), { description: 'Threads for the scripts of one API.' }),
    memoryMb: field(withDefault(integer, 64), { description: 'Memory that the scripts of one API may use, in MiB.' }),
    stackKb: field(withDefault(integer, 512), { description: 'Stack that a script may use, in KiB.' }),
  }),
  noopStages: field(boolean, {
    description: 'Puts stages without effect between all stages; for tests of the pipeline.',
  }),
  dashboard: dashboardShape,
}
