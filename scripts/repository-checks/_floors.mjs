// The floors of each package: which of its rooms may import which. A room is a folder, or a file that lies beside the
// folders. `import-direction.mjs` reports every import that is not downward.

/**
 * Floors of a folder, lowest first; each names its rooms. A room imports rooms of lower floors only, never one of its own
 * floor. `index.ts` is the face of a package and may import every room.
 */
const floorNames = {
  'packages/core/src': [
    'lib http',
    'definition ports',
    'session quota rate-limit cache route observability',
    'auth store-memory',
    'pipeline',
    'engine',
  ],
  'packages/core/src/definition': [
    `api-id.ts api-names.ts definition-problem.ts definition-source.ts error-overrides-shape.ts event-handlers-shape.ts
     event-names.ts external-oauth-shape.ts findings foreign-document.ts graphql-settings.ts graphql-shape.ts ip-text.ts listen-path.ts proxy-shape.ts
     resolve-secrets.ts signature-skew.ts target-url.ts uptime-check-shape.ts version-expiry.ts`,
    'error-override-rules.ts stream-target.ts upstream-auth-shape.ts version-shape.ts',
    'classic.ts rule-schema.ts',
    'api-definition.ts classic-versions.ts listen-port.ts',
    `auth-modes read-versioning.ts serving-problem.ts support-status template-files.ts version-path-rules.ts
     wire-definition.ts`,
    'read-classic.ts scripts validate-definition.ts',
    'openapi',
    'mcp',
    'normalise.ts',
    'parse-definition.ts',
    'lint',
    'lint-definition.ts',
  ],
  'packages/core/src/definition/findings': ['finding-rule.ts', 'rules', 'finding-rules.ts', 'finding.ts'],
  // Phases do not import each other: what two of them need is below them.
  'packages/core/src/pipeline': [
    'contract graphql',
    'mcp shared',
    'cache errors openapi scripts upstream-call',
    '1-accept 2-identify 3-admit 4-shape-request 5-respond 6-shape-response 7-record',
    'stage-order.ts',
    'compile place-stages.ts',
    'custom-stages',
  ],
  'packages/adapters/src': [
    `brotli-node buffered-line-writer clock-system durable-file front-end-common ids-random metrics-prom pem-codec-node
     records-jsonl script-files service-connection token-verifier-fast-jwt worker-file worker-group`,
    `certificates-node definition-files fetch-bridge fetch-handler front-end-node front-end-uws log-pino passwords-bcrypt
     records-mongodb script-quickjs store-lmdb store-redis stream-proxy`,
    'front-end-http1 signals-redis telemetry-otlp',
  ],
  'packages/upstream/src': ['shared', 'fetch http1 undici', 'http2', 'any'],
  'packages/upstream/src/http1': [
    // The parser knows no connections and no requests.
    'connection-errors.ts parser',
    'connection.ts fuzz request-body-writer.ts request-head.ts',
    'exchange.ts',
    'connection-pool.ts',
    'http1-upstream.ts',
  ],
  'packages/upstream/src/http1/parser': [
    'byte-classes.ts',
    'chunk-reader.ts header-lines.ts',
    'head-reader.ts request-head-reader.ts',
    'request-parser.ts response-parser.ts',
  ],
  'packages/mgmt-api/src': [
    'http management-options.ts',
    // Endpoints on the listen paths of APIs; they know nothing of management calls.
    'batch oauth',
    // What a management call is, and what all handlers share.
    'management.ts',
    'operation.ts',
    'calls',
    // Resources: `oas` and `org-keys` build on `apis` and `keys`, `mcps` on `oas`.
    'apis cache certs debug docs health keys oauth-clients policies reload',
    'oas org-keys',
    'mcps',
    // The table of all operations, and what is made of it.
    'routes.ts',
    'router.ts whole-document.ts',
    'management-api.ts',
  ],
  'packages/dashboard-sso/src': [
    'dashboard-options.ts page',
    'dashboard-services.ts http',
    'sso',
    'feed',
    'read',
    'edit requests',
    'dashboard.ts',
  ],
  'packages/cluster-sim/src': ['simulation', 'cluster', 'run', 'properties', 'mutants redis-mock scenario'],
  'packages/dev/src': ['measurement verify option-values.ts', 'bench sim', 'commands', 'main.ts'],
  'packages/turnpike/src': [
    // The client needs no other room: its knowledge of the management API is generated.
    // Readers of the formats that owners bring know no other room.
    'client echo-upstream formats package-folder.ts version.ts',
    'config import keys',
    'gateway installation terminal',
    'init start',
    'check workers',
    'cli',
    'embedding.ts',
  ],
  'packages/turnpike/src/client': ['result.ts', 'send-call.ts', 'make-client.ts'],
  'packages/testkit/src': [
    'check-input.ts differ exchange fakes generated-calls linearizability timer-queue.ts',
    'limiters virtual-clock.ts',
    'arbitraries conformance http-gateways judge-limiter.ts',
    'properties redis-server',
    'matchers suites',
    'mutants',
  ],
  'packages/judge/src': [
    'io.ts judge-input.ts',
    'http',
    'trace',
    'models',
    'attacks',
    'judging',
    'report',
    'gateway',
    'command',
    'compare limiter.ts',
    'main.ts',
  ],
  'packages/exchange/src': [
    'client-messages.ts http-exchange.ts json-differences.ts masks.ts utf8-text.ts',
    'compare-responses.ts har.ts send-over-http.ts shrink-difference.ts',
    'compare-traces.ts',
    'describe-report.ts',
  ],
  'packages/reports/src': [
    'escape-markup.ts report.ts',
    'file-names.ts html',
    'to-annotations.ts to-junit.ts to-sarif.ts',
    'write-reports.ts',
  ],
}
const floors = Object.fromEntries(
  Object.entries(floorNames).map(([folder, levels]) => [folder, levels.map((rooms) => rooms.split(/\s+/))]),
)

