/**
 * `header_transform`: rewrites headers in which the upstream names itself, such as Location, to name the gateway
 * (docs/reference/transforms.md#header-cleanup). Only a whole scheme is replaced: `http` inside `https` or a host stays.
 */
import { processorNames } from '../../definition/classic.ts'
import type { Json } from '../../lib/json.ts'
import { list, object, readShape, text } from '../../lib/shape/shape.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeResponseStage } from '../contract/stage.ts'
import { processorOptions } from '../shared/response-processors.ts'
import { parseTarget } from '../shared/upstream-target.ts'

const optionsShape = object({ revProxyHeaderCleanup: object({ headers: list(text), targetHost: text }) })

interface Cleanup {
  readonly headers: ReadonlySet<string>
  readonly rewrite: (value: string, context: RequestContext) => string
}

export const makeHeaderCleanup: MakeResponseStage = (compileContext) => {
  warnOfUnknown(compileContext)
  const cleanups = processorOptions('header_transform', compileContext)
    .map((options) => compileCleanup(options, compileContext))
    .filter((cleanup) => cleanup !== undefined)
  if (cleanups.length === 0) return null
  return {
    run(context, response) {
      const { headers } = response
      for (const cleanup of cleanups) {
        for (let i = 0; i < headers.length; i += 2) {
          if (!cleanup.headers.has(headers[i] as string)) continue
          headers[i + 1] = cleanup.rewrite(headers[i + 1] as string, context)
        }
      }
      return response
    },
  }
}

/** Logged once, when the API is compiled. */
function warnOfUnknown({ api, services }: CompileContext): void {
  for (const { name } of api.document.responseProcessors ?? []) {
    if (!processorNames.some((known) => known === name))
      services.log.warn('an unknown response processor is ignored', { api: api.id, name })
  }
}

function compileCleanup(options: Json, compileContext: CompileContext): Cleanup | undefined {
  const { value, readable } = readShape(optionsShape, options)
  const { headers, targetHost } = value.revProxyHeaderCleanup
  const shown = parseTarget(targetHost)
  const target = parseTarget(compileContext.api.document.proxy.targetUrl)
  if (!readable || shown === undefined || target === undefined) {
    compileContext.services.log.warn('header_transform is ignored: its target_host is not a URL', {
      api: compileContext.api.id,
    })
    return undefined
  }
  const schemeOf = (origin: string) => origin.slice(0, origin.indexOf(':'))
  const scheme = new RegExp(`(?<![A-Za-z0-9.-])${schemeOf(target.origin)}(?![A-Za-z0-9.-])`, 'g')
  const swapPath = makePathSwap(compileContext, target.path === '/' ? '' : target.path)
  return {
    headers: new Set((headers ?? []).map((name) => name.toLowerCase())),
    rewrite: (given, context) =>
      swapPath(
        given.replace(scheme, schemeOf(shown.origin)).replaceAll(target.host, () => shown.host),
        context,
      ),
  }
}

/** Replaces the path of the target by the listen path. */
function makePathSwap({ api }: CompileContext, targetPath: string): Cleanup['rewrite'] {
  const listenPath = api.listenPath
  if (!api.document.proxy.stripListenPath) {
    return (value) => (targetPath === '' ? value : value.replaceAll(targetPath, () => '/'))
  }
  if (targetPath !== '') return (value) => value.replaceAll(targetPath, () => listenPath)
  return (value, { outgoing }) =>
    // The path `/` occurs in every URL, so it cannot be replaced.
    outgoing.path === '/' ? value : value.replaceAll(outgoing.path, (path) => listenPath + path)
}
