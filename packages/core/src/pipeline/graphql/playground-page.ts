/** The page of the GraphQL playground and its script. Neither loads anything from elsewhere. */
import { escapeHtml } from '../../lib/text/escape-markup.ts'

/** `endpoint`: path that receives the queries; `script`: path of the script. */
export function playgroundPage(title: string, endpoint: string, script: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}: GraphQL playground</title>
<style>
body { font: 15px/1.4 system-ui, sans-serif; margin: 1rem; }
main { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 1rem; }
label { display: block; font-weight: 600; margin-top: .5rem; }
textarea, pre { box-sizing: border-box; width: 100%; font: 13px/1.4 ui-monospace, monospace; padding: .5rem; }
pre { border: 1px solid #999; min-height: 12rem; overflow: auto; margin: 0; white-space: pre-wrap; }
button { margin-top: .5rem; padding: .4rem 1rem; }
</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<main>
<form id="form" data-endpoint="${escapeHtml(endpoint)}">
<label for="query">Query</label>
<textarea id="query" rows="14" spellcheck="false">{ __typename }</textarea>
<label for="variables">Variables (JSON)</label>
<textarea id="variables" rows="4" spellcheck="false">{}</textarea>
<label for="headers">Headers (JSON)</label>
<textarea id="headers" rows="3" spellcheck="false">{}</textarea>
<button>Send</button>
</form>
<section><label for="result">Response</label><pre id="result"></pre></section>
</main>
<script src="${escapeHtml(script)}"></script>
</body>
</html>
`
}

export const playgroundScript = `'use strict'
const form = document.getElementById('form')
const result = document.getElementById('result')
const valueOf = (id) => document.getElementById(id).value
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  try {
    const body = JSON.stringify({ query: valueOf('query'), variables: JSON.parse(valueOf('variables') || '{}') })
    const headers = { 'content-type': 'application/json', ...JSON.parse(valueOf('headers') || '{}') }
    const response = await fetch(form.dataset.endpoint, { method: 'POST', headers, body })
    const text = await response.text()
    result.textContent = response.status + '\\n' + prettyJson(text)
  } catch (error) {
    result.textContent = String(error)
  }
})
function prettyJson(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
`
