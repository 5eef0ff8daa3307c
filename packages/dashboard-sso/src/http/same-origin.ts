/**
 * Whether a call comes from our own page. Cookies are `SameSite=Lax` already; this holds also against pages of the same
 * site on other ports or names. Browsers say where a call comes from in `Sec-Fetch-Site` and, with every method that
 * changes something, in `Origin`.
 */

/** `own`: a browser says so. `foreign`: a browser says otherwise. `untold`: nothing is said, so no browser calls. */
export function originOf(request: Request): 'own' | 'foreign' | 'untold' {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin' ? 'own' : 'foreign'
  const origin = request.headers.get('origin')
  if (origin === null) return 'untold'
  // Hosts, not whole origins: before a proxy that ends TLS the scheme differs.
  return URL.canParse(origin) && new URL(origin).host === new URL(request.url).host ? 'own' : 'foreign'
}
