/** Checks how the gateway finds its upstream and proves itself to it. */
import { macHashByAlgorithm, rsaAlgorithm } from '../../lib/signature-algorithms.ts'
import type { ClassicDefinition } from '../classic.ts'
import { parseTargetUrl } from '../target-url.ts'
import { grantTypeOf, upstreamAuthProblem } from '../upstream-auth-shape.ts'
import type { Lint, Report } from './finding.ts'

export const upstreamLint: Lint = (document, report) => {
  if (document.proxy.serviceDiscovery.useDiscoveryService) lintDiscovery(document.proxy, report)
  if (document.upstreamAuth?.enabled) lintAuth(document, report)
  if (document.requestSigning.isEnabled) lintSigning(document, report)
}

function lintDiscovery({ serviceDiscovery, enableLoadBalancing }: ClassicDefinition['proxy'], reportAt: Report): void {
  const report = (severity: 'error' | 'warning', field: string, message: string) =>
    reportAt(severity, ['proxy', 'service_discovery', field], message)
  const { queryEndpoint, dataPath, useNestedQuery, parentDataPath, useTargetList } = serviceDiscovery
  const { scheme, origin } = parseTargetUrl(queryEndpoint) ?? { scheme: '', origin: '' }
  const isReference = scheme === 'env' || scheme === 'secrets'
  if (!isReference && (origin === '' || (scheme !== 'http' && scheme !== 'https'))) {
    report('error', 'query_endpoint', 'is not an http or https URL, so every request goes to target_url')
  }
  if (dataPath === '') report('error', 'data_path', 'is empty, so no entry has a target and every request gets 500')
  if (useNestedQuery && parentDataPath === '') {
    report('error', 'parent_data_path', 'is empty, but use_nested_query needs the path of the text that holds JSON')
  }
  if (useTargetList && !serviceDiscovery.endpointReturnsList && parentDataPath === '') {
    report('error', 'parent_data_path', 'is empty, but use_target_list needs the path of the list')
  }
  if (useTargetList && !enableLoadBalancing) {
    reportAt('warning', ['proxy', 'enable_load_balancing'], 'is off, so the first discovered target gets every request')
  }
  if (serviceDiscovery.cacheDisabled) {
    const message = 'does not turn the cache off: it replaces cache_timeout by service_discovery.default_cache_timeout'
    report('warning', 'cache_disabled', `${message} of the configuration`)
  }
}

function lintSigning({ requestSigning, hmacAllowedAlgorithms }: ClassicDefinition, reportAt: Report): void {
  const report = (field: string, message: string) =>
    reportAt('error', ['request_signing', field], `${message}, so every request gets 500`)
  const { keyId, algorithm, secret, certificateId } = requestSigning
  const algorithms = [...macHashByAlgorithm.keys(), rsaAlgorithm]
  const allowed = hmacAllowedAlgorithms ?? []
  if (keyId === '') report('key_id', 'is empty')
  if (!algorithms.includes(algorithm)) {
    report('algorithm', `is "${algorithm}", which is not one of ${algorithms.join(', ')}`)
  } else if (allowed.length > 0 && !allowed.includes(algorithm)) {
    report('algorithm', `is "${algorithm}", which hmac_allowed_algorithms does not contain`)
  }
  if (algorithm === rsaAlgorithm ? certificateId === '' : secret === '') {
    report(algorithm === rsaAlgorithm ? 'certificate_id' : 'secret', `is empty, but ${algorithm} needs it`)
  }
}

function lintAuth({ upstreamAuth, requestSigning }: ClassicDefinition, report: Report): void {
  if (upstreamAuth === null) return
  const { basicAuth, oauth } = upstreamAuth
  if (!basicAuth.enabled && !oauth.enabled) return
  const problem = upstreamAuthProblem(upstreamAuth)
  const type = grantTypeOf(oauth)
  const grant = type === 'password' ? oauth.password : oauth.clientCredentials
  // Values of secrets are known only to the running gateway.
  const isReference = problem?.path.at(-1) === 'token_url' && /^(?:env|secrets):/.test(grant.tokenUrl)
  if (problem !== undefined && !isReference) {
    const path = ['upstream_auth', ...problem.path]
    report('error', path, `${problem.message}; every request gets 500`)
    return
  }
  const { header } = oauth.enabled ? grant : basicAuth
  const name = header.enabled && header.name !== '' ? header.name : 'Authorization'
  const signs = requestSigning.isEnabled && (requestSigning.signatureHeader || 'Authorization')
  if (signs !== false && signs.toLowerCase() === name.toLowerCase()) {
    report('error', ['request_signing', 'signature_header'], `is ${name}, which upstream_auth replaces; use another`)
  }
}
