// Calls of the gateway. If the session has ended, the page reloads, which leads to the sign-in page.

const root = '/api/dashboard'

/** Returns the response. Rejects with the message of the gateway and its status. */
async function call(path, method, { body, version } = {}) {
  let response
  try {
    response = await fetch(path, {
      method,
      body,
      headers: { accept: 'application/json', ...(version === undefined ? {} : { 'if-match': version }) },
    })
  } catch {
    throw new Error('The gateway does not respond')
  }
  if (response.status === 401) {
    location.reload()
    throw new Error('Nobody is signed in')
  }
  const content = await response.json().catch(() => ({ Message: `The gateway responded with ${response.status}` }))
  if (!response.ok) throw Object.assign(new Error(content.Message), { status: response.status })
  return content
}

const metaOf = ({ Meta }) => Meta
export const read = (path) => call(root + path, 'GET').then(metaOf)
export const change = (path) => call(root + path, 'POST').then(metaOf)
export const leave = () => call('/api/session', 'DELETE')

/** A change of a document: what was done, with warnings. `version`: that of the document the user has seen. */
const edited = ({ Message, Meta }) => ({ action: Message, ...Meta })
export const create = (path, body) => call(root + path, 'POST', { body }).then(edited)
export const replace = (path, body, version) => call(root + path, 'PUT', { body, version }).then(edited)
export const remove = (path, version) => call(root + path, 'DELETE', { version }).then(edited)

/** Subscribes to the live feed. Calls `onEvent(event, data)`, and `state` with `live` or `lost`. The browser reconnects by itself. */
export function listen(onEvent, state) {
  const source = new EventSource(`${root}/feed`)
  source.addEventListener('open', () => state('live'))
  source.addEventListener('error', () => {
    state('lost')
    // The browser does not reconnect: the session is over, or too many pages are open.
    if (source.readyState === EventSource.CLOSED) void read('/status').catch(() => undefined)
  })
  for (const event of ['traffic', 'numbers', 'reload']) {
    source.addEventListener(event, ({ data }) => onEvent(event, JSON.parse(data)))
  }
  source.addEventListener('over', () => location.reload())
  return () => source.close()
}

/** Repeats `work` while `wanted()`. Waits for each run to end, so that calls to a slow gateway do not overlap. */
export function repeat(work, everyMs, wanted) {
  let timer
  const run = async () => {
    if (wanted() && !document.hidden) await work()
    timer = setTimeout(run, everyMs)
  }
  timer = setTimeout(run, everyMs)
  return () => clearTimeout(timer)
}
