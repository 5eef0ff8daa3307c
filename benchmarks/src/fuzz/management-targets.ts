/** Targets inside of a gateway without sockets: definitions that are loaded and called, and bodies of management calls. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGateway } from 'turnpike'
import { definition as plainDefinition } from '../subjects/definition.ts'
import { readCorpus } from './corpus.ts'
import { emptyUpstream } from './empty-upstream.ts'
import { FuzzFinding, type FuzzTarget } from './fuzz-target.ts'
import { jsonText, makeRandom, mostly, mutateJson, mutateText, pick } from './generate.ts'

const { definitions, calls } = readCorpus()
const secret = 'management-key-of-the-fuzzer'

const config = {
  secret,
  log_level: 'error',
  uptime_tests: { disable: true },
  graceful_shutdown_timeout_duration: 1,
} as const

/** A changed definition beside a valid one, which must stay in service; the changed one is called too. */
const loaded: FuzzTarget = {
  name: 'loaded-definition',
  weight: 2,
  keepsState: true,
  async open() {
    const stable = plainDefinition('stable', 'http://127.0.0.1:1')
    let changed: unknown = stable
    const gateway = await createGateway({
      config,
      upstream: emptyUpstream,
      store: 'memory',
      log: 'silent',
      definitions: () => (changed === stable ? [stable] : [stable, changed]) as never,
    })
    return {
      async run(seed) {
        const random = makeRandom(seed)
        changed = mutateJson(random, pick(random, definitions), pick(random, definitions))
        await gateway.reload().catch((error: unknown) => {
          // `createGateway` rejects lists with members that are no definitions; any other rejection is a finding.
          if (!(error instanceof Error && error.name === 'OptionError')) throw error
        })
        const response = await gateway.inject('/stable/x')
        if (response.status !== 200) throw new FuzzFinding(`/stable/ got ${response.status} beside`, changed)
        for (const { listenPath } of gateway.apis()) {
          if (!listenPath.startsWith('/')) continue
          await gateway.inject({ url: `${listenPath}x?a=b`, method: 'POST', body: jsonText(random, { a: [1] }) })
        }
      },
      close: () => gateway.close(0),
    }
  },
}

const yamlPieces: readonly string[] = [
  '&a ',
  '*a',
  '<<: *a',
  '!!binary ',
  '!!js/function ',
  '|',
  '>',
  '- ',
  ': ',
  '{',
  '}',
  '[',
  ']',
  '\t',
  '---\n',
  '...\n',
  '"',
  "'",
  '? ',
  '%YAML 9\n',
  '\n',
  '  ',
]
const yaml = `openapi: 3.0.3
info: {title: fuzzed, version: "1"}
servers: [{url: http://127.0.0.1:1/}]
paths:
  /a/{id}:
    parameters: &p [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getA, responses: {"200": {description: fine}}}
  /b:
    parameters: []
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {a: {$ref: "#/components/schemas/A"}}}}}}
      responses: {"200": {description: fine}}
components: {schemas: {A: {type: array, items: {$ref: "#/components/schemas/A"}}}}
`

/** Bodies of management calls, with the key: any status but 500 without a message is fine. */
const management: FuzzTarget = {
  name: 'management',
  weight: 2,
  keepsState: true,
  async open() {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-fuzz-'))
    for (const name of ['apps', 'policies']) mkdirSync(join(folder, name))
    const file = join(folder, 'gateway.json')
    const policies = { policy_source: 'file', policy_path: 'policies' }
    writeFileSync(file, JSON.stringify({ ...config, app_path: 'apps', policies, storage: { type: 'memory' } }))
    const gateway = await createGateway({ config: file, upstream: emptyUpstream, store: 'memory', log: 'silent' })
    return {
      async run(seed) {
        const random = makeRandom(seed)
        const call = pick(random, calls)
        const isImport = random(4) === 0
        const url = isImport
          ? '/svc/apis/oas/import'
          : mutateText(random, call.path, ['/', '?', 'dry_run=true', '%2e%2e'], 1)
        const body = isImport
          ? mutateText(random, yaml, yamlPieces, 8)
          : jsonText(random, mutateJson(random, call.body, pick(random, calls).body))
        const method = mostly(random, [isImport ? 'POST' : call.method, 'PUT', 'PATCH', 'DELETE'])
        const target = url.startsWith('/') ? url : '/svc/apis'
        const response = await gateway.inject({ url: target, method, body, headers: { 'x-svc-authorization': secret } })
        if (response.status === 500 && response.text() === '')
          throw new FuzzFinding('500 without a message', { target, body })
        if (readdirSync(folder).length !== 3)
          throw new FuzzFinding('a call wrote outside of its folder', { target, body })
        const rejected = await gateway.inject({
          url: '/svc/apis',
          method: 'POST',
          body,
          headers: { 'x-svc-authorization': secret.slice(1) },
        })
        if (rejected.status !== 403) throw new FuzzFinding(`a call without the key got ${rejected.status}`, body)
      },
      async close() {
        await gateway.close(0)
        rmSync(folder, { recursive: true, force: true })
      },
    }
  },
}

export const managementTargets: readonly FuzzTarget[] = [loaded, management]
