/** Checks how the gateway finds its upstream and proves itself to it. */

import { macHashByAlgorithm, rsaAlgorithm } from '../../lib/signature-algorithms.ts'
import type { ClassicDefinition } from '../classic.ts'
import type { Report } from '../findings/finding.ts'
import { parseTargetUrl } from '../target-url.ts'
import { grantTypeOf, upstreamAuthProblem } from '../upstream-auth-shape.ts'
import type { Lint } from './lint.ts'

export const upstreamLint: Lint = (document, report) => {
  if (document.proxy.serviceDiscovery.useDiscoveryService) lintDiscovery(document.proxy, report)
  if (document.upstreamAuth?.enabled) lintAuth(document, report)
  if (document.requestSigning.isEnabled) lintSigning(document, report)
}

function lintDiscovery({ serviceDiscovery, enableLoadBalancing }: ClassicDefinition['proxy'], report: Report): void {
  const at = ['proxy', 'service_discovery']
  const { queryEndpoint, dataPath, useNestedQuery, parentDataPath, useTargetList } = serviceDiscovery
  const { scheme, origin } = parseTargetUrl(queryEndpoint) ?? { scheme: '', origin: '' }
  const isReference = scheme === 'env' || scheme === 'secrets'
  if (!isReference && (origin === '' || (scheme !== 'http' && scheme !== 'https'))) {
    report('discovery-endpoint', [...at, 'query_endpoint'])
  }
  if (dataPath === '') report('discovery-path-missing', [...at, 'data_path'])
  if (useNestedQuery && parentDataPath === '') {
    report('discovery-parent-path-missing', [...at, 'parent_data_path'], {
      option: 'use_nested_query',
      what: 'the text that holds JSON',
    })
  }
  if (useTargetList && !serviceDiscovery.endpointReturnsList && parentDataPath === '') {
    report('discovery-parent-path-missing', [...at, 'parent_data_path'], {
      option: 'use_target_list',
      what: 'the list',
    })
  }
  if (useTargetList && !enableLoadBalancing) {
    report('discovery-without-balancing', ['proxy', 'enable_load_balancing'])
  }
  if (serviceDiscovery.cacheDisabled) {
    report('discovery-cache', [...at, 'cache_disabled'])
  }
}

function lintSigning({ requestSigning, hmacAllowedAlgorithms }: ClassicDefinition, reportAt: Report): void {
  const report = (field: string, message: string) =>
    reportAt('request-signing', ['request_signing', field], { problem: message })
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
    report('upstream-authentication', path, { problem: problem.message })
    return
  }
  const { header } = oauth.enabled ? grant : basicAuth
  const name = header.enabled && header.name !== '' ? header.name : 'Authorization'
  const signs = requestSigning.isEnabled && (requestSigning.signatureHeader || 'Authorization')
  if (signs !== false && signs.toLowerCase() === name.toLowerCase()) {
    report('signature-header-replaced', ['request_signing', 'signature_header'], { name })
  }
}
