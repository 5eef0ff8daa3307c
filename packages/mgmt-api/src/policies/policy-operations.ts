/** Policies: /svc/policies. Changes write the file of a policy. Source: docs/reference/policies.md#policy-sources. */
import { findUnsupported, isPolicyLike, isSafeApiId, unsupportedInPolicies } from '@turnpike/core/definition'
import { isJson } from '@turnpike/core/lib'
import {
  findInvalidRights,
  isSafePolicyId,
  type Policy,
  policyIdOf,
  policyShape,
  toWirePolicy,
} from '@turnpike/core/session'
import { readBody, rejectForeign } from '../calls/read-body.ts'
import { rejectIneffective, warningsOf } from '../calls/warnings.ts'
import { failedWrite } from '../http/failed-write.ts'
import { done, failure, json, malformed, type Reply } from '../http/reply.ts'
import { type Call, doneResponse, type Operation, paramOf, type ResponseNote } from '../operation.ts'

/** Returns true if the id can be a file name. `allow_unsafe_policy_ids` allows more characters, but never a path. */
function isAllowedPolicyId(call: Call, id: string): boolean {
  return isSafePolicyId(id) || (call.management.options.unsafePolicyIds && isSafeApiId(id))
}

const policyResponse: ResponseNote = { description: 'The policy, with every field', schema: policyShape.schema }

const changeNote: Pick<Operation, 'description'> = {
  description: 'Writes a file of this node; takes effect at the next reload.',
}

/** Of calls that write: they are rejected while a dashboard manages the policies. */
const writeNote: Pick<Operation, 'description' | 'reject'> = {
  ...changeNote,
  reject({ management }) {
    if (!management.options.policiesByService) return undefined
    return failure(500, 'Due to enabled service policy source, please use the Dashboard API')
  },
}

export const listPolicies: Operation = {
  id: 'listPolicies',
  method: 'GET',
  path: '/svc/policies',
  summary: 'All policies in force',
  responses: {
    200: { description: 'Policies, order open', schema: { type: 'array', items: policyShape.schema } },
  },
  handle({ management }) {
    const { policies } = management.policies()
    return json(policies.map(toWirePolicy))
  },
}

export const getPolicy: Operation = {
  id: 'getPolicy',
  method: 'GET',
  path: '/svc/policies/{id}',
  summary: 'A policy in force',
  responses: { 200: policyResponse, 404: 'Policy not found' },
  handle(call) {
    const policy = call.management.policies().get(paramOf(call, 'id'))
    return policy === undefined ? failure(404, 'Policy not found') : json(toWirePolicy(policy))
  },
}

const shared = {
  ...writeNote,
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
  summary: 'Rejected: the path must name a policy',
  responses: { 400: 'Must specify an apiID to update' },
  handle: () => failure(400, 'Must specify an apiID to update'),
}

async function write(call: Call, action: 'added' | 'modified'): Promise<Reply> {
  const body = await readBody(call, policyShape, malformed, rejectList)
  if (body.rejection) return body.rejection
  // PUT compares `id` alone with the path.
  const policy = action === 'added' ? { ...body.value, id: policyIdOf(body.value) } : body.value
  const rejection = check(call, policy, action === 'modified' ? paramOf(call, 'id') : undefined)
  if (rejection !== undefined) return rejection
  const ineffective = [...body.unknown, ...findUnsupported(unsupportedInPolicies, policy)]
  const rejected = rejectIneffective(call, ineffective)
  if (rejected !== undefined) return rejected
  try {
    await call.management.files.writePolicy(policy.id, JSON.stringify(toWirePolicy(policy), null, 2))
  } catch (error) {
    call.management.log.error('a policy cannot be written', { policy: policy.id, reason: String(error) })
    return failedWrite(error, isMissingFolder(error) ? 'Unable to access policy storage.' : 'Failed to create file!')
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
  const invalid = findInvalidRights(policy.accessRights, (id) => definitions().find((api) => api.id === id))
  return invalid === undefined ? undefined : failure(400, invalid)
}

/** The folder of policies does not exist, or is a file. */
function isMissingFolder(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

export const deletePolicy: Operation = {
  ...writeNote,
  id: 'deletePolicy',
  method: 'DELETE',
  path: '/svc/policies/{id}',
  summary: 'Remove a policy',
  responses: { 200: doneResponse, 500: 'There is no such file, or it cannot be removed' },
  async handle(call) {
    const id = paramOf(call, 'id')
    const { files, log } = call.management
    try {
      const removed = isAllowedPolicyId(call, id) && (await files.removePolicy(id))
      return removed ? done(id, 'deleted') : failure(500, 'Delete failed')
    } catch (error) {
      log.error('a policy cannot be removed', { policy: id, reason: String(error) })
      return failedWrite(error, 'Delete failed')
    }
  },
}

export const deleteNoPolicy: Operation = {
  ...changeNote,
  id: 'deleteUnnamedPolicy',
  method: 'DELETE',
  path: '/svc/policies',
  summary: 'Rejected: the path must name a policy',
  responses: { 400: 'Must specify an apiID to delete' },
  handle: () => failure(400, 'Must specify an apiID to delete'),
}

/** A list of a dashboard; other values are read as a policy. */
function rejectList(value: unknown): Reply | undefined {
  if (Array.isArray(value) || (isJson(value) && Array.isArray(value['Data']))) return rejectForeign(value)
  if (!isJson(value) || 'id' in value || isPolicyLike(value)) return undefined
  const members: unknown[] = Object.values(value)
  const inner = members.flatMap((member): unknown[] => (isJson(member) ? Object.values(member) : []))
  if (![...members, ...inner].some(isPolicyLike)) return undefined
  return failure(400, 'the body contains policies by their ids; send each of them on its own, with its "id"')
}
