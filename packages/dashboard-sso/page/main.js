// The page: views behind tabs, one feed for all of them, and who is signed on.
import { makeApis } from './apis.js'
import { makeCharts } from './charts.js'
import { leave, listen, read } from './data.js'
import { el, empty } from './dom.js'
import { makeEditor } from './editor.js'
import { makeKeys } from './keys.js'
import { makePolicies } from './policies.js'
import { makeReloads } from './reloads.js'
import { makeRequestDialog } from './request.js'
import { makeTraffic } from './traffic.js'

const byId = (id) => document.getElementById(id)
const notice = byId('notice')
let noticeEnds

/** Shows a message for six seconds. Screen readers announce it. */
function notify(text) {
  clearTimeout(noticeEnds)
  notice.textContent = text
  notice.hidden = false
  noticeEnds = setTimeout(() => {
    notice.hidden = true
  }, 6000)
}

function setLink(state) {
  const words = { live: 'Live', lost: 'Not connected, trying again', off: 'You may not see traffic' }
  const link = byId('link')
  if (link.dataset.state === state) return
  link.dataset.state = state
  link.textContent = words[state]
}

/** What the fields of the editor offer: ids and names of APIs and policies. */
async function readLists(may) {
  const [{ apis }, { policies }] = await Promise.all([
    may.apis ? read('/apis') : { apis: [] },
    may.policies ? read('/policies') : { policies: [] },
  ])
  const byName = (a, b) => a.name.localeCompare(b.name)
  return { apis: apis.toSorted(byName), policies: policies.toSorted(byName) }
}

function start(status) {
  const { may, vendor } = status
  byId('organisation').textContent = status.organisation.name
  byId('user').textContent = status.user
  byId('version').textContent = `Turnpike ${status.version}`
  if (!status.storeAvailable) notify('The store is unavailable: the gateway rejects requests with keys')

  const requests = makeRequestDialog({ notify })
  const editor = makeEditor({ notify, lists: () => readLists(may), changed: () => tabs.showAgain() })
  document.body.append(requests.element, editor.element)
  const views = makeViews({ may, vendor, notify, openKey, openRequest: requests.open, edit: editor.open })
  if (views.length === 0) {
    setLink('off')
    showCard(
      'You may not see any view',
      'Your permissions do not include any view. Request apis, keys, policies or analytics from the administrator of this gateway.',
    )
    return
  }
  const tabs = addTabs(views)
  function openKey(hash) {
    location.hash = 'keys'
    views.find(({ name }) => name === 'keys')?.open(hash)
  }

  const reloads = views.find(({ name }) => name === 'reloads')
  const button = byId('reload')
  button.hidden = !may.reload
  button.addEventListener('click', async () => {
    button.disabled = true
    await reloads.reload()
    button.disabled = false
  })

  const onEvent = (event, data) => {
    for (const view of views) view.onEvent?.(event, data)
  }
  if (may.traffic) listen(onEvent, setLink)
  else setLink('off')
}

/** The views that the user may see. */
function makeViews(context) {
  const { may } = context
  return [
    may.traffic ? makeTraffic(context) : undefined,
    may.traffic ? makeCharts(context) : undefined,
    may.apis ? makeApis(context) : undefined,
    may.keys ? makeKeys(context) : undefined,
    may.policies ? makePolicies(context) : undefined,
    may.apis ? makeReloads(context) : undefined,
  ].filter((view) => view !== undefined)
}

/** Adds a tab for each view, and shows the view that the address names. */
function addTabs(views) {
  let current
  const tabs = new Map(views.map((view) => [view.name, el('a', { href: `#${view.name}` }, view.title)]))
  byId('tabs').append(...[...tabs.values()].map((tab) => el('li', {}, tab)))
  const turn = () => {
    const view = views.find(({ name }) => name === location.hash.slice(1)) ?? views[0]
    if (view === current) return
    current?.hide?.()
    current = view
    for (const [name, tab] of tabs) {
      if (name === view.name) tab.setAttribute('aria-current', 'page')
      else tab.removeAttribute('aria-current')
    }
    byId('main').replaceChildren(view.element)
    document.title = `${view.title} – Turnpike`
    view.show?.()
  }
  addEventListener('hashchange', turn)
  turn()
  return { showAgain: () => current.show?.() }
}

function showCard(title, text) {
  byId('main').append(el('div', { className: 'card' }, empty(title, text)))
}

byId('leave').addEventListener('click', async () => {
  await leave().catch(() => undefined)
  location.reload()
})

read('/status').then(start, (error) => {
  setLink('lost')
  showCard('The gateway does not respond', error.message)
})
