/** Cases of stages that run scripts of users, in QuickJS in worker threads. */
import { makeQuickJsScripts } from '@turnpike/adapters/script-quickjs'
import type { ScriptFiles } from '@turnpike/core/definition'
import { defaultSettings } from '@turnpike/core/ports'
import { paths } from '../subjects/definition.ts'
import type { BenchEngineOptions } from './bench-engine.ts'
import { rule, type StageCase } from './stage-case.ts'

const source = `
var onRequest = new SvcJS.SvcMiddleware.NewMiddleware({})
onRequest.NewProcessRequest(function (request, session) {
  request.SetHeaders['X-Script'] = '1'
  return onRequest.ReturnData(request, {})
})
var onResponse = new SvcJS.SvcMiddleware.NewMiddleware({})
onResponse.NewProcessResponse(function (response) {
  response.SetHeaders['X-Script'] = '1'
  return onResponse.ReturnResponse(response)
})
var login = new SvcJS.SvcMiddleware.NewMiddleware({})
login.NewProcessRequest(function (request) {
  var data = login.ReturnAuthData(request, { rate: 1e9, per: 60 })
  data.AuthValue = 'caller'
  return data
})
function endpoint() {
  return SvcJsResponse({ Code: 200, Body: 'ok' }, {})
}
`

const scriptFiles: ScriptFiles = {
  read: async () => source,
  list: async () => [],
  bundle: async () => ({ kind: 'disabled' }),
}

/** Runs the scripts of all cases. Its idle workers keep the process alive until it is closed. */
export const caseScripts = makeQuickJsScripts()

const engine: BenchEngineOptions = {
  parts: { scripts: caseScripts, scriptFiles },
  settings: {
    vendor: defaultSettings.vendor,
    scripts: { enabled: true, timeoutMs: 5000, allowsBlobs: true, commonFile: '', folder: '' },
  },
}

const entry = (name: string) => ({ name, path: 'bench.js' })
const middleware = (more: object) => ({ custom_middleware: { driver: 'otto', ...more } })

export const scriptCases: readonly StageCase[] = [
  { name: 'script before authentication', fields: middleware({ pre: [entry('onRequest')] }), engine },
  {
    name: 'script that authenticates',
    fields: { use_keyless: false, custom_plugin_auth_enabled: true, ...middleware({ auth_check: entry('login') }) },
    engine,
  },
  { name: 'script after authentication', fields: middleware({ post_key_auth: [entry('onRequest')] }), engine },
  {
    name: 'scripted endpoint',
    fields: paths({
      virtual: [
        {
          ...rule,
          response_function_name: 'endpoint',
          function_source_type: 'blob',
          function_source_uri: Buffer.from(source).toString('base64'),
        },
      ],
    }),
    engine,
  },
  { name: 'script before the upstream', fields: middleware({ post: [entry('onRequest')] }), engine },
  { name: 'script of responses', fields: middleware({ response: [entry('onResponse')] }), engine },
]
