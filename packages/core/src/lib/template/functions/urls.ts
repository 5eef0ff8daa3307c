/** URLs as maps of their parts (RFC 3986 section 3). */
import { escapePath } from '../../text/escape-path.ts'
import { decodeStrictly } from '../../text/percent.ts'
import type { Budget } from '../budget.ts'
import { type FunctionTable, fixed, mapOf, onText, textOf } from '../function-table.ts'
import { TemplateError } from '../template-problem.ts'
import { type Mapping, memberOf } from '../value.ts'

const parts = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s

function urlParse(text: string): Map<string, unknown> {
  const [, scheme = '', authority, rest = '', query = '', fragment = ''] = parts.exec(text) ?? []
  const path = decodeStrictly(rest)
  const anchor = decodeStrictly(fragment)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression must find control characters
  if (path === undefined || anchor === undefined || /[\x00-\x1f\x7f]/.test(text)) {
    throw new TemplateError(`unable to parse URL: ${JSON.stringify(text)}`)
  }
  const isOpaque = scheme !== '' && authority === undefined && rest !== '' && !rest.startsWith('/')
  const [, userinfo = '', host = ''] = /^(?:(.*)@)?(.*)$/.exec(authority ?? '') ?? []
  return new Map<string, unknown>([
    ['scheme', scheme.toLowerCase()],
    ['host', host],
    ['hostname', host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1')],
    ['path', isOpaque ? '' : path],
    ['query', query],
    ['opaque', isOpaque ? rest : ''],
    ['fragment', anchor],
    ['userinfo', userinfo],
  ])
}

function urlJoin(map: Mapping, budget: Budget): string {
  const part = (name: string) => textOf(memberOf(map, name), budget)
  const [scheme, userinfo, host, query, fragment, opaque] = [
    'scheme',
    'userinfo',
    'host',
    'query',
    'fragment',
    'opaque',
  ].map(part)
  const authority = host === '' && userinfo === '' ? '' : `//${userinfo === '' ? '' : `${userinfo}@`}${host}`
  const path = escapePath(part('path'))
  // A path behind a host begins with a slash (RFC 3986 section 3.3).
  const separator = authority !== '' && path !== '' && !path.startsWith('/') ? '/' : ''
  return [
    scheme === '' ? '' : `${scheme}:`,
    opaque === '' ? `${authority}${separator}${path}` : opaque,
    query === '' ? '' : `?${query}`,
    fragment === '' ? '' : `#${escapePath(fragment ?? '')}`,
  ].join('')
}

export const urlFunctions: FunctionTable = {
  urlParse: onText(urlParse),
  urlJoin: fixed(1, ([map], budget) => urlJoin(mapOf(map), budget)),
}
