/** Schema of a list of names. */
import type { JsonSchema } from '@turnpike/core'

export const keyListSchema: JsonSchema = {
  type: 'object',
  required: ['keys'],
  properties: { keys: { type: 'array', items: { type: 'string' } } },
}
