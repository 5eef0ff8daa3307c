/**
 * Variables of JSON web tokens and ID tokens: `jwt_claims_<name>` for the members of the header and for the claims
 * (docs/reference/transforms.md#variables). They are read from the text of the token, where numbers have all digits.
 */
import { encodeField } from '../../lib/form.ts'
import { isJson } from '../../lib/json.ts'
import { changedByTemplates } from '../../lib/template/print.ts'
import { decodeBase64 } from '../../lib/text/base64.ts'
import { JsonNumber, parseExactly } from '../../lib/text/json-number.ts'
import { utf8Text } from '../../lib/text/utf8.ts'

/** Members of the header, then claims: a claim replaces a member of the header with the same name. */
export function claimsOfToken(token: string): ReadonlyMap<string, unknown> {
  const [header = '', claims = ''] = token.split('.', 2)
  return new Map([...membersOf(header), ...membersOf(claims)])
}

function membersOf(part: string): [string, unknown][] {
  const base64 = part.replaceAll('-', '+').replaceAll('_', '/')
  const bytes = decodeBase64(base64.padEnd(Math.ceil(base64.length / 4) * 4, '='))
  if (bytes === undefined) return []
  // The verifier has parsed the token, so it is valid and nested no deeper than bodies may be.
  const value = parseExactly(utf8Text(bytes), changedByTemplates)
  return isJson(value) ? Object.entries(value) : []
}

/** A claim as text: a list is its texts and numbers, escaped and joined by commas; other types are empty. */
export function claimText(value: unknown): string {
  if (!Array.isArray(value)) return plainText(value)
  return value
    .map((item: unknown) => encodeField(plainText(item)))
    .filter((item) => item !== '')
    .join(',')
}

function plainText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return withoutExponent(String(value))
  return value instanceof JsonNumber ? withoutExponent(value.text) : ''
}

function withoutExponent(text: string): string {
  const value = Number(text)
  if (!/e/i.test(text) || !Number.isFinite(value)) return text
  if (Number.isInteger(value)) return BigInt(value).toString()
  const [, sign = '', digits = '', fraction = '', places = ''] =
    /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(value.toExponential()) ?? []
  return places === '' ? String(value) : `${sign}0.${'0'.repeat(Number(places) - 1)}${digits}${fraction}`
}
