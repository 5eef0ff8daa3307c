/**
 * Takes the credential off what the upstream sees: header and cookie always, the parameter where it is read.
 * Source: spec/sessions-and-limits.md 7.3.
 */
import { removeHeader, setHeader } from '../../http.ts'
import type { MakeStage } from '../stage.ts'
import { decodeQueryPart } from './credential.ts'

export const makeStripAuthData: MakeStage = ({ api }) => {
  if (!api.stripAuthData || api.authModes.length === 0) return null
  const configs = Object.values(api.document.authConfigs ?? {})
  const used = configs.length > 0 ? configs : [api.document.auth]
  const headers = used.map((config) => (config.authHeaderName || 'Authorization').toLowerCase())
  const cookies = used.map((config) => config.cookieName || config.authHeaderName || 'Authorization')
  const params = used
    .filter((config) => config.useParam)
    .map((config) => config.paramName || config.authHeaderName || 'Authorization')

  return {
    name: 'strip-auth-data',
    phase: '2-identify',
    run(context) {
      if (context.ignored) return undefined
      const own = context.outgoing.ownHeaders()
      for (const name of headers) removeHeader(own, name)
      for (const name of cookies) stripCookie(own, name)
      for (const name of params) context.outgoing.query = stripParameter(context.outgoing.query, name)
      return undefined
    },
  }
}

/** The first cookie whose name begins with the name goes, as recorded. */
function stripCookie(headers: string[], name: string): void {
  for (let i = 0; i < headers.length; i += 2) {
    if (headers[i] !== 'cookie') continue
    const pairs = (headers[i + 1] as string).split(';')
    const at = pairs.findIndex((pair) => pair.trimStart().startsWith(name))
    if (at === -1) continue
    pairs.splice(at, 1)
    const left = pairs.map((pair) => pair.trim()).join('; ')
    if (left === '') removeHeader(headers, 'cookie')
    else setHeader(headers, 'cookie', left)
    return
  }
}

/** What is left is sorted by name; values of one name keep their order. A query without the parameter is sorted too. */
function stripParameter(query: string, name: string): string {
  if (query === '') return query
  return query
    .split('&')
    .map((pair) => ({ pair, name: decodeQueryPart(pair.split('=', 1)[0] as string) }))
    .filter((part) => part.name !== name && part.pair !== '')
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map((part) => part.pair)
    .join('&')
}
