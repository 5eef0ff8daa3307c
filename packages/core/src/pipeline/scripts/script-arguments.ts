/** The arguments of scripts, as JSON texts (docs/reference/scripts.md#request-object). */
import { canonicalName } from '../../http/field-names.ts'
import { type HeaderPairs, headerOf } from '../../http/headers.ts'
import { formFields, isFormType } from '../../lib/form.ts'
import { textOfFieldValue } from '../../lib/text/field-values.ts'
import { utf8Text } from '../../lib/text/utf8.ts'
import type { Session } from '../../ports/session.ts'
import type { ScriptKeys } from '../../session/registry/script-keys.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext } from '../contract/stage.ts'
import { urlOf } from '../shared/replace-request.ts'

/** The third argument; the same for all requests of an API. */
export function configArgument({ api }: CompileContext): string {
  const { configData, configDataDisabled } = api.document
  const data = configDataDisabled ? {} : { config_data: configData }
  return JSON.stringify({ APIID: api.id, OrgID: api.orgId, ...data })
}

/** The first argument of a scripted endpoint. */
export function endpointRequest(context: RequestContext, body: Uint8Array): string {
  const { request, outgoing } = context
  const text = utf8Text(body)
  const form = isFormType(headerOf(outgoing.headers, 'content-type')) ? [text] : []
  return JSON.stringify({
    URL: urlOf(request),
    Headers: headerLists(outgoing.headers.filter((_, i, all) => all[i - (i % 2)] !== 'host')),
    Body: text,
    Params: paramLists(...form, request.query),
    Scheme: request.secure ? 'https' : 'http',
  })
}

/** The first argument of a script of a stage. */
export function stageRequest(context: RequestContext, body: string): string {
  const { request, outgoing } = context
  const url = urlOf(request)
  return JSON.stringify({
    Headers: headerLists(outgoing.headers),
    SetHeaders: {},
    DeleteHeaders: [],
    Body: body,
    URL: url,
    Params: paramLists(request.query),
    AddParams: {},
    ExtendedParams: {},
    DeleteParams: [],
    ReturnOverrides: {
      ResponseCode: 0,
      ResponseError: '',
      ResponseBody: '',
      ResponseHeaders: {},
      OverrideError: false,
    },
    IgnoreBody: false,
    Method: request.method,
    RequestURI: context.requestUri ?? url,
    Scheme: request.secure ? 'https' : 'http',
  })
}

/** Values by canonical name. */
export function headerLists(headers: HeaderPairs): Readonly<Record<string, string[]>> {
  const lists: Record<string, string[]> = Object.create(null)
  for (let i = 0; i < headers.length; i += 2) {
    const name = canonicalName(headers[i] as string)
    lists[name] ??= []
    lists[name].push(textOfFieldValue(headers[i + 1] as string))
  }
  return lists
}

function paramLists(...texts: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const lists: Record<string, readonly string[]> = Object.create(null)
  for (const [name, values] of formFields(...texts.filter((text) => text !== ''))) lists[name] = values
  return lists
}

/** The argument of a script that does not get the session. */
export const noSession = '{}'

/** The session as the management API shows it, after this request was counted; `null` without a key. */
export async function sessionArgument({ key }: RequestContext, keys: ScriptKeys): Promise<string> {
  return key === undefined ? 'null' : JSON.stringify(await keys.show(key))
}

/** Replaces the data of the key if the script changed them. Nothing is stored in a dry run. */
export async function storeData(
  { key, trace }: RequestContext,
  keys: ScriptKeys,
  given: string,
  returned: Session['metaData'],
): Promise<void> {
  if (key === undefined || !key.isNamed || trace?.dry === true) return
  const before = (JSON.parse(given) as { meta_data?: unknown }).meta_data ?? {}
  const after = returned ?? {}
  if (JSON.stringify(before) === JSON.stringify(after)) return
  await keys.changeData(key.storedName, Object.keys(after).length === 0 ? null : after)
}
