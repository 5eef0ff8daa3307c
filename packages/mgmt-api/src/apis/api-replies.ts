/** Shared by the calls on definitions. Source: docs/reference/api-management.md#classic-endpoints. */
import { type ApiDefinition, baseOf, classicShape, speaksMcp } from '@turnpike/core/definition'
import { vendorForms } from '@turnpike/core/lib'
import { failure, type Reply } from '../http/reply.ts'
import type { Call, Operation, QueryNote, ResponseNote } from '../operation.ts'

export const apiNotFound: Reply = failure(404, 'API not found')
export const invalidApiId: Reply = failure(400, 'Invalid API ID')

export function isMcpProxy(api: ApiDefinition): boolean {
  return speaksMcp(api.document)
}

/** The header that names the base of a version; no header if the API is not a version. */
export function baseHeader({ management }: Call, apiId: string): Readonly<Record<string, string>> {
  const base = baseOf(apiId, management.definitions())
  return base === undefined ? {} : { [`x-${vendorForms(management.settings.vendor).lower}-base-api-id`]: base.id }
}

export const definitionResponse: ResponseNote = {
  description: 'The definition, every field',
  schema: classicShape.schema,
}

export const changeNote: Pick<Operation, 'description'> = {
  description: 'Changes files of this node; takes effect at the next reload.',
}

/** Of calls that write: they are rejected while a dashboard manages the definitions. */
export const writeNote: Pick<Operation, 'description' | 'reject'> = {
  ...changeNote,
  reject({ management }) {
    if (!management.options.definitionsByDashboard) return undefined
    return failure(500, 'Due to enabled use_db_app_configs, please use the Dashboard API')
  },
}

/** Parameters that make a new API a version of another; `what`: what the call creates. */
export const versionQuery = (what: 'definition' | 'document'): readonly QueryNote[] => [
  { name: 'base_api_id', description: `Makes the ${what} a version of this API` },
  { name: 'base_api_version_name', description: 'Name of the version that the base itself is' },
  { name: 'new_version_name', description: 'Name of the new version' },
  { name: 'set_default', description: '`true`: the new version is the default' },
]
