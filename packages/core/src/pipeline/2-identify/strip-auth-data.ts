/**
 * Removes the credential from the request to the upstream: header and cookie always, the parameter if the API reads it
 * (docs/reference/request-checks.md#key-location).
 */
import type { ApiDefinition, AuthMode } from '../../definition/api-definition.ts'
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

/** The places of all authentication modes in the definition, also of modes that are off, as recorded. */
function configsOf({ document, authModes }: ApiDefinition): readonly AuthConfig[] {
  const named = Object.values(document.authConfigs ?? {})
  const configs = named.length > 0 ? named : [document.auth]
  const fallsBack = (name: AuthMode) => {
    const { configName, fallback } = authModeOf(name)
    return fallback === 'Authorization' && document.authConfigs?.[configName] === undefined
  }
  // These modes ignore the older `auth` object: without an entry in `auth_configs` they read `Authorization`.
  return authModes.some(fallsBack) ? [...configs, authConfigShape.zero()] : configs
}

/** Removes the first cookie whose name begins with the given name, as recorded. */
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

/** Removes the parameter and sorts the others by name, keeping the order of values. Sorts every query, as recorded. */
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
