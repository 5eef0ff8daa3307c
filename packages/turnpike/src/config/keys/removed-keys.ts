/** Keys of older versions of the original gateway, which its current version does not have. */
import { type JsonPath, printJsonPath } from '@turnpike/core/lib'

const removedKeys: ReadonlySet<string> = new Set([
  'allow_insecure_configs',
  'analytics_config.csv_dir',
  'analytics_config.mongo_collection',
  'analytics_config.mongo_db_name',
  'analytics_config.mongo_url',
  'analytics_config.purge_delay',
  'analytics_config.type',
  'auth_override',
  'enable_websockets',
  'legacy_enable_allowance_countdown',
  'node_is_segmented',
  'optimisations_use_async_session_write',
  'session_update_buffer_size',
  'session_update_pool_size',
])

/** Whether a key that the shape does not know is one of an older version. */
export function isRemovedKey(path: JsonPath): boolean {
  return removedKeys.has(printJsonPath(path))
}
