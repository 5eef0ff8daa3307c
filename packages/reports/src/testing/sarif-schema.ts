/**
 * A JSON Schema of the part of SARIF 2.1.0 that this package writes: required members and types as in the standard, and
 * no other members, so that a misspelt one fails a test. Source: docs.oasis-open.org/sarif/sarif/v2.1.0.
 */

const text = { type: 'string', minLength: 1 } as const
const message = object({ text }, ['text'])
const natural = { type: 'integer', minimum: 1 } as const

const physicalLocation = object(
  {
    artifactLocation: object({ uri: { ...text, pattern: '^[^\\s\\\\]+$' }, uriBaseId: text }, ['uri']),
    region: object({ startLine: natural, startColumn: natural }, ['startLine']),
  },
  ['artifactLocation'],
)

const result = object(
  {
    ruleId: text,
    ruleIndex: { type: 'integer', minimum: 0 },
    level: { enum: ['none', 'note', 'warning', 'error'] },
    message,
    locations: list(object({ physicalLocation }, ['physicalLocation'])),
    partialFingerprints: { type: 'object', additionalProperties: text },
  },
  ['message'],
)

const driver = object(
  {
    name: text,
    version: text,
    informationUri: text,
    rules: list(object({ id: text, shortDescription: message, helpUri: text }, ['id'])),
  },
  ['name'],
)

const run = object(
  {
    tool: object({ driver }, ['driver']),
    columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
    results: list(result),
  },
  ['tool'],
)

export const sarifSchema = object({ $schema: text, version: { const: '2.1.0' }, runs: list(run) }, ['version', 'runs'])

function object(properties: object, required: readonly string[]): object {
  return { type: 'object', properties, required, additionalProperties: false }
}

function list(items: object): object {
  return { type: 'array', items }
}
