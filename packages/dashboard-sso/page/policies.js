// Policies: their APIs and limits.
import { read } from './data.js'
import { count, duration, el, empty } from './dom.js'

export function makePolicies({ notify, may, edit }) {
  const body = el('tbody')
  const columns = ['Policy', 'APIs', 'Rate', 'Quota', 'Sets']
  const table = el(
    'table',
    { className: 'table stack', hidden: true },
    el('caption', { className: 'visually-hidden' }, 'Policies'),
    el('thead', {}, el('tr', {}, ...columns.map((name) => el('th', { scope: 'col' }, name)))),
    body,
  )
  const none = empty(
    'No policy yet',
    'A policy is a template of rights and limits that keys share. Create one here, or put it into the folder of policies.policy_path and reload.',
  )
  none.hidden = true
  let shown = false

  const load = async () => {
    try {
      const { policies } = await read('/policies')
      body.replaceChildren(
        ...policies
          .toSorted((a, b) => a.name.localeCompare(b.name))
          .map((policy) => rowOf(policy, may.edit.policies ? edit : undefined)),
      )
      table.hidden = policies.length === 0
      none.hidden = !table.hidden
    } catch (error) {
      notify(error.message)
    }
  }
  return {
    name: 'policies',
    title: 'Policies',
    element: el(
      'section',
      { 'aria-labelledby': 'policies-title' },
      el(
        'div',
        { className: 'head' },
        el('h1', { id: 'policies-title' }, 'Policies'),
        el(
          'div',
          { className: 'controls' },
          el(
            'button',
            {
              type: 'button',
              className: 'main',
              hidden: !may.edit.policies,
              on: { click: () => void edit('policies') },
            },
            'New policy',
          ),
        ),
      ),
      el('div', { className: 'card' }, table, none),
    ),
    onEvent(event) {
      if (event === 'reload' && shown) void load()
    },
    show() {
      shown = true
      void load()
    },
    hide() {
      shown = false
    },
  }
}

const rateOf = ({ rate, per }) => (rate > 0 && per > 0 ? `${count(rate)} in ${duration(per)}` : undefined)
const quotaOf = ({ quotaMax: max, quotaRenewalSeconds: seconds }) =>
  max > 0 ? `${count(max)}${seconds > 0 ? ` in ${duration(seconds)}` : ''}` : undefined

/** The limit of all APIs together, and those of single ones below it. */
function limits(policy, words) {
  const own = policy.limits.flatMap((limit) => {
    const text = words(limit)
    return text === undefined ? [] : [el('div', {}, text, el('span', { className: 'soft small' }, ` on ${limit.api}`))]
  })
  const all = words(policy)
  if (all !== undefined) return [el('div', {}, all), ...own]
  return own.length > 0 ? own : [el('span', { className: 'soft' }, 'no limit')]
}

function rowOf(policy, edit) {
  const partWords = {
    acl: 'rights',
    quota: 'quota',
    rateLimit: 'rate',
    complexity: 'complexity',
    perApi: 'limits of each API',
  }
  return el(
    'tr',
    {},
    el(
      'td',
      {},
      edit === undefined
        ? el('b', {}, policy.name)
        : el(
            'button',
            {
              type: 'button',
              className: 'text',
              'aria-label': `Edit policy ${policy.name}`,
              on: { click: () => void edit('policies', policy.id) },
            },
            policy.name,
          ),
      policy.name === policy.id ? null : el('div', { className: 'soft small mono' }, policy.id),
      policy.active ? null : el('div', { className: 'state near small' }, 'inactive'),
    ),
    el(
      'td',
      { 'data-label': 'APIs' },
      policy.apis.length === 0
        ? el('span', { className: 'soft' }, 'none')
        : policy.apis.map((id) => el('span', { className: 'tag' }, id)),
    ),
    el('td', { 'data-label': 'rate' }, limits(policy, rateOf)),
    el('td', { 'data-label': 'quota' }, limits(policy, quotaOf)),
    el(
      'td',
      { 'data-label': 'sets' },
      policy.parts.length === 0 ? 'everything' : policy.parts.map((part) => partWords[part]).join(', '),
    ),
  )
}
