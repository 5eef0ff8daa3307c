/** POST and PUT of policies: both write the policy's file. Source: docs/reference/policies.md#policy-sources. */
import {
  findMisplacedFields,
  findUnsupported,
  type Policy,
  policyIdOf,
  policyShape,
  toWirePolicy,
  unsupportedInPolicies,
} from '@turnpike/core'
import { readBody } from '../http/read-body.ts'
import { done, failure, type Reply } from '../http/reply.ts'
import { refuseIneffective, warningsOf } from '../http/warnings.ts'
import { doneResponse, malformed } from '../keys/key-reply.ts'
import { type Call, type Operation, paramOf } from '../operation.ts'
import { changeNote, isAllowedPolicyId, refuseByService } from './policy-replies.ts'

const shared = {
  ...changeNote,
  body: { schema: policyShape.schema, description: 'The policy; its `id` counts' },
  responses: {
    200: doneResponse,
    400: 'The body cannot be parsed, or its id or MCP fields are unfit',
    500: 'The file cannot be written',
  },
} satisfies Partial<Operation>

export const addPolicy: Operation = {
  ...shared,
  id: 'addPolicy',
  method: 'POST',
  path: '/svc/policies',
  summary: 'Write a policy; one with the same id is replaced',
  handle: (call) => write(call, 'added'),
}

export const addNamedPolicy: Operation = {
  ...addPolicy,
  id: 'addPolicyAt',
  path: '/svc/policies/{id}',
  summary: 'The same; the id in the path is ignored',
}

export const updatePolicy: Operation = {
  ...shared,
  id: 'updatePolicy',
  method: 'PUT',
  path: '/svc/policies/{id}',
  summary: 'Replace a policy, or create it',
  handle: (call) => write(call, 'modified'),
}

export const updateNoPolicy: Operation = {
  ...changeNote,
  id: 'updateUnnamedPolicy',
  method: 'PUT',
  path: '/svc/policies',
  summary: 'Refused: the path must name a policy',
  responses: { 400: 'Must specify an apiID to update' },
  handle: () => failure(400, 'Must specify an apiID to update'),
}

async function write(call: Call, action: 'added' | 'modified'): Promise<Reply> {
  const closed = refuseByService(call)
  if (closed !== undefined) return closed
  const body = await readBody(call, policyShape, malformed)
  if (body.refusal) return body.refusal
  // PUT compares `id` alone with the path.
  const policy = action === 'added' ? { ...body.value, id: policyIdOf(body.value) } : body.value
  const refusal = check(call, policy, action === 'modified' ? paramOf(call, 'id') : undefined)
  if (refusal !== undefined) return refusal
  const ineffective = [...body.unknown, ...findUnsupported(unsupportedInPolicies, policy)]
  const refused = refuseIneffective(call, ineffective)
  if (refused !== undefined) return refused
  try {
    await call.management.files.writePolicy(policy.id, JSON.stringify(toWirePolicy(policy), null, 2))
  } catch (error) {
    call.management.log.error('a policy cannot be written', { policy: policy.id, reason: String(error) })
    return failure(500, isMissingFolder(error) ? 'Unable to access policy storage.' : 'Failed to create file!')
  }
  return done(policy.id, action, warningsOf(ineffective))
}

function check(call: Call, policy: Policy, idInPath: string | undefined): Reply | undefined {
  if (policy.id !== '' && !isAllowedPolicyId(call, policy.id)) {
    return failure(400, 'Invalid Policy ID: Allowed characters: a-z, A-Z, 0-9, ., _, -, ~')
  }
  if (idInPath !== undefined && idInPath !== policy.id) {
    return failure(400, 'Request ID does not match that in policy! For Update operations these must match.')
  }
  if (policy.id === '') return failure(400, 'Unable to create policy without id.')
  const { definitions } = call.management
  const misplaced = findMisplacedFields(policy.accessRights, (id) => definitions().find((api) => api.id === id))
  return misplaced === undefined ? undefined : failure(400, misplaced)
}

/** The folder of policies does not exist, or is a file. */
function isMissingFolder(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
