// Keys by their hashes, and the counters of one of them as bars that move.
import { read, repeat } from './data.js'
import { bar, button, count, dateAndTime, duration, el, empty, several, soft, tableOf, tags } from './dom.js'
import { makeView } from './view.js'

export function makeKeys({ notify, vendor, may, edit }) {
  const body = el('tbody')
  const table = tableOf('Keys', ['Key', 'Alias', 'APIs', 'Policies'], body)
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
  const more = el(
    'p',
    { className: 'soft small legend', hidden: true },
    'More keys exist than are shown. Narrow the search.',
  )
  const warning = el('p', { className: 'state bad small legend', role: 'status', hidden: true })
  const panel = makePanel(may.edit.keys ? () => void edit('keys', chosen) : undefined)
  let chosen = ''
  let wanted = 0

  const load = async () => {
    const turn = ++wanted
    try {
      const found = await read(`/keys?search=${encodeURIComponent(search.value.trim())}`)
      if (turn !== wanted) return
      body.replaceChildren(...found.keys.map(rowOf))
      table.hidden = found.keys.length === 0
      none.hidden = !table.hidden
      more.hidden = !found.more
      warning.hidden = found.warning === undefined
      warning.textContent = `Warning: ${found.warning ?? ''}`
      mark()
    } catch (error) {
      notify(error.message)
    }
  }
  const mark = () => {
    for (const row of body.children) {
      row.className = row.dataset.hash === chosen ? 'chosen' : ''
      row.querySelector('button').setAttribute('aria-pressed', String(row.dataset.hash === chosen))
    }
  }
  const choose = (hash) => {
    chosen = hash
    mark()
    void look()
  }
  const rowOf = (key) => {
    const row = el(
      'tr',
      {},
      el(
        'td',
        {},
        button(key.hash.slice(0, 12), () => choose(key.hash), {
          className: 'text mono',
          'aria-pressed': 'false',
          title: key.hash,
        }),
      ),
      el('td', {}, key.alias || soft('–'), key.inactive ? el('span', { className: 'state bad' }, ' inactive') : null),
      el('td', {}, tags(key.apis, '–')),
      el('td', {}, tags(key.policies, '–')),
    )
    row.dataset.hash = key.hash
    return row
  }

  const look = async () => {
    if (chosen === '') return
    const asked = chosen
    try {
      const key = await read(`/keys/${encodeURIComponent(asked)}/meters`)
      if (asked === chosen) panel.show(key)
    } catch (error) {
      if (asked === chosen) panel.fail(error.message === 'Not found' ? 'This key no longer exists.' : error.message)
    }
  }
  repeat(look, 1000, () => view.isShown() && chosen !== '')

  let typing
  const search = el('input', {
    type: 'search',
    placeholder: 'Hash or alias',
    'aria-label': 'Search keys',
    on: {
      input: () => {
        clearTimeout(typing)
        typing = setTimeout(load, 250)
      },
    },
  })

  let soon
  const view = makeView({
    name: 'keys',
    title: 'Keys',
    controls: [search, button('New key', () => void edit('keys'), { className: 'main', hidden: !may.edit.keys })],
    content: [
      el('div', { className: 'split' }, el('div', { className: 'card' }, table, none, more, warning), panel.element),
    ],
    load() {
      void load()
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
  return view
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
      amount.textContent = `${count(used)} of ${count(max)}${seconds > 0 ? ` in ${duration(seconds)}` : ''}`
      left.textContent = share >= 1 ? 'used up' : `${count(max - used)} left`
      when.textContent =
        endsAt === undefined || endsAt <= now
          ? ''
          : `${kind === 'quota' ? 'renews' : 'room'} in ${duration(Math.ceil((endsAt - now) / 1000))}`
    },
  }
}
