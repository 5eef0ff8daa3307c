/**
 * Finds the session of a key sent as a token. Source: spec/sessions-and-limits.md 7.1–7.3.
 * An empty credential is missing; a short, unknown or unfit one is told apart from nothing, so that nobody learns
 * which keys exist.
 */
import { rejections } from '../../errors.ts'
import type { KeyEntry } from '../../session/keyring.ts'
import type { RequestContext } from '../context.ts'
import type { MakeStage, Outcome } from '../stage.ts'
import { readCredential, withoutBearer } from './credential.ts'
import { identifies } from './identity.ts'

export const makeAuthToken: MakeStage = ({ api, tools }) => {
  if (!api.authModes.includes('token')) return null
  const { keyring, settings } = tools
  const { minTokenLength } = settings.keys
  const keeps = identifies(api, 'token')

  const settle = (entry: KeyEntry | undefined, context: RequestContext): Outcome => {
    if (entry === undefined || entry.policyProblem !== undefined) {
      context.trace?.note(entry === undefined ? 'no such key' : `policies: ${entry.policyProblem}`)
      return rejections.keyUnknown
    }
    context.trace?.note(`session of key ${entry.logName}`)
    if (keeps) context.key = entry
    return undefined
  }

  return {
    name: 'auth-token',
    phase: '2-identify',
    run(context) {
      if (context.ignored) return undefined
      const credential = withoutBearer(readCredential(context.request, api.tokenPlaces))
      if (credential === '') return rejections.authMissing
      if (keeps) context.credential = credential
      if (credential.length <= minTokenLength) return rejections.keyUnknown
      const found = keyring.find(credential, api.orgId)
      return found instanceof Promise ? found.then((entry) => settle(entry, context)) : settle(found, context)
    },
  }
}
