#!/usr/bin/env node
// Imports run one way: packages as the table of docs/request-path.md says, and inside core from the pipeline to the
// domain folders to the ports.
import { dirname, join, normalize } from 'node:path'
import { projectFiles, read, report } from './_files.mjs'

const mayImport = {
  core: [],
  adapters: ['core'],
  'mgmt-api': ['core'],
  'dashboard-sso': ['core'],
  testkit: ['core'],
  // Neither at run time: what it knows of both is generated.
  client: [],
  'cluster-sim': ['core', 'testkit'],
  turnpike: ['client', 'core', 'adapters', 'mgmt-api', 'dashboard-sso', 'testkit', 'cluster-sim'],
}
// Lower layers never import higher ones; folders of one layer may know each other.
const layers = [
  [
    'ports',
    'wire',
    'maybe.ts',
    'http.ts',
    'byte-stream.ts',
    'passing-stream.ts',
    'trailers.ts',
    'errors.ts',
    'vendor.ts',
    'settings.ts',
    'inject.ts',
    'text',
  ],
  [
    'quota',
    'rate-limit',
    'definition',
    'route',
    'session',
    'cache',
    'template',
    'variables',
    'json-schema',
    'jwt',
    'hmac',
    'oas',
    'mcp',
    'oauth',
  ].concat([
    'error-answer',
    'store-memory',
    'circuit-breaker',
    'uptime',
    'loop',
    'events',
    'analytics',
    'address',
    'certificates',
    'stream',
  ]),
  ['pipeline', 'batch'],
  ['reload', 'cluster', 'engine.ts', 'index.ts'],
]
const layerOf = (path) => layers.findIndex((names) => names.includes(path.split('/')[0]))

const problems = []
const isTest = (file) => /\.(test|prop\.test|test-d)\.ts$|\/testing\//.test(file)
for (const file of projectFiles().filter((name) => /^packages\/[^/]+\/src\/.*\.ts$/.test(name))) {
  const [, pkg] = file.split('/')
  const text = read(file)
  for (const [statement, from] of text.matchAll(/(?:^|\n)\s*(?:import|export)\b[^'";]*?from '([^']+)'/g)) {
    const target = /^@turnpike\/([^/]+)|^(turnpike)$/.exec(from)
    const name = target?.[1] ?? target?.[2]
    if (name !== undefined && name !== pkg && !isTest(file) && !mayImport[pkg]?.includes(name)) {
      problems.push(`${file}: ${pkg} may not import ${from}`)
    }
    if (from.startsWith('node:') && pkg === 'core' && !isTest(file))
      problems.push(`${file}: core may not import ${from}`)
    if (pkg !== 'core' || !from.startsWith('.') || isTest(file)) continue
    // Types of a higher layer may be named (a port speaks of sessions); code may not be called.
    if (/^\s*(import|export) type\b/.test(statement.trimStart())) continue
    const inside = normalize(join(dirname(file), from)).slice('packages/core/src/'.length)
    const own = file.slice('packages/core/src/'.length)
    if (layerOf(inside) > layerOf(own)) problems.push(`${file}: ${own.split('/')[0]} may not call ${inside}`)
    if (layerOf(inside) === -1) problems.push(`${file}: ${inside} stands in no layer of this rule`)
  }
}
report('import direction', problems)
