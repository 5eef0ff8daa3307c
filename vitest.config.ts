import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { configDefaults, defineConfig } from 'vitest/config'

// Files that a worker runs one after another share their modules (`isolate: false`), because loading core takes longer
// than most tests. A test file therefore leaves nothing behind: no timer, listener, server, environment variable or changed
// global. The files of this list have a module world of their own.
const isolated: Record<string, string> = {
  'packages/core/src/pipeline/graphql/graphql-on-demand.test.ts': 'empties the module registry before each case',
  'packages/adapters/src/front-end-uws/refused-uws.test.ts': 'replaces modules that other tests have loaded',
}

// `npx vitest run --project quick` runs the tests that need no process and little computing. These are not among them,
// because each takes more than about 1.5 CPU seconds or starts processes.
const slow: Record<string, string> = {
  'benchmarks/src/in-process/stages.test.ts': 'runs the benchmark case of every stage',
  'benchmarks/src/side-by-side/side-by-side.test.ts': 'starts a process for each server',
  'benchmarks/src/soak/virtual/virtual-soak.test.ts': 'days of virtual time',
  'examples/examples.test.ts': 'runs every example, with real servers',
  'examples/upstream/with-functions.test.ts': 'runs the upstream suite with its time limits',
  'packages/adapters/src/front-end-common/request-body-stream.prop.test.ts': 'thousands of cut request bodies',
  'packages/adapters/src/store-lmdb/properties.prop.test.ts': 'properties of a store on files',
  'packages/adapters/src/store-redis/mutants.prop.test.ts': 'finds seeded bugs on a Redis process',
  'packages/adapters/src/store-redis/properties.prop.test.ts': 'properties of a store on a Redis process',
  'packages/cluster-sim/src/mutants/cluster-mutants.test.ts': 'finds seeded bugs in simulated clusters',
  'packages/cluster-sim/src/mutants/every-mutant.test.ts': 'finds every seeded bug in simulated clusters',
  'packages/cluster-sim/src/properties/cluster-properties.test.ts': 'every property of clusters',
  'packages/cluster-sim/src/redis-mock/properties-on-redis-mock.prop.test.ts':
    'properties of the limiters on the mock of Redis',
  'packages/cluster-sim/src/redis-mock/redis-mock-server.test.ts': 'a cluster on the mock of Redis',
  'packages/cluster-sim/src/redis-mock/redis-mutants.test.ts': 'finds seeded bugs on the mock of Redis',
  'packages/cluster-sim/src/redis-mock/store-mock.test.ts': 'the suite of stores on the mock of Redis',
  'packages/cluster-sim/src/run/million-requests.test.ts': 'one million requests',
  'packages/cluster-sim/src/scenario/scenario.test.ts': 'many seeds of a scenario',
  'packages/core/src/lib/json-schema/work-limit.test.ts': 'exhausts the work limit of schemas',
  'packages/core/src/lib/regex/re2.prop.test.ts': 'compiles thousands of expressions',
  'packages/core/src/pipeline/shared/recode-body.test.ts': 'compresses and decompresses large bodies',
  'packages/core/src/pipeline/6-shape-response/shape-response.test.ts': 'decompresses bodies beyond the limit',
  'packages/core/src/pipeline/shared/path-rule-index.prop.test.ts': 'thousands of lists of rules',
  'packages/core/src/pipeline/mcp/hostile.prop.test.ts': 'an engine for each generated message',
  'packages/core/src/session/names/key-name.prop.test.ts': 'thousands of large byte sequences',
  'packages/core/src/session/policies/apply-policies.prop.test.ts': 'thousands of combinations of policies',
  'packages/dashboard-sso/src/sso/sign-on-tokens-property.test.ts': 'a property of tokens and its seeded bugs',
  'packages/dev/src/bench/run-bench.test.ts': 'measures every API of the sample company',
  'packages/dev/src/commands/bench-command.test.ts': 'runs the whole command bench',
  'packages/dev/src/commands/sim-command.test.ts': 'runs the whole command sim',
  'packages/dev/src/commands/verify-command.test.ts': 'runs the whole command verify',
  'packages/dev/src/measurement/judge-change.test.ts': 'thousands of draws for each interval',
  'packages/dev/src/sim/shipped-scenarios.test.ts': 'simulates every shipped scenario',
  'packages/dev/src/verify/faulty-folders.test.ts': 'verifies each folder of fixtures/faulty',
  'packages/dev/src/verify/limit-model.prop.test.ts': 'compares thousands of traces with the models',
  'packages/dev/src/verify/smoothed-rates.test.ts': 'verifies folders with each limiter',
  'packages/dev/src/verify/verify-gateway.test.ts': 'verifies whole gateways',
  'packages/mgmt-api/src/batch/batch-call.prop.test.ts': 'thousands of generated batches',
  'packages/mgmt-api/src/batch/batch-property.test.ts': 'properties of batches and their seeded bugs',
  'packages/mgmt-api/src/oauth/single-use-property.test.ts': 'properties of single use and their seeded bugs',
  'packages/mgmt-api/test/store-runs.test.ts': 'properties of a store and their seeded bugs',
  'packages/mgmt-api/src/keys/keys-property.test.ts': 'thousands of sequences of calls',
  'packages/mgmt-api/src/mcps/mcps.prop.test.ts': 'thousands of generated documents',
  'packages/mgmt-api/test/generated-calls.test.ts': 'thousands of generated calls',
  'packages/testkit/src/differ/compare-gateways.test.ts': 'compares gateways on real sockets',
  'packages/testkit/src/http-gateways/limited-gateway.test.ts': 'gateways on real sockets',
  'packages/testkit/src/linearizability/check-linearizable.test.ts': 'checks long histories',
  'packages/testkit/src/linearizability/check-linearizable.prop.test.ts': 'checks thousands of histories',
  'packages/testkit/src/mutants/mutants.test.ts': 'finds every seeded bug of the limiters',
  'packages/testkit/src/properties/case-statistics.test.ts': 'counts the cases of every property',
  'packages/testkit/src/properties/properties.test.ts': 'every property of every limiter, and their seeded bugs',
  'packages/testkit/src/properties/property-16-order.test.ts': 'orders of thousands of batches',
  'packages/testkit/src/properties/property-17-keys.test.ts': 'properties of keys and their seeded bugs',
  'packages/testkit/src/properties/property-19-cache.test.ts': 'properties of the cache and their seeded bugs',
  'packages/testkit/src/properties/store-properties.test.ts': 'properties of a store and their seeded bugs',
  'packages/upstream/src/http1/parser/response-parser.prop.test.ts': 'parses thousands of cut responses',
  'packages/turnpike/src/gateway/scripts.test.ts': 'starts script workers for each kind and failure',
  'packages/adapters/src/store-lmdb/mutants.prop.test.ts': 'finds seeded bugs in a store on files',
  'packages/cluster-sim/src/properties/property-13-cluster-bound-per-node.test.ts': 'a property of clusters',
  'packages/dev/src/verify/limits-of-key.prop.test.ts': 'thousands of keys and policies',
  'packages/mgmt-api/src/oauth/hostile.prop.test.ts': 'thousands of generated calls',
  'packages/upstream/src/http1/fuzz/fuzz-response.test.ts': 'thousands of generated responses',
  'packages/upstream/src/http1/parser/request-parser.test.ts': 'splits every message at every byte',
  'packages/turnpike/src/formats/bundle-document.test.ts': 'expands a document to its limit of values',
  'scripts/command-line.test.ts': 'starts every script',
  'scripts/generate/schemas.test.ts': 'compiles the schemas',
  'scripts/release/version.test.ts': 'builds and packs all packages',
  'scripts/sbom.test.ts': 'starts scripts/sbom.mjs',
}

