/** Findings about policies, seed files, and what definitions say of policies. */
import { rulesOf } from '../finding-rule.ts'

const { error, warning } = rulesOf('reference/policies.md')
const start = rulesOf('reference/startup.md')

export const policyRules = {
  'shared-policy-id': error(
    'policy "<id>" is also defined in <file>; the one that is read last wins',
    'give each policy an id of its own',
  ),
  'nested-policies': error('contains policies; move them one level up'),
  'policy-without-id': error('is missing, so that the policy is ignored', 'give it an id'),
  'policy-id-ignored': warning('is not looked at, since the policy is named "<id>" by its file', 'remove it'),
  'per-api-beside-partitions': error(
    'per_api goes with no other partition, so that no key can use this policy',
    'set per_api alone, or leave it out',
  ),
  'incomplete-policy-rate': warning(
    'stands without <missing>, so that there is no rate limit',
    'set <missing> as well',
  ),
  'inactive-policy': warning('makes every key with this policy inactive', 'remove it if keys are to work'),
  'policy-without-rights': warning('is empty, so that this policy alone opens nothing', 'name the APIs that it opens'),
  'invalid-right-pattern': error(
    '<problem>',
    'correct it; until then the requests that it may concern are rejected',
    'A pattern of a path or a field in the access rights is not valid.',
  ),
  'unknown-api': error('there is no API with the id "<id>"', 'add its definition, or remove the right'),
  'policy-of-other-organisation': error(
    'the API is of organisation "<api>", the policy of "<policy>", so that keys with it are refused',
    'use one organisation',
  ),
  'right-under-other-id': warning('says "<id>", but stands under "<key>"', 'write the same id in both places'),
  'unknown-version': warning('the API has no version "<version>"', 'add the version, or remove it here'),
  'unknown-policy': error('there is no policy "<id>"', 'add the policy, or remove it here'),
  'unreadable-seed': start.fatal('<problem>', '', 'The seed file cannot be read, so that no key of it is created.'),
}
