/** The target and the connection to it. Source: docs/reference/openapi-extension.md#upstream-fields. */
import { parseDuration } from '../../../lib/duration.ts'
import { isOn, type Json, listOf, memberOf, numberOf, objectOf, textOf } from '../../../lib/json.ts'
import { toClassicDiscovery } from './service-discovery.ts'
import { toClassicSigning, toClassicUpstreamAuth } from './upstream-authentication.ts'
import { uptimeTestsOf } from './uptime-tests.ts'

/** Longest list of targets, counting each target once per unit of weight. */
const maxTargets = 10_000

export function proxyFields(extension: Json): Json {
  const upstream = objectOf(extension['upstream'])
  const listenPath = memberOf(extension, 'server', 'listenPath')
  const tls = objectOf(upstream['tlsTransport'])
  const balancing = upstream['loadBalancing']
  return {
    listen_path: memberOf(listenPath, 'value'),
    strip_listen_path: memberOf(listenPath, 'strip'),
    target_url: upstream['url'],
    // Without targets of its own, a document cannot balance: the first discovered target gets every request.
    enable_load_balancing: isOn(balancing) && listOf(memberOf(balancing, 'targets')).length > 0,
    target_list: targetList(balancing),
    check_host_against_uptime_tests: memberOf(balancing, 'skipUnavailableHosts') === true,
    preserve_host_header: isOn(upstream['preserveHostHeader']),
    disable_strip_slash: isOn(upstream['preserveTrailingSlash']),
    service_discovery: toClassicDiscovery(upstream['serviceDiscovery']),
    transport: {
      ssl_insecure_skip_verify: tls['insecureSkipVerify'],
      ssl_ciphers: tls['ciphers'],
      ssl_min_version: tlsVersion(tls['minVersion']),
      ssl_max_version: tlsVersion(tls['maxVersion']),
      ssl_force_common_name_check: tls['forceCommonNameCheck'],
      proxy_url: isOn(upstream['proxy']) ? memberOf(upstream['proxy'], 'url') : undefined,
    },
  }
}

/** A target of weight n occurs n times in the list. */
function targetList(balancing: unknown): readonly string[] | undefined {
  if (balancing === undefined) return undefined
  const targets: string[] = []
  for (const target of listOf(memberOf(balancing, 'targets'))) {
    const weight = Math.min(numberOf(memberOf(target, 'weight')), maxTargets - targets.length)
    for (let i = 0; i < weight; i++) targets.push(textOf(memberOf(target, 'url')))
  }
  return targets
}

/** The protocol version number of TLS: 1.0 is 769 (RFC 5246, 6.2.1). */
function tlsVersion(name: unknown): number | undefined {
  const minor = ['1.0', '1.1', '1.2', '1.3'].indexOf(textOf(name))
  return minor === -1 ? undefined : 769 + minor
}

export function upstreamFields(upstream: Json): Json {
  const rate = upstream['rateLimit']
  const certificates = upstream['mutualTLS']
  const pins = upstream['certificatePinning']
  return {
    global_rate_limit: rateFields(rate),
    upstream_certificates: byDomain(memberOf(certificates, 'domainToCertificateMapping'), (entry) =>
      textOf(memberOf(entry, 'certificate')),
    ),
    upstream_certificates_disabled: certificates !== undefined && !isOn(certificates),
    pinned_public_keys: byDomain(memberOf(pins, 'domainToPublicKeysMapping'), (entry) =>
      listOf(memberOf(entry, 'publicKeys')).join(','),
    ),
    certificate_pinning_disabled: pins !== undefined && !isOn(pins),
    upstream_auth: toClassicUpstreamAuth(upstream['authentication']),
    request_signing: toClassicSigning(upstream['authentication']),
    uptime_tests: uptimeTestsOf(upstream['uptimeTests']),
  }
}

/** A rate limit of `rate` requests in `per` seconds. */
export function rateFields(limit: unknown): Json {
  return {
    rate: memberOf(limit, 'rate'),
    per: parseDuration(memberOf(limit, 'per')),
    disabled: limit !== undefined && !isOn(limit),
  }
}

function byDomain(list: unknown, textFor: (entry: unknown) => string): Json | undefined {
  const entries = listOf(list).map((entry): [string, string] => [textOf(memberOf(entry, 'domain')), textFor(entry)])
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}
