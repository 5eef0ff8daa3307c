/** Schemas of JSON responses. scripts/json-serialisers.mjs generates a serialiser for each. */
import type { JsonSchema } from '@turnpike/core'

/** `Meta` is free: it differs from call to call. */
const dashboardReply: JsonSchema = {
  type: 'object',
  properties: { Status: { type: 'string' }, Message: { type: 'string' }, Meta: {} },
}

export const responseSchemas = { dashboardReply }
