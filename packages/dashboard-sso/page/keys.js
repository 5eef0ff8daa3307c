// Keys by their hashes, and the counters of one of them as bars that move.
import { read, repeat } from './data.js'
import {
  allowance,
  bar,
  button,
  count,
  dateAndTime,
  duration,
  el,
  empty,
  row,
  searchField,
  several,
  soft,
  tableOf,
  tags,
} from './dom.js'
import { makeView } from './view.js'

export function makeKeys({ notify, vendor, may, edit }) {
  let chosen = ''
  let typing
  let soon
  const list = makeKeyList({ notify, vendor, choose, isChosen: (hash) => hash === chosen })
  const panel = makePanel(may.edit.keys ? () => void edit('keys', chosen) : undefined)

  async function look() {
    if (chosen === '') return
    const asked = chosen
    try {
      const key = await read(`/keys/${encodeURIComponent(asked)}/meters`)
      if (asked === chosen) panel.show(key)
    } catch (error) {
      if (asked === chosen) panel.fail(error.message === 'Not found' ? 'This key no longer exists.' : error.message)
    }
  }
  function choose(hash) {
    chosen = hash
    list.mark()
    void look()
  }

  const search = searchField('Hash or alias', 'Search keys', (text) => {
    clearTimeout(typing)
    typing = setTimeout(() => list.load(text), 250)
  })
  const view = makeView({
    name: 'keys',
    title: 'Keys',
    controls: [search, button('New key', () => void edit('keys'), { className: 'main', hidden: !may.edit.keys })],
    content: [el('div', { className: 'split' }, list.element, panel.element)],
    load() {
      void list.load(search.value.trim())
      void look()
    },
    /** A request of the chosen key updates its bars at once. */
    onEvent(event, data) {
      if (event !== 'traffic' || !view.isShown() || soon !== undefined) return
      if (!data.rows.some(({ key }) => key !== '' && key === chosen)) return
      soon = setTimeout(() => {
        soon = undefined
        void look()
      }, 50)
    },
    open: choose,
  })
  repeat(look, 1000, () => view.isShown() && chosen !== '')
  return view
}

/** The list of the keys that a search finds. */
function makeKeyList({ notify, vendor, choose, isChosen }) {
  const body = el('tbody')
  const table = tableOf('Keys', ['Key', 'Alias', 'APIs', 'Policies'], body)
  const none = noKeyFound(vendor)
  const more = el('p', { className: 'soft small legend', hidden: true })
  more.textContent = 'More keys exist than are shown. Narrow the search.'
  const warning = el('p', { className: 'state bad small legend', role: 'status', hidden: true })
  let wanted = 0

  const mark = () => {
    for (const row of body.children) {
      const pressed = isChosen(row.dataset.hash)
      row.className = pressed ? 'chosen' : ''
      row.querySelector('button').setAttribute('aria-pressed', String(pressed))
    }
  }
  return {
    element: el('div', { className: 'card' }, table, none, more, warning),
    mark,
    async load(text) {
      const turn = ++wanted
      try {
        const found = await read(`/keys?search=${encodeURIComponent(text)}`)
        if (turn !== wanted) return
        body.replaceChildren(...found.keys.map((key) => rowOf(key, choose)))
        table.hidden = found.keys.length === 0
        none.hidden = !table.hidden
        more.hidden = !found.more
        warning.hidden = found.warning === undefined
        warning.textContent = `Warning: ${found.warning ?? ''}`
        mark()
      } catch (error) {
        notify(error.message)
      }
    },
  }
}

function noKeyFound(vendor) {
  const none = empty(
    'No key found',
    'Keys of this organisation are listed here by their hashes. Create one here or over the management API:',
    [
      `curl -X POST -H 'X-${vendor[0].toUpperCase()}${vendor.slice(1)}-Authorization: SECRET' \\`,
      `  -d '{"org_id":"YOUR_ORG","access_rights":{"YOUR_API":{"api_id":"YOUR_API"}}}' \\`,
      `  http://GATEWAY/${vendor}/keys/create`,
    ].join('\n'),
  )
  none.hidden = true
  return none
}

