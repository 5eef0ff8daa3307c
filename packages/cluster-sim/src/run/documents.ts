/**
 * The gateway of a plan that names only keys and limits: one API, written as classic definitions, policies and sessions
 * in wire form.
 */
import {
  defaultSettings,
  type Engine,
  type Session,
  type SourceDocument,
  type SourceSnapshot,
  sessionShape,
} from '@turnpike/core'
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
    org_id: orgId,
    ...(policy === undefined ? {} : { apply_policies: [policy] }),
    ...(allowance === undefined ? {} : limitsOf(allowance)),
    access_rights: rights,
  }
  return sessionShape.read(wire, [], [])
}

function snapshotOf({ version, policies }: PlannedFiles): SourceSnapshot {
  const entries = Object.entries(policies)
  const documents = Object.fromEntries(entries.map(([id, allowance]) => [id, policyOf(id, allowance)]))
  return {
    definitions: [documentOf(`${apiId}.json`, definitionOf(version))],
    definitionsProblem: undefined,
    policies: entries.length > 0 ? { kind: 'map', document: documentOf('policies.json', documents) } : { kind: 'none' },
  }
}

function documentOf(name: string, content: object): SourceDocument {
  const text = JSON.stringify(content)
  return { name, hash: text, text, problem: undefined }
}

function versionOf(engine: Engine): number {
  const target = engine.definitions()[0]?.document.proxy.targetUrl ?? ''
  return Number(/\/v(\d+)\//.exec(target)?.[1] ?? Number.NaN)
}

const rights = { [apiId]: { api_id: apiId, api_name: apiId, versions: ['Default'] } }

function policyOf(id: string, allowance: Allowance): object {
  return { id, org_id: orgId, active: true, ...limitsOf(allowance), access_rights: rights }
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
function definitionOf(version: number): object {
  return {
    name: apiId,
    api_id: apiId,
    org_id: orgId,
    auth: { auth_header_name: 'authorization' },
    version_data: {
      not_versioned: true,
      versions: { Default: { name: 'Default', global_headers: { [configHeader]: String(version) } } },
    },
    proxy: { listen_path: `/${apiId}/`, target_url: `http://upstream.test/v${version}/`, strip_listen_path: true },
  }
}
