/** GET /config and GET /env: the running configuration without its secrets. Source: docs/reference/configuration.md#listening-and-management-keys. */
import { json } from '../http/reply.ts'
import type { Management } from '../management.ts'
import type { Operation } from '../operation.ts'
import { blankSecrets } from './blank-secrets.ts'

const enabled = (management: Management) => management.options.configInspection

export const inspectConfig: Operation = {
  id: 'inspectConfig',
  method: 'GET',
  path: '/config',
  tag: 'debug',
  summary: 'The configuration in force, secrets blanked',
  responses: { 200: { description: 'The configuration', schema: { type: 'object' } } },
  enabled,
  handle: ({ management }) => json(blankSecrets(management.inspect?.().config ?? {})),
}

export const inspectEnvironment: Operation = {
  id: 'inspectEnvironment',
  method: 'GET',
  path: '/env',
  tag: 'debug',
  summary: 'Environment variables that the configuration was read from, secrets blanked',
  responses: {
    200: { description: 'By name', schema: { type: 'object', additionalProperties: { type: 'string' } } },
  },
  enabled,
  handle: ({ management }) => json(blankSecrets(management.inspect?.().env ?? {})),
}
