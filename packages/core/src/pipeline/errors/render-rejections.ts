/** Renders rejections as JSON or XML, by the Content-Type of the request (docs/reference/error-responses.md#error-layout). */

import { isFinalStatus } from '../../http/final-status.ts'
import { type HeaderPairs, headerOf } from '../../http/headers.ts'
import type { GatewayRequest, GatewayResponse } from '../../http/messages.ts'
import type { Rejection } from '../../http/rejections.ts'
import { escapeHtml, escapeXmlText } from '../../lib/text/escape-markup.ts'
import { vendorForms } from '../../lib/vendor.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import type { ErrorFormat, ErrorTemplates, RejectionRenderer } from '../contract/rejection-renderer.ts'
import { rpcErrorBody } from '../mcp/rpc-error.ts'

const xmlTypes: ReadonlySet<string> = new Set(['application/xml', 'text/xml', 'application/soap+xml'])

/** Names of `override_messages` in the configuration, by the codes of `rejections.ts`. */
const overridableCodes: Readonly<Record<string, string>> = {
  'auth-missing': 'auth.auth_field_missing',
  'key-unknown': 'auth.key_not_found',
  'certificate-mismatch': 'auth.key_not_found',
  'oauth-missing': 'oauth.auth_field_missing',
  'oauth-malformed': 'oauth.auth_field_malformed',
  'oauth-unknown': 'oauth.key_not_found',
  'oauth-client-gone': 'oauth.client_deleted',
}

const noTemplates: ErrorTemplates = { layout: () => undefined, named: () => undefined }

/** Bodies are rendered once per rejection and format; each request gets a copy of the header pairs. */
export function makeRejectionRenderer(settings: GatewaySettings, templates = noTemplates): RejectionRenderer {
  const { lower } = vendorForms(settings.vendor)
  const generator: HeaderPairs = settings.hideGeneratorHeader ? [] : ['x-generator', `${lower}.io`]
  let ready = new WeakMap<Rejection, Map<string, GatewayResponse>>()
  /** What the bodies that are ready were made from; a reload of the configuration replaces it. */
  let overrides = settings.overrideMessages

  const build = (given: Rejection, contentType: string): GatewayResponse => {
    const rejection = override(given, settings)
    const extra = rejection.headers ?? []
    if (rejection.plain) {
      const headers = ['content-type', 'text/plain; charset=utf-8', ...extra]
      return { status: rejection.status, headers, body: rejection.message }
    }
    if (rejection.json !== undefined) {
      return {
        status: rejection.status,
        headers: ['content-type', 'application/json', ...extra],
        body: rejection.json,
      }
    }
    const format: ErrorFormat = xmlTypes.has(contentType) ? 'xml' : 'json'
    const layout = templates.layout(rejection.status, format) ?? builtInLayouts[format]
    return {
      status: rejection.status,
      headers: ['content-type', format === 'xml' ? contentType : 'application/json', ...generator, ...extra],
      body: layout({ message: rejection.message, status: rejection.status }),
    }
  }

  return {
    render(rejection, request) {
      const contentType = mediaTypeOf(request)
      const known = xmlTypes.has(contentType) ? contentType : ''
      if (overrides !== settings.overrideMessages) {
        overrides = settings.overrideMessages
        ready = new WeakMap()
      }
      let byType = ready.get(rejection)
      if (byType === undefined) {
        byType = new Map()
        ready.set(rejection, byType)
      }
      let made = byType.get(known)
      if (made === undefined) {
        made = build(rejection, known)
        byType.set(known, made)
      }
      return { status: made.status, headers: made.headers.slice(), body: made.body }
    },
    reworded: (rejection) => override(rejection, settings),
    commonText: (values, format) => (templates.layout(undefined, format) ?? builtInLayouts[format])(values),
    templates,
    renderRpc(given, idJson) {
      const rejection = override(given, settings)
      const headers = ['content-type', 'application/json', ...generator, ...(rejection.headers ?? [])]
      return { status: rejection.status, headers, body: rpcErrorBody(rejection, idJson) }
    },
  }
}

/** Media type of the request in lower case, without parameters; empty if it has none. */
export function mediaTypeOf(request: GatewayRequest): string {
  const value = headerOf(request.headers, 'content-type')
  if (value === undefined) return ''
  const end = value.indexOf(';')
  return (end === -1 ? value : value.slice(0, end)).trim().toLowerCase()
}

function override(rejection: Rejection, settings: GatewaySettings): Rejection {
  const name = overridableCodes[rejection.code]
  const change = name === undefined ? undefined : settings.overrideMessages?.get(name)
  if (settings.gatewayErrors === true && rejection.gatewayStatus !== undefined)
    return { ...rejection, status: rejection.gatewayStatus }
  if (change === undefined) return rejection
  const status = isFinalStatus(change.status) ? change.status : rejection.status
  return { ...rejection, status, message: change.message || rejection.message }
}

const builtInLayouts: Readonly<Record<ErrorFormat, (error: { readonly message: string }) => string>> = {
  json: ({ message }) => `{\n    "error": ${scriptSafeJson(message)}\n}`,
  xml: ({ message }) => `<?xml version = "1.0" encoding = "UTF-8"?>\n<error>${escapeXmlText(message)}</error>\n`,
}

/** Escapes text for the inside of a JSON string, or for text and attributes of XML. */
export function escapeFor(format: ErrorFormat, text: string): string {
  return format === 'xml' ? escapeHtml(text) : scriptSafeJson(text).slice(1, -1)
}

/** Returns JSON that cannot end a script element or an attribute if a page embeds it. */
export function scriptSafeJson(value: string): string {
  return JSON.stringify(value).replace(/[<>&=]/g, (c) => `\\u00${c.charCodeAt(0).toString(16).toUpperCase()}`)
}
