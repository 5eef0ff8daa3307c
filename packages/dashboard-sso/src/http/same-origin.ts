/**
 * Whether a call comes from our own page. Cookies are `SameSite=Lax` already; this holds also against pages of the same
 * site on other ports or names. Browsers say where a call comes from in `Sec-Fetch-Site` and, with every method that
 * changes something, in `Origin`.
 */

/** `own` or `foreign`: from a browser's headers. `unknown`: no such header, so the client is not a browser. */
export function originOf(request: Request): 'own' | 'foreign' | 'unknown' {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin' ? 'own' : 'foreign'
  const origin = request.headers.get('origin')
  if (origin === null) return 'unknown'
  // Hosts, not whole origins: before a proxy that ends TLS the scheme differs.
  return URL.canParse(origin) && new URL(origin).host === new URL(request.url).host ? 'own' : 'foreign'
}
