// The fields of the editor, for keys, policies and APIs. Each reads and writes one part of the document.
import { el } from './dom.js'

/** `empty`: a new document. `fields`: absent for documents that only the JSON text can edit. */
export const kinds = {
  keys: {
    noun: 'key',
    empty: () => ({
      ...{ alias: '', apply_policies: [], access_rights: {}, rate: 0, per: 0 },
      ...{ quota_max: -1, quota_renewal_rate: 0, expires: 0, is_inactive: false },
    }),
    fields: (_, __, { apis, policies }) => [
      textField('Alias', ['alias']),
      listField('Policies', policies, ['apply_policies']),
      rightsField('APIs', apis),
      ...limitFields(),
      timeField('Expires', ['expires']),
      checkField('Inactive', ['is_inactive']),
    ],
  },
  policies: {
    noun: 'policy',
    empty: () => ({
      ...{ id: '', name: '', active: true, access_rights: {}, rate: 0, per: 0 },
      ...{ quota_max: -1, quota_renewal_rate: 0, key_expires_in: 0 },
    }),
    fields: (_, isNew, { apis }) => [
      ...(isNew ? [textField('Id', ['id'])] : []),
      textField('Name', ['name']),
      rightsField('APIs', apis),
      ...limitFields(),
      numberField('Keys expire after seconds', ['key_expires_in'], '0: never'),
      checkField('Active', ['active']),
    ],
  },
  apis: {
    noun: 'API',
    empty: () => ({
      ...{ api_id: '', name: '', active: true, use_keyless: true },
      auth: { auth_header_name: 'Authorization' },
      proxy: { listen_path: '/new-api/', target_url: 'http://127.0.0.1:8090/', strip_listen_path: true },
      version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    }),
    fields: (document, isNew) =>
      document.openapi !== undefined
        ? []
        : [
            ...(isNew ? [textField('Id', ['api_id'])] : []),
            textField('Name', ['name']),
            textField('Listen path', ['proxy', 'listen_path']),
            textField('Target URL', ['proxy', 'target_url']),
            checkField('No key required', ['use_keyless']),
          ],
  },
}

const limitFields = () => [
  numberField('Rate: requests', ['rate'], '0: no limit'),
  numberField('Rate: in seconds', ['per'], ''),
  numberField('Quota: requests', ['quota_max'], '-1: no limit'),
  numberField('Quota: renews after seconds', ['quota_renewal_rate'], '0: never'),
]

const at = (document, path) => path.reduce((value, name) => value?.[name], document)

/** A copy of the document with another value at the path. */
function withValue(document, [name, ...rest], value) {
  const inner = rest.length === 0 ? value : withValue(document[name] ?? {}, rest, value)
  return { ...document, [name]: inner }
}

let lastId = 0
const nextId = () => `field-${++lastId}`

/** A field with one input. `read` returns its value for the document, `show` sets the input from the document. */
function inputField(label, path, properties, read, show, hint = '') {
  return {
    make(change) {
      const id = nextId()
      const input = el('input', { id, ...properties })
      if (hint !== '') input.setAttribute('aria-describedby', `${id}-hint`)
      input.addEventListener('input', () => {
        const value = read(input)
        if (value !== undefined) change((document) => withValue(document, path, value))
      })
      return {
        element: el(
          'div',
          { className: input.type === 'checkbox' ? 'field check' : 'field' },
          el('label', { htmlFor: id }, label),
          input,
          hint === '' ? null : el('span', { id: `${id}-hint`, className: 'soft small' }, hint),
        ),
        show: (document) => show(input, at(document, path)),
      }
    },
  }
}

const textField = (label, path) => {
  const show = (input, value) => {
    input.value = typeof value === 'string' ? value : ''
  }
  return inputField(label, path, { type: 'text', autocomplete: 'off' }, ({ value }) => value, show)
}

const numberField = (label, path, hint) => {
  const read = ({ valueAsNumber }) => (Number.isNaN(valueAsNumber) ? undefined : valueAsNumber)
  const show = (input, value) => {
    input.value = typeof value === 'number' ? String(value) : ''
  }
  return inputField(label, path, { type: 'number', step: 'any' }, read, show, hint)
}

const checkField = (label, path) => {
  const show = (input, value) => {
    input.checked = value === true
  }
  return inputField(label, path, { type: 'checkbox' }, ({ checked }) => checked, show)
}

/** Unix seconds; empty: never. */
const timeField = (label, path) => {
  const read = ({ value }) => (value === '' ? 0 : Math.floor(new Date(value).getTime() / 1000))
  const show = (input, value) => {
    const time = typeof value === 'number' && value > 0 ? new Date(value * 1000) : undefined
    const local = time && new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
    input.value = local === undefined ? '' : local.toISOString().slice(0, 16)
  }
  return inputField(label, path, { type: 'datetime-local' }, read, show, 'empty: never')
}

/** Check boxes. `isChosen` and `choose` translate between the document and one choice. */
function choiceField(label, choices, isChosen, choose) {
  return {
    make(change) {
      const boxes = choices.map(({ id, name }) => {
        const input = el('input', { type: 'checkbox' })
        input.addEventListener('change', () => change((document) => choose(document, { id, name }, input.checked)))
        return { id, input, element: el('label', { className: 'choice' }, input, name === id ? id : `${name} (${id})`) }
      })
      const none = el('span', { className: 'soft' }, 'none exist')
      return {
        element: el(
          'fieldset',
          { className: 'field' },
          el('legend', {}, label),
          ...(boxes.length === 0 ? [none] : boxes.map(({ element }) => element)),
        ),
        show(document) {
          for (const { id, input } of boxes) input.checked = isChosen(document, id)
        },
      }
    },
  }
}

const listField = (label, choices, path) =>
  choiceField(
    label,
    choices,
    (document, id) => (at(document, path) ?? []).includes(id),
    (document, { id }, isChosen) => {
      const others = (at(document, path) ?? []).filter((one) => one !== id)
      return withValue(document, path, isChosen ? [...others, id] : others)
    },
  )

/** A chosen API keeps what the document says about it. */
const rightsField = (label, choices) =>
  choiceField(
    label,
    choices,
    (document, id) => Object.hasOwn(document.access_rights ?? {}, id),
    (document, { id, name }, isChosen) => {
      const { [id]: own, ...others } = document.access_rights ?? {}
      const right = own ?? { api_id: id, api_name: name, versions: ['Default'] }
      return { ...document, access_rights: isChosen ? { ...others, [id]: right } : others }
    },
  )
