/** Where requests come in and go out. */

import { anyPort } from '../../http/listening.ts'
import { isSafeApiId } from '../api-id.ts'
import { asksForStream, listensOn } from '../listen-port.ts'
import { findServingProblem } from '../serving-problem.ts'
import { listedTarget, parseTargetUrl } from '../target-url.ts'
import type { Lint } from './finding.ts'

const knownSchemes = new Set(['http', 'https', 'h2c', 'ws', 'wss'])

export const routingLint: Lint = (document, report, options) => {
  const { proxy } = document
  const problem = findServingProblem(document)
  if (problem !== undefined) report('error', problem.path, problem.message)

  const vendor = options.vendor ?? 'svc'
  const isStream = asksForStream(document)
  const onOwnPort = listensOn(document, options.ports ?? anyPort).port !== 0
  if (!isStream && !onOwnPort && (proxy.listenPath === '/hello' || proxy.listenPath.startsWith(`/${vendor}/`))) {
    report('error', ['proxy', 'listen_path'], 'belongs to the gateway itself, which answers there first')
  } else if (!isStream && proxy.listenPath !== '' && !proxy.listenPath.startsWith('/')) {
    report(
      'warning',
      ['proxy', 'listen_path'],
      'should begin with a slash; it is taken as if it did',
      `/${proxy.listenPath}`,
    )
  }

  const balanced = proxy.enableLoadBalancing && proxy.targetList !== null && proxy.targetList.length > 0
  if (!balanced) lintTarget(proxy.targetUrl, ['proxy', 'target_url'])
  for (const [i, target] of (balanced ? (proxy.targetList ?? []) : []).entries()) {
    lintTarget(listedTarget(target), ['proxy', 'target_list', i])
  }
  if (!balanced && !proxy.enableLoadBalancing && (proxy.targetList?.length ?? 0) > 0) {
    report('warning', ['proxy', 'target_list'], 'is not read while enable_load_balancing is false')
  }

  if (document.apiId === '') report('warning', ['api_id'], 'should not be empty: keys and the management API name it')
  else if (!isSafeApiId(document.apiId)) report('error', ['api_id'], 'cannot name a file: no separators, no dots alone')
  if (!document.active && !options.honourActive) {
    report('warning', ['active'], 'is false, and the API is served all the same; remove the file, or set honour_active')
  }
  if (options.customDomains === false && document.domain !== '' && !document.domainDisabled) {
    report('warning', ['domain'], 'is not looked at: enable_custom_domains is off in the gateway configuration')
  }

  function lintTarget(text: string, path: readonly (string | number)[]): void {
    // Of a stream they were all looked at above.
    if (isStream) return
    const target = parseTargetUrl(text)
    // The first is told above; the others stand for what is known only where the gateway runs.
    if (target === undefined || target.scheme === 'env' || target.scheme === 'secrets') return
    const isLoop = target.scheme === vendor
    if (text === '') report('warning', path, 'is empty: only mocked and cached paths can be answered')
    else if (target.origin === '') {
      report(
        'error',
        path,
        'names no scheme and host: every request would fail with 500',
        `http://${text.replace(/^\/+/, '')}`,
      )
    } else if (target.scheme === 'tcp' || target.scheme === 'tls') {
      const reason = `has the scheme "${target.scheme}", which an API of HTTP cannot speak`
      report('error', path, `${reason}; set protocol to "tcp" or "tls", with a listen_port of its own`)
    } else if (!knownSchemes.has(target.scheme) && !isLoop) {
      report('error', path, `has the scheme "${target.scheme}", which the gateway cannot speak; use http or https`)
    }
  }
}
