/** Classic definitions for benchmarks, and fields that several of them have. */

/** A keyless API that proxies everything; `more` replaces its fields. */
export function definition(id: string, upstream: string, more: object = {}): object {
  return {
    name: id,
    api_id: id,
    org_id: 'bench',
    active: true,
    use_keyless: true,
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    proxy: { listen_path: `/${id}/`, target_url: upstream, strip_listen_path: true },
    ...more,
  }
}

/** Fields of a definition whose requests need a key in the header `Authorization`. */
export const keyed = { use_keyless: false, auth: { auth_header_name: 'Authorization' } }

/** Fields of a definition without versions that has path rules. */
export const paths = (extended_paths: object, more: object = {}) => ({
  version_data: {
    not_versioned: true,
    versions: { Default: { name: 'Default', use_extended_paths: true, extended_paths, ...more } },
  },
})

/** A body template in the notation of definitions. */
export function template(source: string, inputType: 'json' | 'xml' = 'json'): object {
  return { input_type: inputType, template_mode: 'blob', template_source: Buffer.from(source).toString('base64') }
}
