// A dialog that creates, edits and deletes one key, policy or API: fields for the usual settings, JSON for all of them.
import { create, read, remove, replace } from './data.js'
import { button, el, makeDialog } from './dom.js'
import { kinds } from './editor-fields.js'

/** `changed` is called after each successful change. */
export function makeEditor({ notify, lists, changed }) {
  const { element, content, show: showDialog } = makeDialog('editor')
  // A new key is part of the page only while the dialog is open.
  element.addEventListener('close', () => content.replaceChildren())

  const show = async (kind, id, document, version) => {
    const { noun } = kinds[kind]
    const name = kind === 'keys' ? document.alias || id?.slice(0, 12) : id
    const choices = await lists()
    const done = (result) => {
      content.replaceChildren(outcome(kind, result))
      changed(kind)
    }
    const again = () => open(kind, id)
    const form = makeForm({ kind, id, document, version, choices, done, again })
    showDialog(id === undefined ? `New ${noun}` : `Edit ${noun} ${name}`, form)
  }
  const open = async (kind, id) => {
    try {
      if (id === undefined) return await show(kind, undefined, kinds[kind].empty(), undefined)
      const { document, version } = await read(`/edit/${kind}/${encodeURIComponent(id)}`)
      await show(kind, id, document, version)
    } catch (error) {
      notify(error.message)
    }
  }
  return { element, open }
}

function outcome(kind, { action, key, warnings, problem }) {
  const { noun } = kinds[kind]
  const parts = [el('p', { role: 'status', className: 'state good' }, `The ${noun} was ${action}.`)]
  if (key !== undefined) parts.push(shownOnce(key))
  if (problem !== undefined) parts.push(el('p', { className: 'state bad' }, `It is not in service: ${problem}`))
  if (warnings.length > 0)
    parts.push(el('h3', {}, 'Warnings'), el('ul', { className: 'why' }, ...warnings.map((text) => el('li', {}, text))))
  return el('div', { className: 'sheet-content' }, ...parts)
}

function shownOnce(key) {
  const field = el('input', {
    type: 'text',
    readOnly: true,
    value: key,
    className: 'mono',
    'aria-label': 'The new key',
  })
  const copy = button('Copy', async () => {
    field.select()
    await navigator.clipboard?.writeText(key).catch(() => undefined)
    copy.textContent = 'Copied'
  })
  return el(
    'div',
    { className: 'once' },
    el('p', {}, 'This is the key. It is shown only now, so store it.'),
    el('div', { className: 'inline' }, field, copy),
  )
}

function makeForm({ kind, id, document, version, choices, done, again }) {
  const isNew = id === undefined
  let current = document
  const alert = el('div', { role: 'alert' })
  const text = el('textarea', { id: 'editor-json', spellcheck: false, rows: 16, className: 'mono' })
  const write = () => {
    text.value = JSON.stringify(current, null, 2)
  }
  const fields = kinds[kind].fields(current, isNew, choices).map((field) =>
    field.make((change) => {
      current = change(parsed() ?? current)
      write()
    }),
  )
  const parsed = () => {
    try {
      const value = JSON.parse(text.value)
      alert.replaceChildren()
      text.removeAttribute('aria-invalid')
      return value
    } catch (error) {
      text.setAttribute('aria-invalid', 'true')
      alert.replaceChildren(el('p', { className: 'state bad' }, `The JSON cannot be parsed: ${error.message}`))
      return undefined
    }
  }
  text.addEventListener('change', () => {
    const value = parsed()
    if (value === undefined) return
    current = value
    for (const field of fields) field.show(current)
  })
  write()
  for (const field of fields) field.show(current)

  const attempt = async (work) => {
    save.disabled = true
    try {
      done(await work())
    } catch (error) {
      alert.replaceChildren(...rejection(error, text.value, again))
      alert.scrollIntoView({ block: 'nearest' })
    } finally {
      save.disabled = false
    }
  }
  const save = el('button', { type: 'submit', className: 'main' }, isNew ? 'Create' : 'Save')
  const path = `/edit/${kind}${isNew ? '' : `/${encodeURIComponent(id)}`}`
  const form = el(
    'form',
    { className: 'sheet-content', noValidate: true },
    fields.length === 0 ? null : el('div', { className: 'fields' }, ...fields.map((field) => field.element)),
    el(
      'details',
      { open: fields.length === 0 },
      el('summary', {}, 'All fields as JSON'),
      el('label', { className: 'visually-hidden', htmlFor: 'editor-json' }, 'Document as JSON'),
      text,
    ),
    alert,
    el('div', { className: 'inline' }, save, isNew ? null : deletion(() => attempt(() => remove(path, version)))),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (parsed() === undefined) return
    void attempt(() => (isNew ? create(path, text.value) : replace(path, text.value, version)))
  })
  return form
}

/** 412: somebody else changed the document. The user's text stays visible next to the current version. */
function rejection(error, mine, again) {
  const message = el('p', { className: 'state bad' }, error.message)
  if (error.status !== 412) return [message]
  const load = button('Load the current version', async () => {
    await again()
    const form = document.querySelector('dialog[open] form')
    const kept = el('textarea', { readOnly: true, rows: 8, className: 'mono', value: mine })
    form?.append(el('details', {}, el('summary', {}, 'Your changes'), el('label', {}, 'Text before loading', kept)))
  })
  return [message, load]
}

/** Deletes at the second click. */
function deletion(work) {
  let asked = false
  const own = button('Delete', () => {
    if (asked) return void work()
    asked = true
    own.textContent = 'Delete for good'
    own.className = 'danger'
    return undefined
  })
  return own
}
