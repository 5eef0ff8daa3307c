/** Support status of the fields of keys and policies. docs/reference/support.md is generated from it. */
import {
  ignored,
  type SupportTable,
  shortPeriodRows,
  stored,
  type UnsupportedRows,
  unsupportedRows,
} from './support.ts'

export const sessionSupport: SupportTable = new Map([
  ['last_check', stored()],
  ['allowance', stored()],
  ['id_extractor_deadline', stored()],
])

export const policySupport: SupportTable = new Map([
  ['active', stored('use is_inactive')],
  [
    'graphql_access_rights',
    ignored('limits of GraphQL belong to one API', {
      changesRequests: true,
      instead: 'set the limits in access_rights',
    }),
  ],
])

const shortPeriods = shortPeriodRows(
  [
    'per',
    'access_rights.*.limit.per',
    'access_rights.*.endpoints.methods.limit.per',
    'access_rights.*.json_rpc_methods.limit.per',
    'access_rights.*.mcp_primitives.limit.per',
  ],
  true,
)

/** For policies as `policyShape` reads them. */
export const unsupportedInPolicies: UnsupportedRows = [...unsupportedRows(policySupport, true), ...shortPeriods]

/** For sessions as `sessionShape` reads them. */
export const unsupportedInSessions: UnsupportedRows = [...unsupportedRows(sessionSupport, true), ...shortPeriods]
