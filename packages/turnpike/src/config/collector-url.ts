/** Returns the URL of the collector; `undefined` if the endpoint is invalid. `secure`: for an endpoint without a scheme. */
export function collectorUrlOf(endpoint: string, secure: boolean): URL | undefined {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(endpoint) ? endpoint : `${secure ? 'https' : 'http'}://${endpoint}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.hostname === '' || url.username !== '' || url.search !== '' || url.hash !== '')
    return undefined
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined
}
