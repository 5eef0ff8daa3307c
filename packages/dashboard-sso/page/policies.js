// Policies: their APIs and limits.
import { allowance, button, cell, el, empty, row, soft, tableOf, tags } from './dom.js'
import { loader, makeView } from './view.js'

export function makePolicies({ notify, may, edit }) {
  const body = el('tbody')
  const table = tableOf('Policies', ['Policy', 'APIs', 'Rate', 'Quota', 'Sets'], body)
  table.hidden = true
  const none = empty(
    'No policy yet',
    'A policy is a template of rights and limits that keys share. Create one here, or put it into the folder of policies.policy_path and reload.',
  )
  none.hidden = true
  const draw = ({ policies }) => {
    const sorted = policies.toSorted((a, b) => a.name.localeCompare(b.name))
    body.replaceChildren(...sorted.map((policy) => rowOf(policy, may.edit.policies ? edit : undefined)))
    table.hidden = policies.length === 0
    none.hidden = !table.hidden
  }
  return makeView({
    name: 'policies',
    title: 'Policies',
    controls: [button('New policy', () => void edit('policies'), { className: 'main', hidden: !may.edit.policies })],
    content: [el('div', { className: 'card' }, table, none)],
    load: loader('/policies', draw, notify),
    afterReload: true,
  })
}

const rateOf = ({ rate, per }) => (rate > 0 && per > 0 ? allowance(rate, per) : undefined)
const quotaOf = ({ quotaMax: max, quotaRenewalSeconds: seconds }) => (max > 0 ? allowance(max, seconds) : undefined)

/** The limit of all APIs together, and those of single ones below it. */
function limits(policy, words) {
  const own = policy.limits.flatMap((limit) => {
    const text = words(limit)
    return text === undefined ? [] : [el('div', {}, text, el('span', { className: 'soft small' }, ` on ${limit.api}`))]
  })
  const all = words(policy)
  if (all !== undefined) return [el('div', {}, all), ...own]
  return own.length > 0 ? own : [soft('no limit')]
}

const partWords = {
  acl: 'rights',
  quota: 'quota',
  rateLimit: 'rate',
  complexity: 'complexity',
  perApi: 'limits of each API',
}

function rowOf(policy, edit) {
  const { id, name, parts } = policy
  const look = { className: 'text', 'aria-label': `Edit policy ${name}` }
  return row(
    el(
      'td',
      {},
      edit === undefined ? el('b', {}, name) : button(name, () => void edit('policies', id), look),
      name === id ? null : el('div', { className: 'soft small mono' }, id),
      policy.active ? null : el('div', { className: 'state near small' }, 'inactive'),
    ),
    cell('APIs', tags(policy.apis, 'none')),
    cell('rate', limits(policy, rateOf)),
    cell('quota', limits(policy, quotaOf)),
    cell('sets', parts.length === 0 ? 'everything' : parts.map((part) => partWords[part]).join(', ')),
  )
}
