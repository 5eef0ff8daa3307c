/** Findings about the configuration, the environment and the command line. */
import { rulesOf } from '../finding-rule.ts'

const config = rulesOf('reference/configuration.md')
const start = rulesOf('reference/startup.md')
const keys = rulesOf('reference/turnpike-keys.md')
const secrets = rulesOf('reference/secrets.md')
const security = rulesOf('security.md')
const redis = rulesOf('redis.md')
const dashboard = rulesOf('reference/dashboard-sso.md')
const telemetry = rulesOf('reference/opentelemetry.md')
const ports = rulesOf('ports.md')

export const configRules = {
  'config-unreadable': start.fatal('<problem>', '<fix>', 'The configuration does not exist or cannot be read.'),
  'config-wrong-type': config.fatal('<problem>', '', 'The value has another type than the key.'),
  'config-value-unusable': config.fatal('<problem>', '', 'A file or service that the key names cannot be used.'),
  'config-entry-ignored': config.warning(
    '<problem>',
    '',
    'One entry of a list is invalid, and the gateway starts without it.',
  ),
  'unknown-key': config.warning('is not a known key and is ignored'),
  'unused-key': config.quiet('is not a known key, and its value says nothing', 'remove it'),
  'removed-keys': config.note('<names> from the original gateway', 'remove <them>'),
  'key-without-effect': config.note('is known, but has no effect in Turnpike: <reason>', '<instead>'),
  'key-without-use': config.quiet('is known, but has no effect in Turnpike: <reason>', '<instead>'),
  'unknown-variable': start.warning('is not a known variable and is ignored', '<fix>'),
  'invalid-variable': start.fatal(
    '<problem>',
    '',
    'The value of an environment variable has another type than its key.',
  ),
  'out-of-range': config.fatal('<problem>', '<fix>', 'The value is outside of the range of the key.'),
  'keys-exclude-each-other': config.fatal('<problem>', '<fix>', 'Two keys cannot be used together.'),
  'unsupported-value': config.fatal(
    '<problem>',
    '<fix>',
    'The original gateway knows the value, and this build does not support it.',
  ),
  'unknown-allowed-finding': keys.fatal(
    '"<id>" is not the id of a finding',
    'docs/reference/generated/findings.md lists all',
  ),
  'finding-not-allowable': keys.fatal(
    '"<id>" stops the start, so that it cannot be allowed',
    'correct what it reports, and remove it here',
  ),

  'vendor-recognised': keys.note('is "<word>", because <what>', 'set "vendor": "<word>" to say so'),
  'vendor-differs': keys.warning('is "<vendor>", although <what>', 'set it to "<word>" if these are to have an effect'),
  'variables-of-other-word': keys.warning(
    'is "<vendor>", so variables of other words are ignored: <what>',
    'set "vendor": "<word>" to use them',
  ),

  'secret-variable-not-set': secrets.fatal(
    '<reference> reads the environment variable <name>, which is not set',
    'set it before the start',
  ),
  'credential-variable-not-set': secrets.warning(
    '<reference> reads the environment variable <name>, which is not set, so it is empty',
    'set it before the start',
  ),
  'secret-not-in-map': secrets.fatal('<reference> is not in the map "secrets"', 'add it there'),
  'config-secret-store': secrets.fatal(
    '<store>:// is a secret store that is not supported; the text stays as it is',
    'use env://NAME or secrets://NAME',
  ),

  'empty-secret': security.warning('is empty, so that every management call is rejected', 'set a long random text'),
  'sample-secret': security.warning(
    'is the well-known sample key, and the gateway listens beyond loopback',
    'set a long random text',
  ),
  'invertible-key-hash': security.warning(
    'keys are hashed by <used>, which can be inverted: who sees a hash in a key list, a log or an analytics record computes a working key',
    'set hash_key_function to "sha256" and replace the keys',
  ),
  'unknown-key-hash': security.warning('"<name>" is not a known hash; murmur64 is used', 'use "sha256"'),
  'empty-node-secret': security.warning(
    'is empty, so any client of this Redis can make the nodes reload',
    'set one random text on all nodes',
  ),
  'master-keys': security.note('keys without access rights open every API', 'remove it if no key needs it'),
  'unsafe-switch': security.warning(
    '<reason>',
    '<fix>',
    'A switch restores an unsafe behaviour of the original gateway.',
  ),
  'invalid-trusted-proxy': security.fatal(
    '"<entry>" is neither an address nor a network',
    'use a form such as 10.0.0.7 or 10.0.0.0/8',
  ),

  'workers-count-apart': redis.fatal(
    '<workers> workers would count apart, since each has a memory of its own',
    'set storage.type to "lmdb", or workers to 1',
  ),
  'cluster-layout': redis.fatal(
    'needs storage.layout "tagged" in a cluster: <what> are in different hash slots',
    'set storage.layout to "tagged" on all nodes, or switch the limiter off',
  ),
  'policies-of-service': config.warning(
    'policies of a dashboard service cannot be read',
    'use policy_source "file" with policy_path or policy_record_name',
  ),
  'second-rate-limiter': config.warning(
    'has no effect, since <first> is on as well and wins',
    'switch on one rate limiter',
  ),
  'unknown-log-field': config.warning('"<name>" is not a field of the access log', 'use <known>'),

  'dashboard-empty-secret': dashboard.warning(
    'is empty, so that every admin call is rejected',
    'set a long random text',
  ),
  'dashboard-shared-port': dashboard.warning(
    'is the port of the APIs, so that pages of upstreams are of the same origin as the dashboard',
    'give the dashboard a port of its own',
  ),
  'dashboard-without-organisation': dashboard.warning(
    'is empty, so that nobody can log in',
    'name the organisations of your APIs: [{"id":"…"}]',
  ),
  'dashboard-unknown-organisation': dashboard.warning(
    '"<id>" is not a known organisation',
    'name it in dashboard.organisations',
  ),
  'dashboard-unknown-group': dashboard.warning(
    '<problem>',
    'name it in dashboard.user_groups',
    'A group does not exist.',
  ),
  'dashboard-unknown-permission': dashboard.warning('"<word>" permits nothing', 'use "read", "write" or "deny"'),
  'dashboard-nonce-lifetime': dashboard.warning(
    '<life> is not within 1 to 60; 60 is used',
    'leave it out, or use 1 to 60',
  ),

  'telemetry-switched-off': telemetry.warning(
    'has no effect without opentelemetry.enabled',
    'set opentelemetry.enabled',
  ),
  'telemetry-endpoint': telemetry.fatal(
    '"<endpoint>" is neither an http or https URL nor a host with a port',
    'use for example http://localhost:4318',
  ),
  'telemetry-port-of-grpc': telemetry.warning(
    '<port> is usually the port for gRPC, which is not supported',
    'use the HTTP port of the collector, usually 4318',
  ),

  'port-list-without-effect': ports.warning(
    '<problem>',
    '<fix>',
    'An entry of ports_whitelist allows fewer ports than it seems to.',
  ),
}
