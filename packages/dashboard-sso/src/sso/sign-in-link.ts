/**
 * The sign-in link that `turnpike start` prints on a development machine: a token for one login as a temporary user,
 * with the permissions of users without a group. The login must come from a loopback address.
 */
import type { DashboardOptions } from '../dashboard-options.ts'
import type { SignOnTokens } from './sign-on-tokens.ts'

/** Lifetime of a sign-in link, ms: the time that a developer needs to find the banner. */
export const signInLinkLifetimeMs = 10 * 60_000

/** Returns path and query of a link; `undefined` if no organisation is configured or the token cannot be stored. */
export async function makeSignInPath(
  options: DashboardOptions,
  signOnTokens: SignOnTokens,
): Promise<string | undefined> {
  const organisation = options.organisations[0]
  if (organisation === undefined) return undefined
  const token = await signOnTokens.make(
    {
      section: 'dashboard',
      orgId: organisation.id,
      emailAddress: 'developer@localhost',
      displayName: 'Developer',
      groupIds: [],
      onlyRegistered: false,
      notAllowed: false,
      onlyLoopback: true,
    },
    signInLinkLifetimeMs,
  )
  return token === undefined ? undefined : `/tap?nonce=${encodeURIComponent(token)}`
}

/** Returns true for 127.0.0.0/8 and ::1, also in the IPv4-mapped form. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/i.test(address)
}
