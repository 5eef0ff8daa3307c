/**
 * A `DefinitionSource` for definitions and policies of the calling program instead of files. The management API can
 * write to it. If definitions or policies are given as functions, each reload calls them.
 */
import { type DefinitionSource, pairSidecars, type SourceDocument, sidecarNameOf } from '@turnpike/core/definition'
import type { Json } from '@turnpike/core/lib'
import type { DefinitionStore } from '@turnpike/mgmt-api'
import type { DefinitionDocument, PolicyDocument } from './document-types.ts'
import { checkDefinitionList } from './options/check-definition-list.ts'

/** A definition whose document is parsed already. It stays as it is until the management API writes it. */
export interface DefinitionWithSidecar {
  readonly id: string
  readonly definition: Json
  readonly document: Json
}

export interface MemorySourceOptions {
  readonly definitions: readonly DefinitionDocument[] | (() => readonly DefinitionDocument[])
  readonly policies: Readonly<Record<string, PolicyDocument>> | (() => Readonly<Record<string, PolicyDocument>>)
  readonly served?: DefinitionWithSidecar | undefined
}

/** Documents written by the management API override the given ones by id; `null` marks a removal. */
export function makeMemorySource(options: MemorySourceOptions): DefinitionSource & DefinitionStore {
  const { definitions, policies, served } = options
  const writtenDefinitions = new Map<string, string | null>()
  const writtenPolicies = new Map<string, string | null>()

  const definitionTexts = () => {
    const given = typeof definitions === 'function' ? definitions() : definitions
    if (typeof definitions === 'function') checkDefinitionList(given, 'definitions()')
    const texts = new Map(given.map((document, i) => [document.api_id || `definition-${i}`, JSON.stringify(document)]))
    if (served !== undefined) texts.set(served.id, JSON.stringify(served.definition))
    return overlay(texts, writtenDefinitions)
  }
  const sidecarId = served && sidecarNameOf(served.id)
  /** The document of `served` until it is written or removed. */
  const parsedSidecar = (id: string | undefined) =>
    id === undefined || id !== sidecarId || writtenDefinitions.has(id) ? undefined : served?.document
  const policyTexts = () => {
    const given = typeof policies === 'function' ? policies() : policies
    const texts = new Map(Object.entries(given).map(([id, policy]) => [id, JSON.stringify({ ...policy, id })]))
    return overlay(texts, writtenPolicies)
  }
  const remove = (texts: ReadonlyMap<string, string>, written: Map<string, string | null>, id: string) => {
    const known = texts.has(id)
    if (known) written.set(id, null)
    return known
  }

  return {
    async read() {
      const value = parsedSidecar(sidecarId)
      const parsed = value && { name: `${sidecarId}.json`, hash: 'given', text: undefined, value, problem: undefined }
      return {
        definitions: pairSidecars([...toDocuments(definitionTexts()), ...(parsed ? [parsed] : [])]),
        definitionsProblem: undefined,
        policies: { kind: 'folder', documents: toDocuments(policyTexts()), problem: undefined },
      }
    },
    async readDefinition(id) {
      const document = parsedSidecar(id)
      return document === undefined ? definitionTexts().get(id) : JSON.stringify(document)
    },
    async writeDefinition(id, text) {
      writtenDefinitions.set(id, text)
    },
    async removeDefinition(id) {
      if (parsedSidecar(id) === undefined) return remove(definitionTexts(), writtenDefinitions, id)
      writtenDefinitions.set(id, null)
      return true
    },
    async writePolicy(id, text) {
      writtenPolicies.set(id, text)
    },
    removePolicy: async (id) => remove(policyTexts(), writtenPolicies, id),
  }
}

function overlay(texts: Map<string, string>, written: ReadonlyMap<string, string | null>): Map<string, string> {
  for (const [id, text] of written) {
    if (text === null) texts.delete(id)
    else texts.set(id, text)
  }
  return texts
}

/** Uses the text as its own hash, since comparing it is cheap and there is no file to read. */
function toDocuments(texts: ReadonlyMap<string, string>): SourceDocument[] {
  return [...texts].map(([id, text]) => ({ name: `${id}.json`, hash: text, text, problem: undefined }))
}
