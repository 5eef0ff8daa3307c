/** The proxies of the comparison. */
import { envoy } from './envoy.ts'
import { fastify } from './fastify.ts'
import { haproxy } from './haproxy.ts'
import { nginxProxy } from './nginx-proxy.ts'
import type { ProxySubject } from './proxy.ts'
import { traefik } from './traefik.ts'
import { turnpikeProxy } from './turnpike-proxy.ts'

export const proxies: readonly ProxySubject[] = [turnpikeProxy, nginxProxy, haproxy, envoy, traefik, fastify]
