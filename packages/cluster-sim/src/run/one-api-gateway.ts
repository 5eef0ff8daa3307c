/**
 * The gateway of a plan that names only keys and limits: one API, written as classic definitions, policies and sessions
 * in wire form.
 */
import type { SourceSnapshot } from '@turnpike/core/definition'
import type { Engine } from '@turnpike/core/engine'
import { defaultSettings, type Session, sessionShape } from '@turnpike/core/ports'
import { accessTo, type TestDefinition, testDefinition, testSnapshot } from '@turnpike/testkit'
import { configHeader } from '../cluster/echo-upstream.ts'
import type { Allowance, Plan, PlannedFiles, PlannedKey } from './plan.ts'
import type { SimulatedGateway } from './simulated-gateway.ts'

export const orgId = 'org1'
const apiId = 'api'

/** How long a node caches a key, as a gateway on Redis does. */
export const sessionsCachedForMs = 10_000

export function oneApiGateway({ algorithm }: Pick<Plan, 'algorithm'>): SimulatedGateway {
  return {
    settings: {
      ...defaultSettings,
      keys: { ...defaultSettings.keys, cachedForMs: sessionsCachedForMs },
      limits: { ...defaultSettings.limits, algorithm },
    },
    snapshotOf,
    versionOf,
    async seed({ keys }, store) {
      for (const key of keys) await store.sessions.put(orgId + key.name, sessionOf(key))
    },
    requestOf: ({ key }) => ({
      method: 'GET',
      path: `/${apiId}/a`,
      query: '',
      headers: ['host', 'gateway.test', 'authorization', orgId + key],
      remoteAddress: '192.0.2.1',
      secure: false,
      body: undefined,
      bodyLength: 0,
      onAbort() {},
    }),
  }
}

export function sessionOf({ allowance, policy }: PlannedKey): Session {
  const wire = {
    ...accessTo(apiId),
    ...(policy === undefined ? {} : { apply_policies: [policy] }),
    ...(allowance === undefined ? {} : limitsOf(allowance)),
  }
  return sessionShape.read(wire, [], [])
}

function snapshotOf({ version, policies }: PlannedFiles): SourceSnapshot {
  const documents = Object.entries(policies).map(([id, allowance]) => [id, policyOf(id, allowance)])
  return testSnapshot([definitionOf(version)], documents.length > 0 ? Object.fromEntries(documents) : undefined)
}

function versionOf(engine: Engine): number {
  const target = engine.definitions()[0]?.document.proxy.targetUrl ?? ''
  return Number(/\/v(\d+)\//.exec(target)?.[1] ?? Number.NaN)
}

function policyOf(id: string, allowance: Allowance): object {
  return { id, active: true, ...limitsOf(allowance), ...accessTo(apiId) }
}

function limitsOf({ rate, per, quotaMax, quotaRenewalRate }: Allowance): object {
  return {
    rate,
    per,
    quota_max: quotaMax > 0 ? quotaMax : -1,
    quota_renewal_rate: quotaRenewalRate,
  }
}

/** The version is in two places that different stages read, so a response made from two versions is detected. */
function definitionOf(version: number): TestDefinition {
  const versions = { Default: { name: 'Default', global_headers: { [configHeader]: String(version) } } }
  return testDefinition(apiId, { version_data: { not_versioned: true, versions } }, `http://upstream.test/v${version}/`)
}
