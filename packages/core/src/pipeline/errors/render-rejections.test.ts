import { describe, expect, it } from 'vitest'
import { requestOf } from '../../../test/support/test-engine.ts'
import { plainSettings } from '../../../test/support/test-settings.ts'
import { headerOf } from '../../http/headers.ts'
import { rejections, reword } from '../../http/rejections.ts'
import { makeRejectionRenderer } from './render-rejections.ts'

const render = (rejection = rejections.authMissing, headers: Record<string, string> = {}, settings = plainSettings) =>
  makeRejectionRenderer(settings).render(rejection, requestOf('GET', '/', headers))

describe('errors of the proxy', () => {
  it('are JSON with four spaces and have a generator header', () => {
    const response = render()
    expect(response.status).toBe(401)
    expect(response.body).toBe('{\n    "error": "Authorization field missing"\n}')
    expect(headerOf(response.headers, 'content-type')).toBe('application/json')
    expect(headerOf(response.headers, 'x-generator')).toBe('svc.io')
  })

  it.each(['application/xml', 'text/xml; charset=utf-8', 'Application/SOAP+xml'])(
    'are XML of the same type when the request is %s',
    (type) => {
      const response = render(rejections.authMissing, { 'content-type': type })
      expect(response.body).toBe(
        '<?xml version = "1.0" encoding = "UTF-8"?>\n<error>Authorization field missing</error>\n',
      )
      expect(headerOf(response.headers, 'content-type')).toBe(type.split(';')[0]?.toLowerCase())
    },
  )

  it('ignore Accept', () => {
    expect(headerOf(render(rejections.authMissing, { accept: 'application/xml' }).headers, 'content-type')).toBe(
      'application/json',
    )
  })

  it('are always valid JSON and cannot end a script element', () => {
    const message = `it's "quoted" </script> a=b & \\ \n`
    const response = render(reword(rejections.bodyInvalid, { message }))
    expect(JSON.parse(String(response.body))).toEqual({ error: message })
    expect(String(response.body)).not.toMatch(/[<>&=]/)
  })

  it('have the text of override_messages that is in force', () => {
    const settings = {
      ...plainSettings,
      overrideMessages: new Map([['auth.auth_field_missing', { status: 0, message: 'old' }]]),
    }
    const renderer = makeRejectionRenderer(settings)
    const textOf = (type: string) =>
      renderer.render(rejections.authMissing, requestOf('GET', '/', { 'content-type': type })).body
    expect([textOf('text/plain'), textOf('text/xml')]).toEqual([
      expect.stringContaining('old'),
      expect.stringContaining('old'),
    ])
    settings.overrideMessages = new Map([['auth.auth_field_missing', { status: 0, message: 'new' }]])
    expect([textOf('text/plain'), textOf('text/xml')]).toEqual([
      expect.stringContaining('new'),
      expect.stringContaining('new'),
    ])
  })

  it('escape markup in XML', () => {
    const response = render(reword(rejections.bodyInvalid, { message: '<b> & c' }), { 'content-type': 'text/xml' })
    expect(response.body).toContain('<error>&lt;b&gt; &amp; c</error>')
  })

  it('have no generator header if it is hidden', () => {
    const response = render(rejections.authMissing, {}, { ...plainSettings, hideGeneratorHeader: true })
    expect(headerOf(response.headers, 'x-generator')).toBeUndefined()
  })

  it('of routing are plain text', () => {
    const response = render(rejections.notFound)
    expect(response).toMatchObject({ status: 404, body: 'Not Found' })
    expect(headerOf(response.headers, 'content-type')).toBe('text/plain; charset=utf-8')
    expect(headerOf(response.headers, 'x-generator')).toBeUndefined()
  })

  it('use text and status of override_messages', () => {
    const overrideMessages = new Map([['auth.auth_field_missing', { status: 499, message: 'who are you' }]])
    const response = render(rejections.authMissing, {}, { ...plainSettings, overrideMessages })
    expect(response.status).toBe(499)
    expect(response.body).toContain('who are you')
    expect(render(rejections.keyExpired, {}, { ...plainSettings, overrideMessages }).status).toBe(401)
  })

  it('use the template file of the status in the requested format', () => {
    const errors = makeRejectionRenderer(plainSettings, {
      layout: (status, format) =>
        status === 401 && format === 'json' ? ({ message }) => `{"why":"${message}"}` : undefined,
      named: () => undefined,
    })
    expect(errors.render(rejections.authMissing, requestOf('GET', '/')).body).toBe(
      '{"why":"Authorization field missing"}',
    )
    expect(errors.render(rejections.quotaExceeded, requestOf('GET', '/')).body).toContain('"error"')
  })

  it('do not share header lists between responses', () => {
    const errors = makeRejectionRenderer(plainSettings)
    const first = errors.render(rejections.authMissing, requestOf('GET', '/'))
    first.headers.push('x-extra', '1')
    expect(headerOf(errors.render(rejections.authMissing, requestOf('GET', '/')).headers, 'x-extra')).toBeUndefined()
  })
})
