/**
 * Script of the documentation page: sends the forms and shows the responses. The management key exists only in the page's
 * input field. Without scripts the page is still readable.
 */
export const pageScript = `
const key = document.querySelector('#key')
for (const form of document.querySelectorAll('form[data-path]')) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const output = form.querySelector('output pre')
    let path = form.dataset.path
    const query = new URLSearchParams()
    for (const input of form.querySelectorAll('input[data-in]')) {
      if (input.dataset.in === 'path') path = path.replace('{' + input.name + '}', encodeURIComponent(input.value))
      else if (input.value !== '') query.set(input.name, input.value)
    }
    const body = form.querySelector('textarea')
    const headers = {}
    if (key.value !== '') headers[key.dataset.header] = key.value
    if (body) headers['content-type'] = 'application/json'
    const target = query.size > 0 ? path + '?' + query : path
    output.textContent = 'Sending…'
    try {
      const response = await fetch(target, { method: form.dataset.method, headers, body: body ? body.value : undefined })
      const text = await response.text()
      let shown = text
      try { shown = JSON.stringify(JSON.parse(text), null, 2) } catch {}
      output.textContent = response.status + ' ' + response.statusText + '\\n\\n' + shown
    } catch (error) {
      output.textContent = 'No response: ' + error.message
    }
  })
}
`
