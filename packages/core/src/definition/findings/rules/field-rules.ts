/** Findings about fields of any document: their types, and fields without effect. */
import { rulesOf } from '../finding-rule.ts'

const { error, warning, quiet } = rulesOf('reference/support.md')
const definition = rulesOf('reference/api-definition.md')
const secrets = rulesOf('reference/secrets.md')

export const fieldRules = {
  'invalid-syntax': definition.error(
    '<problem>',
    '',
    'The text of the file is not JSON or YAML, so nothing of it is read.',
  ),
  'not-an-object': definition.error('must be an object', 'turnpike import makes one file of each entry of a list'),
  'foreign-document': definition.error(
    '<problem>',
    '',
    'The file is a document of a dashboard, of the operator or of a sync repository. Convert it with turnpike import.',
  ),
  'wrong-type': definition.error(
    '<problem>',
    '',
    'The value has another type than the field, so that the document cannot be read.',
  ),
  'rejected-by-management-api': definition.error('would be rejected by the management API: <reason>'),
  'wrong-inner-type': error(
    '<problem>',
    '<instead>',
    'A part of a value that is kept as it is written has another type than the gateway expects.',
  ),
  'feature-rejected': error('is not supported, so requests are rejected: <reason>', '<instead>'),
  'feature-without-effect': error('has no effect: <reason>', '<instead>'),
  'field-without-effect': warning('has no effect: <reason>', '<instead>'),
  'unknown-field': warning('is not a known field and is ignored', '<instead>'),
  'stored-field': quiet('has no effect: it is only stored and returned', '<instead>'),
  'unused-field': quiet('is empty, has its default, or belongs to a dashboard, and is ignored', '<instead>'),
  'negative-number': definition.error('must not be negative'),
  'secret-not-set': secrets.error('uses <name>, which is not set; the text stays as it is', 'set it before the start'),
  'echo-not-enabled': secrets.error(
    'uses <name>, but the gateway has no echo upstream; the text stays as it is',
    'set echo.enabled',
  ),
  'unsupported-secret-store': secrets.warning(
    '<store> is a secret store that is not supported, so the text stays as it is',
    'use env://NAME or secrets://NAME',
  ),
}