// Tests that only `npm run check` runs, as CI does, with what they prove.
const inCi: Record<string, string> = {
  'packages/dev/src/bench/bench-page.test.ts': 'the page of bench in a browser',
  'packages/dev/src/verify/html/verify-page.test.ts': 'the page of verify in a browser',
  'packages/turnpike/test/dashboard-page.test.ts': 'the dashboard in a browser',
  'packages/turnpike/test/deployment/docker.test.ts': 'the image, built and started without containers',
  'packages/turnpike/test/docs-page.test.ts': 'the page of an API in a browser',
  'packages/turnpike/test/soak.test.ts': 'memory, handles and sockets under load, on each front end',
}

// Tests of processes, sockets and folders depend on the load of the machine, so a failed one runs a second time. Property
// tests and tests on virtual time are never retried: one counterexample is a failure.
const clients = 'packages/upstream/src/{any,fetch,http1,http2,undici}/*.test.ts'
const adapters = ['packages/adapters/**/*.test.ts', clients]
const real = [
  'packages/turnpike/test/**/*.test.ts',
  'packages/turnpike/src/cli/**/*.test.ts',
  'scripts/guides/**/*.test.ts',
]
const properties = ['packages/adapters/**/*.prop.test.ts']
const judge = ['packages/judge/test/**/*.test.ts']

