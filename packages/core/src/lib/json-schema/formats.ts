/**
 * The values of `format` that are checked. docs/decisions/0018-json-libraries.md explains why ajv-formats is not used.
 */
import { parseIpAddress } from '../ip-address.ts'
import { compileRe2 } from '../regex/re2.ts'

const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/
const timePattern = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?$/i
const hostPattern = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i

export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: (text) => timePattern.test(text),
  'date-time'(text) {
    const at = text.search(/[Tt ]/)
    return at > 0 && isDate(text.slice(0, at)) && timePattern.test(text.slice(at + 1))
  },
  email: (text) => /^[^\s@<>]+@[^\s@<>]+$/.test(text),
  hostname: (text) => hostPattern.test(text),
  ipv4: (text) => !text.includes(':') && parseIpAddress(text) !== undefined,
  ipv6: (text) => text.includes(':') && parseIpAddress(text) !== undefined,
  uri: (text) => /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i.test(text),
  'uri-reference': (text) => /^[^\s<>"{}|\\^`]*$/.test(text),
  uuid: (text) => /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text),
  regex: (text) => compileRe2(text).problem === undefined,
  'json-pointer': (text) => /^(\/([^~/]|~[01])*)*$/.test(text),
}

const monthLengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isDate(text: string): boolean {
  const match = datePattern.exec(text)
  if (match === null) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return day >= 1 && day <= (monthLengths[month - 1] ?? 0) && (month !== 2 || day < 29 || isLeap)
}
