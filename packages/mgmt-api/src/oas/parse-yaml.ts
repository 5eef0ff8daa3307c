/** Parses a document in YAML. */
import { type Alias, type Document, isAlias, type Node, parseDocument, visit } from 'yaml'
import { parseJson } from '../http/parse-json.ts'

export type ParsedText =
  | { readonly value: unknown; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: string }

/** Maximum length of the document after its aliases were replaced by what they name. */
const maxExpandedLength = 1024 * 1024

/** Converts YAML to JSON and parses that, so that the same limits apply to both. */
export function parseYaml(text: string): ParsedText {
  try {
    const written = parseDocument(text, { logLevel: 'error' })
    const [error] = written.errors
    if (error !== undefined) return { problem: error.message.trimEnd() }
    if (expandedLength(written) > maxExpandedLength) return { problem: 'has aliases that make it too long' }
    const parsed = parseJson(JSON.stringify(written.toJS({ maxAliasCount: 100 })) ?? '')
    return parsed ?? { problem: 'is nested too deep' }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

/** An upper bound of the document's length with aliases replaced. Each alias counts the source of the node it names. */
function expandedLength(document: Document): number {
  let length = 0
  visit(document, {
    Node(_, node) {
      if (!isAlias(node)) {
        if ('value' in node) length += sourceLength(node)
        return undefined
      }
      const named = (node as Alias).resolve(document)
      length += named === undefined ? 0 : sourceLength(named)
      // Aliases inside the named node expand again.
      if (named !== undefined && containsAlias(named)) length = Number.POSITIVE_INFINITY
      return length > maxExpandedLength ? visit.BREAK : undefined
    },
  })
  return length
}

function sourceLength({ range }: Pick<Node, 'range'>): number {
  return range ? range[1] - range[0] : 0
}

function containsAlias(node: Node): boolean {
  let found = false
  visit(node, {
    Alias() {
      found = true
      return visit.BREAK
    },
  })
  return found
}
