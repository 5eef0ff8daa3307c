/**
 * Takes the credential off what the upstream sees: header and cookie always, the parameter where it is read.
 * Source: spec/sessions-and-limits.md 7.3.
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { AuthMode } from '../../definition/auth-modes/auth-mode.ts'
import { authModeOf } from '../../definition/auth-modes/auth-modes.ts'
import { type AuthConfig, authConfigShape } from '../../definition/classic.ts'
import { removeHeader, setHeader } from '../../http/headers.ts'
import { nameOfField } from '../../lib/form.ts'
import type { MakeStage } from '../contract/stage.ts'

export const makeStripAuthData: MakeStage = ({ api }) => {
  if (!api.stripAuthData || api.authModes.length === 0) return null
  const used = configsOf(api)
  const nameOf = (config: AuthConfig) => config.authHeaderName || 'Authorization'
  const headers = new Set(used.map((config) => nameOf(config).toLowerCase()))
  const cookies = new Set(used.map((config) => config.cookieName || nameOf(config)))
  const params = new Set(used.filter((config) => config.useParam).map((config) => config.paramName || nameOf(config)))

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

/** Every place where the API's modes look, and those that its document names for other modes, as recorded. */
function configsOf({ document, authModes }: ApiDefinition): readonly AuthConfig[] {
  const named = Object.values(document.authConfigs ?? {})
  const configs = named.length > 0 ? named : [document.auth]
  const fallsBack = (name: AuthMode) => {
    const { configName, fallback } = authModeOf(name)
    return fallback === 'Authorization' && document.authConfigs?.[configName] === undefined
  }
  // These modes never look into the old `auth` object: without a config of their own they read `Authorization`.
  return authModes.some(fallsBack) ? [...configs, authConfigShape.zero()] : configs
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
    .map((pair) => ({ pair, name: nameOfField(pair) }))
    .filter((part) => part.name !== name && part.pair !== '')
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map((part) => part.pair)
    .join('&')
}