const pure = [
  'packages/*/src/**/*.test.ts',
  'packages/*/test/**/*.test.ts',
  'scripts/**/*.test.ts',
  'examples/**/*.test.ts',
  'benchmarks/src/**/*.test.ts',
]

// Tests that wait for processes, sockets and real time. Isolation does not make them slower; two files run at once.
const waiting = { isolate: true, retry: 1, maxWorkers: 2, sequence: { groupOrder: 2 } }

// Projects of one group with shared modules would replace each other's workers, so that modules are loaded again for nearly
// every file. Tests that compute use all cores.
const together = (groupOrder: number) => ({ maxWorkers: '100%', sequence: { groupOrder } })

const pathsOf = (files: Record<string, string>) => {
  const missing = Object.keys(files).filter((path) => !existsSync(new URL(path, import.meta.url)))
  if (missing.length > 0)
    throw new Error(
      `vitest.config.ts lists files that do not exist: ${missing.join(', ')}. Correct or remove their lines.`,
    )
  return Object.keys(files)
}
const isolatedPaths = pathsOf(isolated)
const slowPaths = pathsOf(slow)
const ciPaths = pathsOf(inCi)
const without = (...paths: readonly string[]) => [...configDefaults.exclude, ...isolatedPaths, ...ciPaths, ...paths]

// Transformed files are kept between runs by their content. What an import of a package means depends on these files too.
const transformed = createHash('sha256')
for (const path of [
  'pnpm-lock.yaml',
  'vitest.config.ts',
  ...readdirSync(new URL('packages', import.meta.url)).map((name) => `packages/${name}/package.json`),
])
  transformed.update(readFileSync(new URL(path, import.meta.url)))

// Tests import the sources of packages, which every exports map names under the condition `source`.
export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    // Packages of the official MCP client use the same condition for their TypeScript sources.
    server: { deps: { inline: [/sdk\/dist\/esm\/client\/streamableHttp/, /eventsource/] } },
    // Tests see generated files that fit to the sources.
    globalSetup: ['scripts/generate.mjs'],
    setupFiles: ['scripts/vitest-setup.ts'],
    isolate: false,
    experimental: {
      fsModuleCache: true,
      fsModuleCachePath: `node_modules/.cache/vitest/${transformed.digest('hex').slice(0, 16)}`,
    },
    // Long, because property tests run many cases, possibly on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 60_000,
    // Polling ends as soon as the condition holds; the limit is for busy machines.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: pure,
          exclude: without(
            ...slowPaths,
            ...judge,
            'packages/turnpike/{test,src/cli}/**',
            'packages/adapters/**/!(*.prop).test.ts',
            clients,
            'scripts/guides/**',
          ),
          ...together(0),
        },
      },
      { extends: true, test: { name: 'slow', include: slowPaths, exclude: without(), ...together(1) } },
      { extends: true, test: { name: 'adapters', include: adapters, exclude: without(...properties), ...waiting } },
      { extends: true, test: { name: 'real', include: real, exclude: without(), ...waiting } },
      { extends: true, test: { name: 'judge', include: judge, ...waiting } },
      { extends: true, test: { name: 'ci', include: ciPaths, ...waiting } },
      { extends: true, test: { name: 'isolated', include: isolatedPaths, isolate: true, ...together(3) } },
    ],
  },
})
