/** Error responses of POST and PUT when a key was not written. Source: docs/reference/key-management.md#create-or-replace-a-key. */
import type { KeyRefusal } from '@turnpike/core'
import { failure, type Reply } from '../http/reply.ts'
import type { Operation } from '../operation.ts'

export const saveRefusals: Operation['responses'] = {
  400: 'The body cannot be parsed, or its certificates or MCP fields are unfit',
  500: 'No access rights, or a policy cannot be applied',
}

export const keyUnknown = failure(404, 'Key is not found')

/** Unlike `keys/create`, these calls do not name the policy. */
export function refuseSave(refusal: KeyRefusal): Reply {
  switch (refusal.kind) {
    case 'unknown-key':
      return keyUnknown
    case 'certificate':
    case 'misplaced-fields':
      return failure(400, refusal.message)
    case 'no-rights':
    case 'policies':
    case 'certificate-taken':
      return failure(500, 'Failed to create key, ensure security settings are correct.')
  }
}
