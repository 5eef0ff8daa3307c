/** Creates an API from a posted or imported document: version, id, files, base. Source: docs/reference/openapi-documents.md#document-checks. */
import {
  checkVersionParams,
  extensionOf,
  isSafeApiId,
  type Json,
  objectOf,
  readVersionParams,
  type SidecarKind,
  withExtension,
  withVersion,
} from '@turnpike/core'
import { findApi, invalidApiId } from '../apis/api-replies.ts'
import { refuseStages } from '../apis/refuse-stages.ts'
import { rewriteBase } from '../apis/write-definition.ts'
import { done, failure, type Reply } from '../http/reply.ts'
import { refuseIneffective, warningsOf } from '../http/warnings.ts'
import type { Call } from '../operation.ts'
import { deriveClassic } from './derive-classic.ts'
import { ineffectiveMembers } from './ineffective-members.ts'
import { writeDocument } from './write-document.ts'

/** Writes a checked document as a new API. */
export async function createDocument(call: Call, given: Json, kind: SidecarKind = 'oas'): Promise<Reply> {
  const params = readVersionParams((name) => call.query.get(name))
  const base = params.baseApiId === '' ? undefined : findApi(call, params.baseApiId)
  const unfit = checkVersionParams(params, base?.document.definition)
  if (unfit !== undefined) return failure(unfit.status, unfit.message)
  const derived = deriveClassic(call, given, kind)
  if (derived.refusal) return derived.refusal
  const ineffective = ineffectiveMembers(call, given, derived.value)
  const refused = refuseIneffective(call, ineffective) ?? (await refuseStages(call, derived.value, given))
  if (refused !== undefined) return refused
  const apiId = derived.value.apiId === '' ? call.management.ids.uuid() : derived.value.apiId
  if (!isSafeApiId(apiId)) return invalidApiId
  const refusal =
    (await writeDocument(call, withId(call, given, apiId), { ...derived.value, apiId })) ??
    (base && (await rewriteBase(call, base, (versions) => withVersion(versions, params, apiId))))
  return refusal ?? done(apiId, 'added', warningsOf(ineffective))
}

function withId(call: Call, document: Json, apiId: string): Json {
  const { vendor } = call.management.settings
  const extension = objectOf(extensionOf(document, vendor))
  return withExtension(document, vendor, { ...extension, info: { ...objectOf(extension['info']), id: apiId } })
}
