/**
 * A `DefinitionSource` for definitions and policies of the calling program instead of files. The management API can
 * write to it. If definitions or policies are given as functions, each reload calls them.
 */
import { type DefinitionSource, pairSidecars, type SourceDocument } from '@turnpike/core/definition'
import type { DefinitionStore } from '@turnpike/mgmt-api'
import type { DefinitionDocument, PolicyDocument } from './document-types.ts'
import { checkDefinitionList } from './options/check-definition-list.ts'

export interface MemorySourceOptions {
  readonly definitions: readonly DefinitionDocument[] | (() => readonly DefinitionDocument[])
  readonly policies: Readonly<Record<string, PolicyDocument>> | (() => Readonly<Record<string, PolicyDocument>>)
}

/** Documents written by the management API override the given ones by id; `null` marks a removal. */
export function makeMemorySource({ definitions, policies }: MemorySourceOptions): DefinitionSource & DefinitionStore {
  const writtenDefinitions = new Map<string, string | null>()
  const writtenPolicies = new Map<string, string | null>()

  const definitionTexts = () => {
    const given = typeof definitions === 'function' ? definitions() : definitions
    if (typeof definitions === 'function') checkDefinitionList(given, 'definitions()')
    const texts = new Map(given.map((document, i) => [document.api_id || `definition-${i}`, JSON.stringify(document)]))
    return overlay(texts, writtenDefinitions)
  }
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
      return {
        definitions: pairSidecars(toDocuments(definitionTexts())),
        definitionsProblem: undefined,
        policies: { kind: 'folder', documents: toDocuments(policyTexts()), problem: undefined },
      }
    },
    readDefinition: async (id) => definitionTexts().get(id),
    async writeDefinition(id, text) {
      writtenDefinitions.set(id, text)
    },
    removeDefinition: async (id) => remove(definitionTexts(), writtenDefinitions, id),
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
