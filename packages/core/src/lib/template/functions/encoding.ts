/** JSON, XML, base64 and base32. */

import { decodeBase32, encodeBase32 } from '../../text/base32.ts'
import { decodeBase64, encodeBase64 } from '../../text/base64.ts'
import { readExactJson } from '../../text/read-json.ts'
import { utf8Bytes, utf8Text } from '../../text/utf8.ts'
import { type FunctionTable, fixed, onText } from '../function-table.ts'
import { changedByTemplates } from '../print.ts'
import { TemplateError } from '../template-problem.ts'
import { writeJson } from '../write-json.ts'
import { writeXml } from '../write-xml.ts'

const toJson = fixed(1, ([value], budget) => writeJson(value, budget))
const toPrettyJson = fixed(1, ([value], budget) => writeJson(value, budget, { indent: '  ' }))

const toRawJson = fixed(1, ([value], budget) => writeJson(value, budget, { raw: true }))

const fromJson = onText((text) => {
  const read = readExactJson(utf8Bytes(text), changedByTemplates)
  if (read.problem !== undefined) throw new TemplateError(`not JSON: ${read.problem}`)
  return read.value
})

export const encodingFunctions: FunctionTable = {
  jsonMarshal: toJson,
  toJson,
  mustToJson: toJson,
  toPrettyJson,
  mustToPrettyJson: toPrettyJson,
  toRawJson,
  mustToRawJson: toRawJson,
  fromJson,
  mustFromJson: fromJson,
  xmlMarshal: fixed(1, ([value], budget) => writeXml(value, budget)),
  b64enc: onText((text) => encodeBase64(utf8Bytes(text))),
  b64dec: onText((text) => {
    const bytes = decodeBase64(text.replace(/[\r\n]/g, ''))
    return bytes === undefined ? 'illegal base64 data' : utf8Text(bytes)
  }),
  b32enc: onText((text) => encodeBase32(utf8Bytes(text))),
  b32dec: onText((text) => {
    const bytes = decodeBase32(text.replace(/[\r\n]/g, ''))
    return bytes === undefined ? 'illegal base32 data' : utf8Text(bytes)
  }),
}
