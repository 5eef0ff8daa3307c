/** Fields that the shapes do not have, but that owners of existing files know. */
import type { Unsupported } from '../api-definition.ts'

/** Fields that a dashboard adds to definitions, policies and web hooks, and that no gateway reads. */
export const dashboardFields: ReadonlySet<string> = new Set([
  '_id',
  '_sd_show_port_path',
  'access_rights_array',
  'allowance',
  'api_model',
  'auth_type',
  'auth_types',
  'created_at',
  'date_created',
  'graphql_enabled',
  'is_site',
  'last_updated',
  'org_id',
  'quota_remaining',
  'quota_renews',
  'slug',
  'sort_by',
  'state',
  'updated_at',
  'use_oas',
  'user_group_owners',
  'user_owners',
])

const template = 'write a template (transform, transform_response) or a script'

const fields: readonly (readonly [name: string, reason: string, instead: string, changesRequests: boolean])[] = [
  ['transform_jq', 'filters of jq are not supported', template, true],
  ['transform_jq_response', 'filters of jq are not supported', template, true],
  ['hook_references', 'web hooks of a dashboard are not read', 'write them into event_handlers', false],
  ['oas_config', 'it belongs to a dashboard', 'keep the OpenAPI document in a file of its own', false],
]

/** Fields with which the original gateway changes requests, and which this build does not support. */
export const unsupportedFields: ReadonlyMap<string, Omit<Unsupported, 'path'>> = new Map(
  fields.map(([name, reason, instead, changesRequests]) => [
    name,
    { status: 'ignored', reason, instead, changesRequests },
  ]),
)
