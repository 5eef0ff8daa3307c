/**
 * The findings of `turnpike check` about request validation: what `validateRequest` does not check in the parameters and
 * bodies of its operations, and what it rejects because it cannot read it (docs/reference/openapi-validation.md).
 */

import { isJson, isOn, type Json, listOf, memberOf, objectOf, textOf } from '../../lib/json.ts'
import { compileRe2 } from '../../lib/regex/re2.ts'
import type { JsonPath } from '../../lib/shape/shape.ts'
import type { FindingValues, Report } from '../findings/finding.ts'
import type { FindingId } from '../findings/finding-rules.ts'
import { discriminatedBy } from '../openapi/discriminator.ts'
import { extensionOf } from '../openapi/extension.ts'
import { baseTypeOf, bodyKindOf } from '../openapi/media-types.ts'
import { deref, operationMethods } from '../openapi/operations.ts'
import { checkedFormats, checkedPartOf, isVersion31, uncheckedKeywords } from '../openapi/schema-keywords.ts'

/** Reports each mistake once, at its first place. Returns the references whose targets are missing. */
export function lintValidation(document: Json, vendor: string, report: Report): ReadonlySet<string> {
  const operations = objectOf(memberOf(extensionOf(document, vendor), 'middleware', 'operations'))
  const walk = new ValidationWalk(document, report)
  for (const [path, given] of Object.entries(objectOf(document['paths']))) {
    const item = walk.follow(['paths', path], given)
    for (const method of operationMethods) {
      const operation = memberOf(item.value, method)
      const id = textOf(memberOf(operation, 'operationId'))
      if (!isJson(operation) || id === '' || !isOn(memberOf(operations[id], 'validateRequest'))) continue
      walk.parameters([...item.path, 'parameters'], objectOf(item.value)['parameters'])
      walk.parameters([...item.path, method, 'parameters'], operation['parameters'])
      walk.body([...item.path, method, 'requestBody'], operation['requestBody'])
    }
  }
  return walk.missing
}

interface Located {
  readonly path: JsonPath
  readonly value: unknown
}

/** Members of a schema that contain schemas: one, a list, or an object of them. */
const singleSchemas = ['items', 'additionalItems', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains']
const schemaLists = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const schemaMaps = ['properties', 'patternProperties', 'dependentSchemas']

/** Headers that OpenAPI describes in other places than parameters (OpenAPI 3.0.4, 4.7.12.1). */
const ignoredHeaders = ['accept', 'content-type', 'authorization']

class ValidationWalk {
  readonly missing = new Set<string>()
  readonly #document: Json
  readonly #report: Report
  readonly #is31: boolean
  readonly #seen = new Set<unknown>()
  readonly #reported = new Set<string>()

  constructor(document: Json, report: Report) {
    this.#document = document
    this.#report = report
    this.#is31 = isVersion31(document)
  }

  /** Follows a reference to the place of its target. */
  follow(path: JsonPath, value: unknown): Located {
    const reference = isJson(value) ? value['$ref'] : undefined
    if (typeof reference !== 'string') return { path, value }
    const target = deref(this.#document, value)
    if (target === undefined) {
      this.missing.add(reference)
      this.#once('missing-reference', path, { reference })
    }
    return { path: reference.startsWith('#/') ? tokensOf(reference) : path, value: target }
  }

  #once<Id extends FindingId>(id: Id, path: JsonPath, ...values: FindingValues<Id>): void {
    const finding = JSON.stringify([id, ...values])
    if (this.#reported.has(finding)) return
    this.#reported.add(finding)
    this.#report(id, path, ...values)
  }

  parameters(path: JsonPath, list: unknown): void {
    for (const [i, given] of listOf(list).entries()) {
      const { path: at, value } = this.follow([...path, i], given)
      if (!isJson(value) || this.#seen.has(value)) continue
      this.#seen.add(value)
      const name = textOf(value['name'])
      if (value['in'] === 'header' && ignoredHeaders.includes(name.toLowerCase())) {
        this.#once('ignored-header-parameter', at, { name })
      }
      const content = Object.entries(objectOf(value['content']))
      if (value['schema'] === undefined && content.length === 0) {
        this.#once('parameter-without-schema', at, { name })
      }
      this.schema([...at, 'schema'], value['schema'])
      for (const [type, media] of content) this.#media([...at, 'content', type], type, media)
    }
  }

  body(path: JsonPath, given: unknown): void {
    const { path: at, value } = this.follow(path, given)
    for (const [type, media] of Object.entries(objectOf(memberOf(value, 'content')))) {
      this.#media([...at, 'content', type], type, media)
    }
  }

  #media(path: JsonPath, type: string, given: unknown): void {
    const { path: at, value } = this.follow(path, given)
    const schema = memberOf(value, 'schema')
    if (schema === undefined) {
      this.#once('body-without-schema', at, { type })
      return
    }
    const isRange = type.includes('*')
    if (!isRange && bodyKindOf(baseTypeOf(type), schema, this.#document) === undefined) {
      this.#once('unreadable-body', at, { type })
    }
    for (const [name, encoding] of Object.entries(objectOf(memberOf(value, 'encoding')))) {
      if (memberOf(encoding, 'headers') === undefined) continue
      this.#once('part-headers-unchecked', [...at, 'encoding', name, 'headers'])
    }
    this.schema([...at, 'schema'], schema)
  }

  schema(path: JsonPath, given: unknown): void {
    if (!isJson(given) || this.#seen.has(given)) return
    this.#seen.add(given)
    if (typeof given['$ref'] === 'string') this.#reference(path, given)
    else this.#keywords(path, given)
    if (typeof given['$ref'] === 'string' && !this.#is31) return
    for (const name of singleSchemas) this.schema([...path, name], given[name])
    for (const name of schemaLists) {
      for (const [i, one] of listOf(given[name]).entries()) this.schema([...path, name, i], one)
    }
    for (const name of schemaMaps) {
      for (const [key, one] of Object.entries(objectOf(given[name]))) this.schema([...path, name, key], one)
    }
  }

  #reference(path: JsonPath, given: Json): void {
    const beside = Object.keys(checkedPartOf({ ...given, $ref: undefined }, true)).filter((name) => name !== '$ref')
    if (beside.length > 0 && !this.#is31) {
      this.#once('keywords-beside-reference', path, { names: beside.join(', ') })
    }
    const { path: at, value } = this.follow(path, given)
    this.schema(at, value)
  }

  #keywords(path: JsonPath, schema: Json): void {
    for (const name of uncheckedKeywords) {
      if (schema[name] !== undefined) this.#once('unchecked-keyword', [...path, name], { name })
    }
    const { format, pattern } = schema
    if (typeof format === 'string' && !checkedFormats.has(format)) {
      this.#once('unchecked-format', [...path, 'format'], { format })
    }
    const problem = typeof pattern === 'string' ? compileRe2(pattern).problem : undefined
    if (problem !== undefined) {
      this.#once('invalid-value-pattern', [...path, 'pattern'], { pattern: String(pattern), problem })
    }
    if (schema['discriminator'] !== undefined && discriminatedBy(schema, this.#document) === undefined) {
      this.#once('discriminator-without-effect', [...path, 'discriminator'])
    }
  }
}

function tokensOf(reference: string): JsonPath {
  return reference
    .slice(2)
    .split('/')
    .map((token) => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~'))
}
