import { configDefaults, defineConfig } from 'vitest/config'

// Tests whose subject is a process, a socket or a folder: the machine's other work shows in them, so one that fails is
// tried once more, and named when it needed that. Properties and everything on virtual time are never tried again: what
// they find once is found.
const real = [
  'packages/turnpike/test/**/*.test.ts',
  'packages/turnpike/src/cli/**/*.test.ts',
  'packages/adapters/**/*.test.ts',
]

// What only computes has all cores; what starts processes and opens sockets comes after it, and leaves them one.
const together = { maxWorkers: '100%', sequence: { groupOrder: 0 } }
const apart = { sequence: { groupOrder: 1 } }

// Packages are tested from their sources: the condition `source` in every package's exports map says where they are.
export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    // The official MCP client uses packages that name their TypeScript sources by the same condition.
    server: { deps: { inline: [/sdk\/dist\/esm\/client\/streamableHttp/, /eventsource/] } },
    setupFiles: ['scripts/vitest-setup.ts'],
    // Wide, since properties draw many cases and the machine may have much else to do.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // Waiting for a condition ends when it holds; the limit is for machines that have much else to do.
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
          exclude: [...configDefaults.exclude, ...real],
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
        test: { name: 'adapters, properties', include: ['packages/adapters/**/*.prop.test.ts'], ...together },
      },
    ],
  },
})
