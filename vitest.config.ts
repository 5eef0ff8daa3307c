import { configDefaults, defineConfig } from 'vitest/config'

// Tests of processes, sockets and folders depend on the load of the machine, so a failed one runs a second time. Property
// tests and tests on virtual time are never retried: one counterexample is a failure.
const real = [
  'packages/turnpike/test/**/*.test.ts',
  'packages/turnpike/src/cli/**/*.test.ts',
  'packages/adapters/**/*.test.ts',
  'scripts/guides/**/*.test.ts',
]

// Pure tests use all cores. Tests that start processes and open sockets run afterwards and leave one core to those.
const together = { maxWorkers: '100%', sequence: { groupOrder: 0 } }
const apart = { sequence: { groupOrder: 1 } }
// Tests of `judge` wait for real time nearly always, so two files run at once.
const judge = ['packages/judge/test/**/*.test.ts']
const waiting = { maxWorkers: 2, sequence: { groupOrder: 2 } }

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
    // Long, because property tests run many cases, possibly on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 60_000,
    // Polling ends as soon as the condition holds; the limit is for busy machines.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'engine',
          include: [
            'packages/*/src/**/*.test.ts',
            'packages/*/test/**/*.test.ts',
            'scripts/**/*.test.ts',
            'examples/**/*.test.ts',
            'benchmarks/src/**/*.test.ts',
          ],
          exclude: [...configDefaults.exclude, ...real, ...judge],
          ...together,
        },
      },
      {
        extends: true,
        test: {
          name: 'real',
          include: real,
          exclude: [...configDefaults.exclude, 'packages/adapters/**/*.prop.test.ts'],
          retry: 1,
          ...apart,
        },
      },
      {
        extends: true,
        test: { name: 'judge', include: judge, exclude: configDefaults.exclude, retry: 1, ...waiting },
      },
      {
        extends: true,
        test: { name: 'adapters, properties', include: ['packages/adapters/**/*.prop.test.ts'], ...together },
      },
    ],
  },
})
