/** Checks listen paths, domains and targets. */

import { anyPort } from '../../http/listen-address.ts'
import { apiIdRule, isApiId } from '../api-id.ts'
import { isStreamApi, listensOn } from '../listen-port.ts'
import { findServingProblem } from '../serving-problem.ts'
import { listedTarget, parseTargetUrl } from '../target-url.ts'
import type { Lint } from './finding.ts'

const knownSchemes = new Set(['http', 'https', 'h2c', 'ws', 'wss'])

export const routingLint: Lint = (document, report, options) => {
  const { proxy } = document
  const problem = findServingProblem(document)
  if (problem !== undefined) report('error', problem.path, problem.message)

  const vendor = options.vendor ?? 'svc'
  const isStream = isStreamApi(document)
  const onOwnPort = listensOn(document, options.ports ?? anyPort).port !== 0
  if (!isStream && !onOwnPort && (proxy.listenPath === '/hello' || proxy.listenPath.startsWith(`/${vendor}/`))) {
    report('error', ['proxy', 'listen_path'], 'is reserved for the gateway itself')
  } else if (!isStream && proxy.listenPath !== '' && !proxy.listenPath.startsWith('/')) {
    report(
      'warning',
      ['proxy', 'listen_path'],
      'should begin with a slash; the gateway adds one',
      `/${proxy.listenPath}`,
    )
  }

  const balanced = proxy.enableLoadBalancing && proxy.targetList !== null && proxy.targetList.length > 0
  if (!balanced) lintTarget(proxy.targetUrl, ['proxy', 'target_url'])
  for (const [i, target] of (balanced ? (proxy.targetList ?? []) : []).entries()) {
    lintTarget(listedTarget(target), ['proxy', 'target_list', i])
  }
  if (!balanced && !proxy.enableLoadBalancing && (proxy.targetList?.length ?? 0) > 0) {
    report('warning', ['proxy', 'target_list'], 'has no effect while enable_load_balancing is false')
  }

  if (document.apiId === '')
    report('warning', ['api_id'], 'should not be empty: keys and the management API refer to it')
  else if (!isApiId(document.apiId)) report('error', ['api_id'], `must be ${apiIdRule}`)
  if (!document.active && !options.honourActive) {
    report('warning', ['active'], 'is false, but the API is served nevertheless; remove the file, or set honour_active')
  }
  if (options.customDomains === false && document.domain !== '' && !document.domainDisabled) {
    report('warning', ['domain'], 'has no effect: enable_custom_domains is off in the gateway configuration')
  }

  function lintTarget(text: string, path: readonly (string | number)[]): void {
    // `findServingProblem` has already checked the targets of an API that forwards bytes.
    if (isStream) return
    const target = parseTargetUrl(text)
    // `findServingProblem` has reported invalid URLs; values of secrets are known only to the running gateway.
    if (target === undefined || ['env', 'secrets', 'echo'].includes(target.scheme)) return
    const isLoop = target.scheme === vendor
    if (text === '') report('warning', path, 'is empty: only mocked and cached paths can respond')
    else if (target.origin === '') {
      report(
        'error',
        path,
        'has no scheme and host: every request would fail with 500',
        `http://${text.replace(/^\/+/, '')}`,
      )
    } else if (target.scheme === 'tcp' || target.scheme === 'tls') {
      const reason = `has the scheme "${target.scheme}", which an HTTP API cannot use`
      report('error', path, `${reason}; set protocol to "tcp" or "tls", with a listen_port of its own`)
    } else if (!knownSchemes.has(target.scheme) && !isLoop) {
      report('error', path, `has the scheme "${target.scheme}", which the gateway does not support; use http or https`)
    }
  }
}
