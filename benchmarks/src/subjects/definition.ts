/** A classic definition for benchmarks. */
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
