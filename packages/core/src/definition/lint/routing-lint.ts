/** Checks listen paths, domains and targets. */

import { anyPort } from '../../http/listen-address.ts'
import { apiIdRule, isApiId } from '../api-id.ts'
import { isStreamApi, listensOn } from '../listen-port.ts'
import { findServingProblem } from '../serving-problem.ts'
import { listedTarget, parseTargetUrl } from '../target-url.ts'
import { isWritten, type Lint } from './lint.ts'

const knownSchemes = new Set(['http', 'https', 'h2c', 'ws', 'wss'])

export const routingLint: Lint = (document, report, options) => {
  const { proxy } = document
  const problem = findServingProblem(document)
  if (problem !== undefined) report('not-servable', problem.path, { problem: problem.message })

  const vendor = options.vendor ?? 'svc'
  const isStream = isStreamApi(document)
  const onOwnPort = listensOn(document, options.ports ?? anyPort).port !== 0
  if (!isStream && !onOwnPort && (proxy.listenPath === '/hello' || proxy.listenPath.startsWith(`/${vendor}/`))) {
    report('reserved-listen-path', ['proxy', 'listen_path'])
  } else if (!isStream && proxy.listenPath !== '' && !proxy.listenPath.startsWith('/')) {
    report('listen-path-without-slash', ['proxy', 'listen_path'], {}, `/${proxy.listenPath}`)
  }

  const balanced = proxy.enableLoadBalancing && proxy.targetList !== null && proxy.targetList.length > 0
  if (!balanced) lintTarget(proxy.targetUrl, ['proxy', 'target_url'])
  for (const [i, target] of (balanced ? (proxy.targetList ?? []) : []).entries()) {
    lintTarget(listedTarget(target), ['proxy', 'target_list', i])
  }
  if (!balanced && !proxy.enableLoadBalancing && (proxy.targetList?.length ?? 0) > 0) {
    report('unused-target-list', ['proxy', 'target_list'])
  }

  if (document.apiId === '') report('missing-api-id', ['api_id'])
  else if (!isApiId(document.apiId)) report('unsafe-api-id', ['api_id'], { rule: apiIdRule })
  if (!document.active && !options.honourActive && isWritten(options.given, 'active')) {
    report('inactive-api-served', ['active'])
  }
  if (options.customDomains === false && document.domain !== '' && !document.domainDisabled) {
    report('custom-domain-ignored', ['domain'])
  }

  function lintTarget(text: string, path: readonly (string | number)[]): void {
    // `findServingProblem` has already checked the targets of an API that forwards bytes.
    if (isStream) return
    const target = parseTargetUrl(text)
    // `findServingProblem` has reported invalid URLs; values of secrets are known only to the running gateway.
    if (target === undefined || ['env', 'secrets', 'echo'].includes(target.scheme)) return
    const isLoop = target.scheme === vendor
    if (text === '') report('empty-target', path)
    else if (target.origin === '') {
      report('target-without-host', path, {}, `http://${text.replace(/^\/+/, '')}`)
    } else if (target.scheme === 'tcp' || target.scheme === 'tls') {
      report('stream-target', path, { scheme: target.scheme })
    } else if (!knownSchemes.has(target.scheme) && !isLoop) {
      report('unsupported-scheme', path, { scheme: target.scheme })
    }
  }
}
