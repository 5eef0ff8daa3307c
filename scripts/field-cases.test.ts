/**
 * Situations of public bug reports, of users' files, and of generated definitions beside the original gateway, each with
 * the response that this project decided. The files have the form of the recorded suites.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startGatewayInProcess } from '../packages/testkit/src/conformance/gateway-in-process.ts'
import { runSuite } from '../packages/testkit/src/conformance/run-suite.ts'
import { type EchoUpstream, startEchoUpstream } from '../packages/turnpike/src/echo-upstream/echo-upstream.ts'
import { createGateway } from '../packages/turnpike/src/index.ts'

const folder = join(import.meta.dirname, '../fixtures/field-cases')
const config = { front_end: 'http1', storage: { type: 'memory' } }
let upstream: EchoUpstream
beforeAll(async () => {
  upstream = await startEchoUpstream()
})
afterAll(() => upstream.close())

it.each(readdirSync(folder))('%s', async (file) => {
  const suite = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const results = await runSuite(file, suite, {
    start: () =>
      startGatewayInProcess(suite, {
        ...{ upstream: upstream.url, config },
        create: (conf, clock) => createGateway({ config: conf, clock, log: 'silent' }),
      }),
  })
  expect(results.flatMap(({ failures }) => failures)).toEqual([])
  expect(results).not.toEqual([])
})