function rowOf({ hash, alias, inactive, apis, policies }, choose) {
  const look = { className: 'text mono', 'aria-pressed': 'false', title: hash }
  const shown = row(
    el(
      'td',
      {},
      button(hash.slice(0, 12), () => choose(hash), look),
    ),
    el('td', {}, alias || soft('–'), inactive ? el('span', { className: 'state bad' }, ' inactive') : null),
    el('td', {}, tags(apis, '–')),
    el('td', {}, tags(policies, '–')),
  )
  shown.dataset.hash = hash
  return shown
}

/** The counters of one key. Bars are updated in place, so that changes are animated. */
function makePanel(edit) {
  const title = el('h2', { id: 'key-title' }, 'Limits')
  const about = el('p', { className: 'soft small' })
  const list = el('div', { className: 'meters' })
  const change = button('Edit key', () => edit?.(), { hidden: true })
  const hint = el('div', { className: 'empty' }, el('p', {}, 'Choose a key to see its rates and quotas.'))
  const element = el('aside', { className: 'card', 'aria-labelledby': 'key-title' }, title, about, change, hint, list)
  let shown = new Map()

  return {
    element,
    fail(message) {
      list.replaceChildren()
      shown = new Map()
      hint.hidden = false
      hint.replaceChildren(el('p', {}, message))
      change.hidden = true
    },
    show(key) {
      title.replaceChildren(key.alias || 'Key', ' ', el('code', { className: 'soft' }, key.hash.slice(0, 12)))
      about.textContent = aboutOf(key)
      change.hidden = edit === undefined
      hint.hidden = key.meters.length > 0
      if (key.meters.length === 0) hint.replaceChildren(el('p', {}, 'This key has no rate and no quota.'))
      const next = new Map()
      for (const meter of key.meters) {
        const name = `${key.hash} ${meter.kind} ${meter.apis.join(' ')}`
        const drawn = shown.get(name) ?? makeMeter(meter)
        drawn.set(meter, key.now)
        next.set(name, drawn)
      }
      const elements = [...next.values()].map((drawn) => drawn.element)
      if (elements.length !== list.children.length || elements.some((one, i) => one !== list.children[i]))
        list.replaceChildren(...elements)
      shown = next
    },
  }
}

function aboutOf({ inactive, problem, expires, policies }) {
  const says = []
  if (problem !== undefined) says.push(`Treated as unknown: ${problem}.`)
  if (inactive) says.push('Inactive: the gateway rejects its requests.')
  if (expires > 1) says.push(`Expires ${dateAndTime(expires * 1000)}.`)
  says.push(policies.length === 0 ? 'No policy.' : `${several(policies.length, 'policy')}: ${policies.join(', ')}.`)
  return says.join(' ')
}

function makeMeter({ kind, apis }) {
  const shownApis = apis.length > 3 ? `${apis.slice(0, 3).join(', ')} and ${apis.length - 3} more` : apis.join(', ')
  const drawn = bar(0)
  const amount = el('span', { className: 'mono' })
  const left = el('span')
  const when = el('span')
  const name = `${kind === 'rate' ? 'Rate' : 'Quota'} on ${shownApis}`
  const meter = drawn.element
  meter.setAttribute('role', 'meter')
  meter.setAttribute('aria-label', name)
  meter.setAttribute('aria-valuemin', '0')
  const element = el(
    'div',
    { className: 'meter' },
    el('div', { className: 'says' }, el('b', {}, name), amount),
    meter,
    el('div', { className: 'when' }, left, when),
  )
  return {
    element,
    set({ used, max, seconds, endsAt }, now) {
      const share = max === 0 ? 0 : used / max
      drawn.set(share)
      meter.className = `bar ${share >= 1 ? 'full' : share >= 0.7 ? 'near' : ''}`
      meter.setAttribute('aria-valuemax', String(max))
      meter.setAttribute('aria-valuenow', String(Math.min(used, max)))
      meter.setAttribute('aria-valuetext', `${count(used)} of ${count(max)}`)
      amount.textContent = `${count(used)} of ${allowance(max, seconds)}`
      left.textContent = share >= 1 ? 'used up' : `${count(max - used)} left`
      when.textContent =
        endsAt === undefined || endsAt <= now
          ? ''
          : `${kind === 'quota' ? 'renews' : 'room'} in ${duration(Math.ceil((endsAt - now) / 1000))}`
    },
  }
}
