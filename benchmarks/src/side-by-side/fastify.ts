import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { type ProxySubject, startInFolder } from './proxy.ts'

// Sources run in tests, and the program runs without a compiler.
const program = new URL('../../dist/side-by-side/fastify-process.js', import.meta.url)

export const fastify: ProxySubject = {
  name: 'Fastify',
  limiter: 'set of keys in a hook; @fastify/rate-limit (fixed window) per header',
  version() {
    const { resolve } = createRequire(import.meta.url)
    try {
      for (const plugin of ['@fastify/http-proxy', '@fastify/rate-limit']) resolve(plugin)
      return JSON.parse(readFileSync(resolve('fastify/package.json'), 'utf8')).version
    } catch {
      return undefined
    }
  },
  // The program is in the repository.
  files: () => ({}),
  start: (settings) => {
    const { port, upstream, mode, perSecond } = settings
    const words = [String(port), upstream, mode, String(perSecond)]
    return startInFolder(fastify, settings, [process.execPath, fileURLToPath(program), ...words])
  },
}
