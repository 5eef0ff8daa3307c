import { describe, expect, it } from 'vitest'
import { requestOf } from '../../../test/support/test-engine.ts'
import { plainSettings } from '../../../test/support/test-settings.ts'
import { rejections, reword } from '../../http/errors.ts'
import { headerOf } from '../../http/headers.ts'
import { makeErrorRenderer } from './make-error-renderer.ts'

const render = (rejection = rejections.authMissing, headers: Record<string, string> = {}, settings = plainSettings) =>
  makeErrorRenderer(settings).render(rejection, requestOf('GET', '/', headers))

describe('errors of the proxy', () => {
  it('are JSON with four spaces and name their generator', () => {
    const answer = render()
    expect(answer.status).toBe(401)
    expect(answer.body).toBe('{\n    "error": "Authorization field missing"\n}')
    expect(headerOf(answer.headers, 'content-type')).toBe('application/json')
    expect(headerOf(answer.headers, 'x-generator')).toBe('svc.io')
  })

  it.each(['application/xml', 'text/xml; charset=utf-8', 'Application/SOAP+xml'])(
    'are XML of the same type when the request is %s',
    (type) => {
      const answer = render(rejections.authMissing, { 'content-type': type })
      expect(answer.body).toBe(
        '<?xml version = "1.0" encoding = "UTF-8"?>\n<error>Authorization field missing</error>\n',
      )
      expect(headerOf(answer.headers, 'content-type')).toBe(type.split(';')[0]?.toLowerCase())
    },
  )

  it('do not look at Accept', () => {
    expect(headerOf(render(rejections.authMissing, { accept: 'application/xml' }).headers, 'content-type')).toBe(
      'application/json',
    )
  })

  it('are always valid JSON, with nothing that could end a script', () => {
    const message = `it's "quoted" </script> a=b & \\ \n`
    const answer = render(reword(rejections.bodyInvalid, { message }))
    expect(JSON.parse(String(answer.body))).toEqual({ error: message })
    expect(String(answer.body)).not.toMatch(/[<>&=]/)
  })

  it('escape what would be markup in XML', () => {
    const answer = render(reword(rejections.bodyInvalid, { message: '<b> & c' }), { 'content-type': 'text/xml' })
    expect(answer.body).toContain('<error>&lt;b&gt; &amp; c</error>')
  })

  it('carry no generator when it is hidden', () => {
    const answer = render(rejections.authMissing, {}, { ...plainSettings, hideGeneratorHeader: true })
    expect(headerOf(answer.headers, 'x-generator')).toBeUndefined()
  })

  it('of routing are plain text', () => {
    const answer = render(rejections.notFound)
    expect(answer).toMatchObject({ status: 404, body: 'Not Found' })
    expect(headerOf(answer.headers, 'content-type')).toBe('text/plain; charset=utf-8')
    expect(headerOf(answer.headers, 'x-generator')).toBeUndefined()
  })

  it('take text and status from override_messages', () => {
    const overrideMessages = new Map([['auth.auth_field_missing', { status: 499, message: 'who are you' }]])
    const answer = render(rejections.authMissing, {}, { ...plainSettings, overrideMessages })
    expect(answer.status).toBe(499)
    expect(answer.body).toContain('who are you')
    expect(render(rejections.keyExpired, {}, { ...plainSettings, overrideMessages }).status).toBe(401)
  })

  it('take their layout from a file of the status, in the format asked for', () => {
    const errors = makeErrorRenderer(plainSettings, {
      layout: (status, format) =>
        status === 401 && format === 'json' ? ({ message }) => `{"why":"${message}"}` : undefined,
      named: () => undefined,
    })
    expect(errors.render(rejections.authMissing, requestOf('GET', '/')).body).toBe(
      '{"why":"Authorization field missing"}',
    )
    expect(errors.render(rejections.quotaExceeded, requestOf('GET', '/')).body).toContain('"error"')
  })

  it('share no header list between answers', () => {
    const errors = makeErrorRenderer(plainSettings)
    const first = errors.render(rejections.authMissing, requestOf('GET', '/'))
    first.headers.push('x-extra', '1')
    expect(headerOf(errors.render(rejections.authMissing, requestOf('GET', '/')).headers, 'x-extra')).toBeUndefined()
  })
})
