/** Files and sessions of a plan as the gateway knows them: classic definitions, policies and sessions in wire form. */
import type { Files } from '../cluster/disk.ts'
import { configHeader } from '../cluster/echo-upstream.ts'
import type { Allowance, PlannedFiles, PlannedKey } from './plan.ts'

export const orgId = 'org1'
export const apiId = 'api'

export function filesOf({ version, policies }: PlannedFiles): Files {
  return {
    definitions: { [apiId]: definitionOf(version) },
    policies: Object.fromEntries(Object.entries(policies).map(([id, allowance]) => [id, policyOf(id, allowance)])),
  }
}

export function sessionOf({ allowance, policy }: PlannedKey): object {
  return {
    org_id: orgId,
    ...(policy === undefined ? {} : { apply_policies: [policy] }),
    ...(allowance === undefined ? {} : limitsOf(allowance)),
    access_rights: rights,
  }
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
