/** The session cookies: one a section, never set from what a request said. Source: docs/reference/dashboard-sso.md#login. */
import type { SecureCookie } from '../dashboard-options.ts'

/** What a session opens. */
export type Section = 'dashboard' | 'portal'

const cookieNames: Readonly<Record<Section, string>> = { dashboard: 'authorisation', portal: 'portal_session' }

/** Names of the cookies of sessions. They must not reach an upstream. */
export const sessionCookies: readonly string[] = Object.values(cookieNames)

/** Ids of sessions that the request carries, that of the dashboard first. */
export function sessionIdsOf(request: Request): { readonly section: Section; readonly id: string }[] {
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  const sections: readonly Section[] = ['dashboard', 'portal']
  return sections.flatMap((section) => {
    const start = `${cookieNames[section]}=`
    const id = pairs.find((pair) => pair.startsWith(start))?.slice(start.length)
    return id === undefined || id === '' || id.length > 128 ? [] : [{ section, id }]
  })
}

/** Sets the cookie of a section; an empty id clears it. */
export function setCookie(
  section: Section,
  id: string,
  lifetimeSeconds: number,
  request: Request,
  mode: SecureCookie,
): string {
  const secure = mode === 'always' || (mode === 'auto' && usesHttps(request)) ? '; Secure' : ''
  return `${cookieNames[section]}=${id}; Path=/; Max-Age=${lifetimeSeconds}; HttpOnly; SameSite=Lax${secure}`
}

/** A proxy that terminates TLS reports the scheme. A false report can only make a cookie stricter. */
function usesHttps(request: Request): boolean {
  const forwarded = request.headers.get('x-forwarded-proto')?.split(',', 1)[0]?.trim().toLowerCase()
  return request.url.startsWith('https:') || forwarded === 'https'
}
