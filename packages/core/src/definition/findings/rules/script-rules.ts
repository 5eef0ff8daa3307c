/** Findings about scripts: entries that cannot run, and settings without effect. */
import { rulesOf } from '../finding-rule.ts'

const { error, note } = rulesOf('reference/scripts.md')

export const scriptRules = {
  'scripts-without-driver': error(
    'has no driver, so the API rejects requests that reach its scripts with 500',
    'set "driver" to "<driver>"',
  ),
  'unsupported-driver': error(
    'is not supported, so the API rejects requests with 500: <problem>',
    'write the scripts in JavaScript, and set it to "<driver>"',
  ),
  'scripts-switched-off': error(
    'needs scripts, which are switched off: the API rejects requests with 500',
    'set "enable_jsvm" to true in the configuration',
  ),
  'script-without-name': error('is missing, so the API rejects requests with 500'),
  'script-file-type': error('is ignored, because it ends in neither .js nor .ts', 'name a script'),
  'auth-script-missing': error(
    'needs custom_middleware with the driver "<driver>" and an enabled auth_check {name, path}, or a script in the folder auth of the API; without it every request is rejected',
  ),
  'bundle-not-loaded': error(
    'is not loaded, so the API rejects every request with 500',
    'set "enable_jsvm", "enable_bundle_downloader" and "bundle_base_url" in the configuration',
  ),
  'invalid-bundle': error('<problem>', '', 'The bundle of the API cannot be loaded, so its requests are rejected.'),
  'endpoint-scripts-off': error(
    'cannot run, so its requests are rejected with 500',
    'set "enable_jsvm" to true in the configuration',
  ),
  'endpoint-without-method': error('is missing, so the rule matches no request'),
  'endpoint-without-function': error('is missing, so every request of the rule fails'),
  'endpoint-source-type': error('must be "file" or "blob"; nothing is read'),
  'endpoint-blobs-off': error('is not read, because disable_virtual_path_blobs is true', 'use a file'),
  'endpoint-source': error('is not valid base64'),
  'invalid-script': error('script <source>: <problem>', '', 'A script cannot be read or parsed, so it does not run.'),
  'helper-library-missing': note('<file> does not exist; the built-in helpers are used', 'remove it'),
}
