/** OpenAPI documents in bodies: JSON or YAML, checked. Source: docs/reference/openapi-documents.md#document-checks. */
import { isJson, type Json } from '@turnpike/core'
import { type Alias, type Document, isAlias, type Node, parseDocument, visit } from 'yaml'
import { parseJson } from '../http/parse-json.ts'
import { readText } from '../http/read-body.ts'
import { failure, type Reply } from '../http/reply.ts'
import type { Call } from '../operation.ts'
import { hasOpenApiShape } from './open-api-shape.ts'

export type ReadDocument = { readonly value: Json; readonly refusal?: undefined } | { readonly refusal: Reply }

/**
 * Parses the document of a body; an empty body is an empty document. `check` returns what is wrong with the document or
 * its text.
 */
export async function readDocument(
  call: Call,
  check: (document: Json, text: string) => Promise<string | undefined>,
): Promise<ReadDocument> {
  const text = await readText(call.request, call.management.options.maxBodyBytes)
  if (text === undefined) return { refusal: failure(413, 'Request Entity Too Large') }
  const document = text.trim() === '' ? {} : parseText(text)
  if (!isJson(document) || !hasOpenApiShape(document)) return { refusal: failure(400, 'request malformed') }
  const wrong = await check(document, text)
  return wrong === undefined ? { value: document } : { refusal: failure(400, wrong) }
}

/** Longer documents in YAML are rejected: the parser needs 0.5 µs a byte and more. JSON has the limit of all bodies. */
const maxYamlLength = 256 * 1024
/** Maximum length of the document after its aliases were replaced by what they name. */
const maxExpandedLength = 1024 * 1024

/** Converts YAML to JSON first, so that the same limits apply to both. */
function parseText(text: string): unknown {
  const json = parseJson(text)
  if (json !== undefined) return json.value
  if (text.length > maxYamlLength) return undefined
  try {
    const written = parseDocument(text, { logLevel: 'error' })
    if (written.errors.length > 0 || expandedLength(written) > maxExpandedLength) return undefined
    return parseJson(JSON.stringify(written.toJS({ maxAliasCount: 100 })) ?? '')?.value
  } catch {
    return undefined
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
