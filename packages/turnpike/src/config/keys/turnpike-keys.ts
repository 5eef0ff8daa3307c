/** Keys that only Turnpike has. Source: docs/reference/turnpike-keys.md. */
import { boolean, described, integer, list, map, object, oneOf, text, withDefault } from '@turnpike/core/lib'

const permissionsShape = map(text)

const userPermissions = described(
  'read or write, by area: analytics, apis, keys, policies; {"IsAdmin": "admin"}: everything.',
  permissionsShape,
)

/** Source: docs/reference/dashboard-sso.md#dashboard-configuration. */
const dashboardShape = object({
  enabled: described('Single sign-on and the dashboard page.', boolean),
  listenAddress: described("Default: the gateway's.", text),
  listenPort: described("The gateway's own port, or 0: both share it.", withDefault(integer, 3000)),
  adminSecret: described('Required in Admin-Auth; an empty one rejects every admin call.', text),
  organisations: described(
    'Organisations of the dashboard.',
    list(
      object({
        id: described('Id of the organisation, as in definitions and keys.', text),
        ownerName: described('Name that the page shows.', text),
      }),
    ),
  ),
  users: described(
    'People who can sign in.',
    list(
      object({
        id: described('Id of the user.', text),
        emailAddress: described('E-mail address, by which an identity broker names the user.', text),
        orgId: described('Organisation of the user.', text),
        active: described('The user can sign in.', withDefault(boolean, true)),
        groupId: described('Group of the user, whose permissions count.', text),
        userPermissions,
      }),
    ),
  ),
  userGroups: described(
    'Groups of users.',
    list(
      object({
        id: described('Id of the group.', text),
        orgId: described('Organisation of the group.', text),
        name: described('Name of the group.', text),
        userPermissions,
      }),
    ),
  ),
  homePath: described('Path of the page; a login redirects to it.', withDefault(text, '/')),
  portalHomePath: described('Path to which a login of the portal is redirected.', withDefault(text, '/portal/')),
  dashboardSessionLifetime: described('Seconds.', withDefault(integer, 3600)),
  portalSessionLifetime: described('Seconds.', withDefault(integer, 3600)),
  ssoPermissionDefaults: described(
    'Permissions of users without a group; if there are none, they are administrators.',
    permissionsShape,
  ),
  ssoDefaultGroupId: described('Group of people without a user who sign in by single sign-on.', text),
  ssoEnableUserLookup: described('Uses the registered user of the same address.', boolean),
  ssoCustomLoginErrorUrl: described('Where failed logins are sent.', text),
  sharedPaths: described(
    'Users may write APIs with listen paths, loops and versions that take part in APIs of other organisations.',
    boolean,
  ),
  secureCookie: described(
    'Attribute Secure of session cookies; "auto": where the browser uses HTTPS.',
    oneOf(['auto', 'always', 'never'], 'auto'),
  ),
  hosts: described(
    'Further names of the host, under which requests with a session cookie are accepted; addresses, localhost, hostname and control_api_hostname always are.',
    list(text),
  ),
  upstreamPages: described(
    'On a port that APIs and the dashboard share: "sandbox" sends pages of upstreams with Content-Security-Policy: sandbox; "allow" sends them as they are, so that they can use a session of the dashboard.',
    oneOf(['sandbox', 'allow'], 'sandbox'),
  ),
  signInLink: described(
    'When the banner of start shows a link that signs in once; only on a loopback address.',
    oneOf(['terminal', 'always', 'never'], 'terminal'),
  ),
  ssoNonceLifetime: described('Seconds; may only be lowered.', withDefault(integer, 60)),
})

