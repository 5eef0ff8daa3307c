/**
 * The user's gateway as the subject of a scenario: every node loads the documents of the user's folder with the user's
 * settings, and requests go to the real paths of the APIs.
 */
import { dirname } from 'node:path'
import { makeDefinitionFiles } from '@turnpike/adapters/definition-files'
import {
  runPlan,
  type ScenarioSubject,
  type SimulatedGateway,
  seedKeys,
  sessionsCachedForMs,
} from '@turnpike/cluster-sim'
import type { SourceSnapshot } from '@turnpike/core/definition'
import type { Engine } from '@turnpike/core/engine'
import type { Session } from '@turnpike/core/ports'
import { makeBatchEndpoint } from '@turnpike/mgmt-api'
import {
  type Environment,
  type LoadedConfig,
  makeReadTemplate,
  makeSecretLookup,
  type Seed,
  type SessionDocument,
  toSession,
  toSettings,
} from 'turnpike/embedding'
import { quiet } from '../verify/gateway-sandbox.ts'
import type { Untried } from '../verify/why-not-tested.ts'
import { type Caller, findCallers } from './callers.ts'
import { limitsOfCallers, loadOfCallers } from './load-of-callers.ts'

export interface GatewaySubject {
  readonly subject: ScenarioSubject
  readonly callers: readonly Caller[]
  readonly untried: readonly Untried[]
}

/** Rejects if the configuration is invalid. Without callers there is nothing to simulate. */
export async function subjectOfGateway(
  loaded: LoadedConfig,
  environment: Environment,
  seed: Seed | undefined,
): Promise<GatewaySubject> {
  const found = await findCallers(loaded, environment, seed)
  const files = await readFiles(loaded)
  const all = gatewayOf(loaded, environment, seed, files, found.callers)
  const { callers, untried } = await withoutOddTargets(all, found.callers)
  const gateway = gatewayOf(loaded, environment, seed, files, callers)
  return {
    subject: { gateway, limits: limitsOfCallers(callers), load: loadOfCallers(callers) },
    callers,
    untried: [...found.untried, ...untried],
  }
}

function readFiles({ config, file }: LoadedConfig): Promise<SourceSnapshot> {
  const { policyPath, policyRecordName } = config.policies
  return makeDefinitionFiles({
    appPath: file === undefined ? undefined : config.appPath,
    policies:
      policyPath !== '' ? { path: policyPath } : policyRecordName !== '' ? { recordName: policyRecordName } : {},
  }).read()
}

function gatewayOf(
  loaded: LoadedConfig,
  environment: Environment,
  seed: Seed | undefined,
  files: SourceSnapshot,
  callers: readonly Caller[],
): SimulatedGateway {
  const { config } = loaded
  const settings = toSettings(quiet(config))
  const keys = Object.fromEntries(callers.flatMap(({ key }) => (key === undefined ? [] : [[key.id, key.session]])))
  const organisations = Object.fromEntries(
    Object.entries(seed?.organisations ?? {}).map(([id, given]): [string, Session] => [
      id,
      toSession(given as SessionDocument),
    ]),
  )
  const byName = new Map(callers.map((caller) => [caller.name, caller]))
  const gateway: SimulatedGateway = {
    settings: { ...settings, keys: { ...settings.keys, cachedForMs: sessionsCachedForMs } },
    snapshotOf: ({ version }) => ({ ...files, definitions: files.definitions.map((one) => withVersion(one, version)) }),
    versionOf,
    seed: ({ files: planned }, store, clock) =>
      seedKeys({ gateway, files: planned, store, clock, keys, organisations }),
    requestOf({ key, target = 0 }) {
      const request = byName.get(key)?.targets[target]?.makeRequest()
      if (request === undefined) throw new RangeError(`there is no request ${target} of ${key}`)
      return request
    },
    engineOptions: {
      endpoints: [makeBatchEndpoint(config.batch)],
      secret: makeSecretLookup(environment, config),
      readTemplate: makeReadTemplate(loaded.file === undefined ? process.cwd() : dirname(loaded.file), config),
      errorOverrides: config.errorOverrides,
    },
  }
  return gateway
}

type Document = SourceSnapshot['definitions'][number]

/** A new version has the same text and another hash, so nodes compile it again. */
const withVersion = (document: Document, version: number): Document => ({
  ...document,
  hash: `${document.hash}#v${version}`,
})

function versionOf(engine: Engine): number {
  return Number(/#v(\d+)/.exec(engine.definitions()[0]?.hash ?? '')?.[1] ?? Number.NaN)
}

/** Sends each request once on one node without faults; leaves out those that are neither admitted nor limited. */
async function withoutOddTargets(gateway: SimulatedGateway, callers: readonly Caller[]) {
  const all = callers.flatMap((caller) => caller.targets.map((target, i) => ({ caller, target, i })))
  const { exchanges } = await runPlan(
    {
      name: 'each request once',
      seed: 1,
      nodes: ['node-1'],
      algorithm: gateway.settings.limits.algorithm,
      network: { delayMs: [1, 1], loss: 0, doubling: 0, reordering: false },
      deadlineMs: 500,
      keys: [],
      files: { version: 1, policies: {} },
      steps: all.map(({ caller, i }, at) => ({
        at: at * 1000,
        kind: 'request',
        node: 'node-1',
        key: caller.name,
        target: i,
      })),
      endsAt: all.length * 1000 + 2000,
    },
    { gateway },
  )
  // A quota that is smaller than the number of requests responds with 403 here already.
  const isCounted = ({ limits }: Caller['targets'][number]) =>
    [...limits.values()].some(({ what, count }) => what === 'quota' && count < all.length)
  const untried: Untried[] = []
  const kept = callers.map((caller) => ({
    ...caller,
    targets: caller.targets.filter((target) => {
      const status = exchanges[all.findIndex((one) => one.target === target)]?.status ?? 0
      if (status === 200 || status === 429 || (status === 403 && isCounted(target))) return true
      untried.push({ what: `${caller.name}: ${target.words}`, why: `a simulated node responds with ${status}` })
      return false
    }),
  }))
  return { callers: kept.filter(({ targets }) => targets.length > 0), untried }
}
