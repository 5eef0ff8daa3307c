/** The names of this folder that other packages import, as `@turnpike/core/lib`. */
export { isSecret, sameText } from './constant-time.ts'
export { decodeFieldStrictly, encodeField, type FormPairs, formPairs, formType, isFormType } from './form.ts'
export { loadGraphql } from './graphql/load-graphql.ts'
export {
  type HashFunction,
  hashKeyName,
  hashText,
  invertibleHashWarning,
  looksLikeMurmurHash,
} from './hash/hash-key-name.ts'
export { isPublicAddress, makeAddressSet, parseIpAddress } from './ip-address.ts'
export { isJson, type Json, listOf, memberOf, objectOf, parseJsonObject, textOf } from './json.ts'
export { isPromise, type Maybe, when } from './maybe.ts'
export type { ScriptProblem, ScriptSource } from './script-source.ts'
export type { SecretLookup } from './secret-lookup.ts'
export { printJsonPath } from './shape/json-path.ts'
export { locateJson } from './shape/locate-json.ts'
export {
  anything,
  boolean,
  described,
  type Field,
  field,
  integer,
  type JsonPath,
  type JsonSchema,
  list,
  map,
  nearestName,
  number,
  type ObjectOf,
  type ObjectShape,
  type Of,
  object,
  oneOf,
  optional,
  type Problem,
  readShape,
  type Shape,
  text,
  withDefault,
  wrongType,
} from './shape/shape.ts'
export { eachText } from './shape/texts-in.ts'
export { isNothing } from './shape/unknown-value.ts'
export { parseTemplate as parseTextTemplate, type Template as TextTemplate } from './template/template.ts'
export { decodeBase64, encodeBase64 } from './text/base64.ts'
export { dashedUuid } from './text/dashed-uuid.ts'
export { escapeHtml } from './text/escape-markup.ts'
export { fieldValueOf } from './text/field-values.ts'
export { nestsDeeperThan } from './text/json-depth.ts'
export { decodePercent, hasBrokenEscape } from './text/percent.ts'
export { jsonLimitProblem, readJson } from './text/read-json.ts'
export { formatRfc3339, type Millis, monthNames, unixSeconds } from './text/time.ts'
export { strictUtf8Text, utf8Bytes, utf8Text } from './text/utf8.ts'
export { vendorForms } from './vendor.ts'
