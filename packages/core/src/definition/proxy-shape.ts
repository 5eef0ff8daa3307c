/** `proxy` of classic definitions. Source: docs/reference/api-definition.md. */
import { boolean, described, integer, list, object, text } from '../lib/shape/shape.ts'

export const proxyShape = object({
  preserveHostHeader: described('The upstream receives the host of the request.', boolean),
  listenPath: described('The path prefix of the API, such as /orders/.', text),
  targetUrl: described('URL of the upstream.', text),
  disableStripSlash: described('Keeps the slash at the end of the path.', boolean),
  stripListenPath: described('Removes the listen path from the path that the upstream receives.', boolean),
  enableLoadBalancing: described('Uses `target_list` in turn.', boolean),
  targetList: described('URLs of upstreams; an entry that occurs twice gets twice as many requests.', list(text)),
  checkHostAgainstUptimeTests: described('Uptime tests decide which targets are used.', boolean),
  serviceDiscovery: described(
    'Targets come from an HTTP service.',
    object({
      useDiscoveryService: described('Switches service discovery on.', boolean),
      queryEndpoint: described('URL that the gateway requests with GET.', text),
      useNestedQuery: described('The value at `parent_data_path` is a text that contains JSON.', boolean),
      parentDataPath: described('Path of the list of entries, or of the text with JSON.', text),
      dataPath: described('Path of the host in an entry; names joined by dots.', text),
      cacheDisabled: described('Discovers the targets for each request.', boolean),
      portDataPath: described('Path of the port in an entry. Empty: the host is complete.', text),
      targetPath: described('Text that is appended to each target.', text),
      useTargetList: described('All entries are targets, not only the first.', boolean),
      cacheTimeout: described(
        'Seconds for which targets are cached. Default: 0, the default of the configuration.',
        integer,
      ),
      endpointReturnsList: described('The whole response is a JSON list.', boolean),
    }),
  ),
  transport: described(
    'TLS and HTTP proxy to the upstream.',
    object({
      sslInsecureSkipVerify: described('The certificate of the upstream is not verified.', boolean),
      sslCiphers: described('Cipher suites for upstreams. Default: those of the configuration.', list(text)),
      sslMinVersion: described(
        'Lowest version of TLS: 769 is 1.0, 772 is 1.3. Default: that of the configuration.',
        integer,
      ),
      sslMaxVersion: described(
        'Highest version of TLS: 769 is 1.0, 772 is 1.3. Default: that of the configuration.',
        integer,
      ),
      sslForceCommonNameCheck: described(
        'The certificate of the upstream must have the host as its common name.',
        boolean,
      ),
      proxyUrl: described('URL of an HTTP proxy.', text),
    }),
  ),
})