export const turnpikeKeys = {
  vendor: described('Vendor word in paths, headers and extension names.', withDefault(text, 'svc')),
  profile: described(
    'Defaults of the keys that are left out: as recorded, or those of current standards.',
    oneOf(['compatible', 'modern'], 'compatible'),
  ),
  upstreamErrors: described(
    'Status of failed calls of an upstream; "502" instead of 500 (a timeout is 504 with both).',
    oneOf(['compatible', '502'], 'compatible'),
  ),
  authErrors: described(
    'Rejected keys; "rfc6750": 401 with WWW-Authenticate.',
    oneOf(['compatible', 'rfc6750'], 'compatible'),
  ),
  frontEnd: described(
    'HTTP server; "auto" is "http1". "node" is the server of Node, "uws" is uWebSockets.js, which must be installed.',
    oneOf(['auto', 'http1', 'uws', 'node'], 'auto'),
  ),
  upstreamClient: described(
    'HTTP client for plain upstreams; "undici" uses the client that TLS uses too.',
    oneOf(['auto', 'undici'], 'auto'),
  ),
  maxManagementBodySize: described(
    'Maximum length of the body of a management call in bytes.',
    withDefault(integer, 16 * 1024 * 1024),
  ),
  workers: described(
    'Processes that share the port and count together; "max": one for each core. Not with storage in memory.',
    withDefault(integer, 1),
  ),
  batch: object({
    maxItems: described(
      'Maximum number of items of a batch, including those of nested batches.',
      withDefault(integer, 1000),
    ),
    maxConcurrency: described('Maximum number of items that run at once.', withDefault(integer, 64)),
    maxBodyBytes: described(
      'Maximum length of the body of a batch call; 0: no limit of its own.',
      withDefault(integer, 4_194_304),
    ),
    maxResponseBytes: described('Maximum number of bytes of all responses together.', withDefault(integer, 16_777_216)),
  }),
  cacheMode: described(
    'Rules of the response cache for definitions without cache_mode; "recorded" ignores Vary.',
    oneOf(['compatible', 'rfc9111', 'recorded'], 'compatible'),
  ),
  cache: object({
    maxBytes: described('Bytes of memory for cached responses; 0: no cache.', withDefault(integer, 64 * 1024 * 1024)),
    maxBodyBytes: described('Maximum length of a cached body in bytes.', withDefault(integer, 4 * 1024 * 1024)),
  }),
  mcpCountEachStage: described(
    'Rate and quota count each stage of a call through an MCP proxy, not the call.',
    boolean,
  ),
  undeclaredResponseProcessors: described(
    '"fire" runs header rules and body transforms that no response processor declares.',
    oneOf(['skip', 'fire'], 'skip'),
  ),
  strict: described('APIs whose files have fields without effect, or unknown fields, are not loaded.', boolean),
  check: object({
    allow: described(
      'Ids of findings that are not reported by check, start and import; not of those that stop the start.',
      list(text),
    ),
  }),
  honourActive: described('Definitions with "active": false are not served.', boolean),
  metrics: object({
    enabled: described('Metrics in the format of Prometheus.', boolean),
    path: described('Default: /metrics.', text),
    listenPort: described('A separate TCP port; 0: the port of the management API.', integer),
  }),
  records: object({
    memory: described('Analytics records kept in memory; 0: none.', withDefault(integer, 1000)),
    file: object({
      path: described('File of analytics records, one JSON object per line; empty: none.', text),
      maxBytes: described('Bytes after which the gateway starts a new file.', withDefault(integer, 64 * 1024 * 1024)),
      maxFiles: described('Files that are kept.', withDefault(integer, 5)),
    }),
    mongodb: object({
      url: described('MongoDB for analytics records; needs the package mongodb.', text),
      database: described('Database of the records. Default: that of the URL.', text),
      collection: described('Collection of the records.', withDefault(text, 'analytics')),
    }),
  }),
  docs: object({
    enabled: described('Serves the documentation of the management API at /svc/docs.', boolean),
  }),
  headTimeout: described(
    'Seconds in which the head of a request must arrive after its first byte.',
    withDefault(integer, 10),
  ),
  idleTimeout: described('Seconds after which a connection without a request is closed.', withDefault(integer, 75)),
  bodyStallTimeout: described(
    'Seconds without progress after which the gateway ends a body.',
    withDefault(integer, 60),
  ),
  writeTimeout: described(
    'Seconds in which a client may read nothing of its response; 0: those of body_stall_timeout.',
    integer,
  ),
  websocketIdleTimeout: described(
    'Seconds without traffic after which the gateway ends a WebSocket or another upgraded connection; 0: never.',
    withDefault(integer, 120),
  ),
  websocketMaxBufferSize: described(
    'Bytes of a WebSocket or another upgraded connection that wait for a peer that does not read; more closes it.',
    withDefault(integer, 2 ** 20),
  ),
  websocketMaxTotalBufferSize: described(
    'Bytes of all upgraded connections that wait for peers that do not read; a connection that needs more is closed.',
    withDefault(integer, 64 * 2 ** 20),
  ),
  streamIdleTimeout: described(
    'Seconds without traffic after which the gateway ends a connection of tcp or tls; 0: never.',
    withDefault(integer, 600),
  ),
  echo: described(
    'A built-in upstream that responds with the request it received.',
    object({
      enabled: described('Starts an upstream that responds with the request it received.', boolean),
      listenPort: described('TCP port of this upstream; 0: a free one.', withDefault(integer, 8081)),
    }),
  ),
  seed: described('File of keys and organisations that the gateway creates at the start if they are missing.', text),
  scripts: object({
    maxWorkers: described('Threads for the scripts of one API.', withDefault(integer, 2)),
    memoryMb: described('Memory that the scripts of one API may use, in MiB.', withDefault(integer, 64)),
    stackKb: described('Stack that a script may use, in KiB.', withDefault(integer, 512)),
  }),
  noopStages: described('Puts stages without effect between all stages; for tests of the pipeline.', boolean),
  dashboard: dashboardShape,
}