/**
 * Compares the imports of each file (`edges`: file → imported files) with the floors. Returns the problems, and the
 * floors for further checks.
 */
export function checkFloors(edges) {
  const problems = Object.entries(floors).flatMap(([folder, levels]) => folderProblems(folder, levels, edges))
  return { floors, problems }
}

/** Imports between the rooms of a folder: `from -> to` → the importing files. */
export function roomArrows(folder, edges) {
  const arrows = new Map()
  for (const { file, from, to } of roomImports(folder, edges)) {
    const arrow = `${from} -> ${to}`
    arrows.set(arrow, [...(arrows.get(arrow) ?? []), file])
  }
  return arrows
}

function folderProblems(folder, levels, edges) {
  const problems = []
  const floorOf = new Map(levels.flatMap((rooms, floor) => rooms.map((room) => [room, floor])))
  const rooms = new Set([...edges.keys()].filter((file) => isInside(folder, file)).map((file) => roomOf(folder, file)))
  for (const room of rooms) {
    if (room !== 'index.ts' && !floorOf.has(room)) problems.push(`${folder}: ${room} is on no floor of _floors.mjs`)
  }
  for (const room of floorOf.keys()) {
    if (!rooms.has(room)) problems.push(`${folder} has no ${room}: take it out of _floors.mjs`)
  }
  for (const { file, target, from, to } of roomImports(folder, edges)) {
    if (from === 'index.ts') continue
    const [above, below] = [floorOf.get(from), floorOf.get(to)]
    if (above === undefined || (below !== undefined && below < above)) continue
    const where = below === undefined ? 'on no floor' : `floor ${below + 1}`
    problems.push(`${file}: ${from} (floor ${above + 1}) may not import ${target} (${where})`)
  }
  return problems
}

function roomImports(folder, edges) {
  const found = []
  for (const [file, targets] of edges) {
    if (!isInside(folder, file)) continue
    const from = roomOf(folder, file)
    for (const target of targets) {
      if (!isInside(folder, target)) continue
      const to = roomOf(folder, target)
      // The build writes it into a folder that git ignores, and it imports nothing.
      if (to === 'generated') continue
      if (to !== from) found.push({ file, target, from, to })
    }
  }
  return found
}

const isInside = (folder, file) => file.startsWith(`${folder}/`)
const roomOf = (folder, file) => file.slice(folder.length + 1).split('/')[0]
