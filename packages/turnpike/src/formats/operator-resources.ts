/** Resources of the Kubernetes operator (`apiVersion: tyk.tyk.io/v1alpha1`) as definitions, documents and policies. */
import { isJson, type Json, listOf, memberOf, objectOf, textOf } from '@turnpike/core/lib'
import type { Found } from './found.ts'
import { withoutState } from './read-policies.ts'
import { valuesOfText } from './values-of-text.ts'
import { idOfDocument, withId } from './vendor-word.ts'

export interface SourcedValue {
  readonly value: unknown
  /** The file. */
  readonly source: string
}

interface Resource extends SourcedValue {
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly spec: Json
  readonly data: Json
}

/** Kinds of the operator without a use here. */
const unsupportedKinds: ReadonlySet<string> = new Set([
  'OperatorContext',
  'APIDescription',
  'PortalAPICatalogue',
  'PortalConfig',
  'SubGraph',
  'SuperGraph',
  'TykStreamsApiDefinition',
  'Ingress',
])

/** Members of `spec` that only the operator acts on. */
const operatorMembers = ['certificate_secret_names', 'upstream_certificate_refs', 'contextRef', 'template'] as const

/** Reads all resources together: policies name APIs, and documents are in maps of their own. */
export function readResources(values: readonly SourcedValue[], found: Found): void {
  const resources = values.flatMap(resourcesOf)
  const documents = new Map(resources.filter(({ kind }) => kind === 'ConfigMap').map((one) => [nameOf(one), one]))
  const ids = new Map<string, string>()
  for (const resource of resources) {
    const id = addApi(resource, documents, found)
    if (id !== undefined) ids.set(nameOf(resource), id)
  }
  for (const resource of resources) if (resource.kind === 'SecurityPolicy') addPolicy(resource, ids, found)
  const others = resources.filter(({ kind }) => unsupportedKinds.has(kind))
  for (const { kind, name, source } of others) {
    found.leftOut.push({ source, reason: `the resource ${kind} "${name}" is not supported` })
  }
}

function resourcesOf({ value, source }: SourcedValue): Resource[] {
  if (!isJson(value)) return []
  if (value['kind'] === 'List') return listOf(value['items']).flatMap((item) => resourcesOf({ value: item, source }))
  const name = textOf(memberOf(value, 'metadata', 'name'))
  const namespace = textOf(memberOf(value, 'metadata', 'namespace')) || 'default'
  const { spec, data } = value
  return [{ value, source, kind: textOf(value['kind']), name, namespace, spec: objectOf(spec), data: objectOf(data) }]
}

const nameOf = ({ namespace, name }: Pick<Resource, 'namespace' | 'name'>): string => `${namespace}/${name}`

/** The id that the operator gives to a resource without one. */
function operatorId(name: string): string {
  return Buffer.from(name).toString('base64url')
}

/** Adds the API of a resource. Returns its id. */
function addApi(resource: Resource, documents: ReadonlyMap<string, Resource>, found: Found): string | undefined {
  if (resource.kind === 'ApiDefinition') return addDefinition(resource, found)
  if (resource.kind === 'TykOasApiDefinition') return addDocument(resource, documents, found)
  return undefined
}

function addDefinition({ spec, source, ...resource }: Resource, found: Found): string | undefined {
  if (spec['template'] === true) {
    found.leftOut.push({ source, reason: `the ApiDefinition "${resource.name}" is a template for Ingress resources` })
    return undefined
  }
  for (const member of operatorMembers) {
    if (spec[member] === undefined) continue
    found.leftOut.push({ source, reason: `${member} of the ApiDefinition "${resource.name}" is for the operator only` })
  }
  const known = Object.entries(spec).filter(([name]) => !operatorMembers.some((member) => member === name))
  const id = textOf(spec['api_id']) || operatorId(nameOf(resource))
  const value = {
    name: resource.name,
    ...Object.fromEntries(known),
    api_id: id,
    version_data: isJson(spec['version_data']) ? spec['version_data'] : oneVersion,
  }
  found.apis.push({ source, id, kind: 'definition', value })
  return id
}

const oneVersion: Json = { not_versioned: true, versions: { Default: { name: 'Default' } } }

function addDocument(
  { spec, source, ...resource }: Resource,
  documents: ReadonlyMap<string, Resource>,
  found: Found,
): string | undefined {
  const reference = objectOf(memberOf(spec, 'tykOAS', 'configmapRef'))
  const namespace = textOf(reference['namespace']) || resource.namespace
  const place = nameOf({ namespace, name: textOf(reference['name']) })
  const key = textOf(reference['keyName'])
  const text = textOf(documents.get(place)?.data[key])
  const leave = (reason: string) => {
    found.leftOut.push({ source, reason: `the TykOasApiDefinition "${resource.name}" ${reason}` })
    return undefined
  }
  if (text === '') return leave(`names the document ${key} of the ConfigMap ${place}, which no file contains`)
  const read = valuesOfText(text, key)
  const document = read.problem === undefined ? read.values[0] : undefined
  if (!isJson(document)) return leave(`has a document that cannot be read: ${read.problem ?? 'it is not an object'}`)
  const id = idOfDocument(document) || operatorId(nameOf(resource))
  found.apis.push({ source, id, kind: 'document', value: withId(document, id) })
  return id
}

function addPolicy({ spec, source, ...resource }: Resource, ids: ReadonlyMap<string, string>, found: Found): void {
  const { access_rights_array: list, contextRef, ...rest } = withoutState(spec)
  if (contextRef !== undefined) {
    found.leftOut.push({
      source,
      reason: `contextRef of the SecurityPolicy "${resource.name}" is for the operator only`,
    })
  }
  const id = textOf(spec['id']) || textOf(spec['_id']) || operatorId(nameOf(resource))
  const rights = listOf(list)
    .filter(isJson)
    .map(({ name, namespace, kind: _, ...right }): [string, Json] => {
      const place = nameOf({ namespace: textOf(namespace) || resource.namespace, name: textOf(name) })
      const apiId = textOf(right['api_id']) || (ids.get(place) ?? operatorId(place))
      return [apiId, { ...right, api_id: apiId, api_name: textOf(name), versions: right['versions'] ?? ['Default'] }]
    })
  const access_rights = { ...objectOf(spec['access_rights']), ...Object.fromEntries(rights) }
  found.policies.push({ source, id, value: { name: resource.name, ...rest, id, access_rights } })
}
