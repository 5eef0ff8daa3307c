/**
 * Recognises a JSON value that is stored or sent as a definition and is something else: an export of a dashboard, a resource of the
 * Kubernetes operator, a policy, the index of a sync repository. `turnpike import` converts most of them.
 */
import { isJson, type Json, listOf, memberOf } from '../lib/json.ts'

export type ForeignKind =
  | 'api-export'
  | 'document-export'
  | 'api-list'
  | 'resource'
  | 'policy'
  | 'policy-list'
  | 'sync-index'
  | 'asset'

export interface ForeignDocument {
  readonly kind: ForeignKind
  /** The member that contains the definition or document. */
  readonly member?: string
  /** What the value is, for messages: "is an export of a dashboard, …". */
  readonly reason: string
  /** What to send in a management call in place of the value. */
  readonly send: string
}

/** Returns what the value is; `undefined` for definitions, and for values that nothing identifies. */
export function foreignDocumentOf(value: unknown): ForeignDocument | undefined {
  if (!isJson(value) || 'proxy' in value || 'openapi' in value) return undefined
  const kind = kindOf(value)
  return kind === undefined ? undefined : { kind, ...texts[kind] }
}

function kindOf(value: Json): ForeignKind | undefined {
  if (isJson(value['api_definition'])) return 'api-export'
  if (isJson(value['oas']) && memberOf(value, 'oas', 'openapi') !== undefined) return 'document-export'
  if (typeof value['apiVersion'] === 'string' && typeof value['kind'] === 'string') return 'resource'
  if ('api_id' in value) return undefined
  if (Array.isArray(value['apis'])) return 'api-list'
  if (listOf(value['Data']).some(isPolicyLike)) return 'policy-list'
  if (Array.isArray(value['files']) && ['apidef', 'oas'].includes(String(value['type']))) return 'sync-index'
  if (isPolicyLike(value)) return 'policy'
  return typeof value['kind'] === 'string' && isJson(value['data']) ? 'asset' : undefined
}

const definitionMember = /"(?:api_id|proxy|x-[a-z][a-z0-9]*-api-gateway)"\s*:/

/** Whether a JSON text may be a definition or a document with an extension. YAML files without are of other programs. */
export function hasDefinitionMember(json: string): boolean {
  return definitionMember.test(json)
}

/** Whether a value has members that only policies have. */
export function isPolicyLike(value: unknown): boolean {
  return isJson(value) && ['access_rights', 'access_rights_array', 'quota_max'].some((name) => name in value)
}

const texts: Readonly<Record<ForeignKind, Omit<ForeignDocument, 'kind'>>> = {
  'api-export': {
    member: 'api_definition',
    reason: 'is an export of a dashboard, which contains the definition',
    send: 'send the value of "api_definition"',
  },
  'document-export': {
    member: 'oas',
    reason: 'is an export of a dashboard, which contains the OpenAPI document',
    send: 'send the value of "oas" to the endpoint of OpenAPI documents (/apis/oas)',
  },
  'api-list': {
    member: 'apis',
    reason: 'is a list of a dashboard, which contains the definitions',
    send: 'send each entry of "apis" on its own',
  },
  resource: {
    reason: 'is a resource of the Kubernetes operator',
    send: 'send a definition; turnpike import converts resources to definitions',
  },
  policy: {
    reason: 'is a policy, not a definition: it belongs in the folder of policies',
    send: 'send it to the endpoint of policies (/policies)',
  },
  'policy-list': {
    reason: 'is a list of policies, not a definition: policies belong in the folder of policies',
    send: 'send each entry of "Data" on its own to the endpoint of policies (/policies)',
  },
  'sync-index': {
    reason: 'is the index of a sync repository, not a definition',
    send: 'send the definitions of its files',
  },
  asset: { reason: 'is an asset of a dashboard, which has no use here', send: 'send a definition' },
}
